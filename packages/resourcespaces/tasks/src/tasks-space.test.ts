import { existsSync } from 'node:fs';
import { asModelText, createAgent, type SpaceDefinition } from '@bae/core';
import { countUnits } from '@bae/core/pipeline';
import { describe, expect, it } from 'vitest';
import { OpenStore } from '../test/open-store.ts';
import { newFile, openTasks, PLAN } from '../test/open-tasks.ts';
import { provideTasks, TasksSpace } from './tasks-space.ts';

describe('the tasks space', () => {
  it('leads from a first task to a finished one', async () => {
    const { say, call } = await openTasks();
    expect((await call('write', { title: 'First' })).text).toBe('Created task 1: First');
    const refused = await say('<W:Big priority=1.0.0>\nno sections\n</W>');
    expect(refused).toContain('needs assumptions, reasoning, background_research, acceptance_criteria (missing: all)');
    expect(await say(`<W:Big priority=1.0.0>\n${PLAN}\n</W>`)).toBe('Created task 2: Big');
    expect(await say('<W:Part priority=1.1.0></W>')).toBe('Created task 3: Part\nParent: 2 (OPEN)');
    expect(await say('<E:3 after=1>')).toMatch(
      /^Task 3 is blocked\.\nTask 3 \| BLKD \| 1\.1\.0 \| Part \| waits for 1 {2}status: open -> blocked; after: \(none\) -> 1 {2}version: 2$/,
    );
    expect(await say('<E:3 status=done>')).toMatch(/^ResourceError: task 3 is blocked by 1 \(OPEN\)\.\n/);
    expect(await say('<E:1 status=done>')).toMatch(/^Task 1 is done\. Unblocked: 3\n/);
    expect(await say('<R:>')).toBe(
      'Active tasks\n2 tasks:\n3 | OPEN | 1.1.0 | Part\n2 | OPEN | 1.0.0 | Big | 1 part to do',
    );
    expect(await say('<E:2 status=done>')).toMatch(
      /^ResourceError: task 2 cannot be done yet\.\nmissing sections: outcome, confidence, retrospective\nunfinished children: 3 \(OPEN\)\n/,
    );
    expect(await say('<E:1 status=open>')).toMatch(/^ResourceError: task 1 is done \(final\)\. Create a new task\.\n/);
    expect(await say('<Grep:par>')).toBe('1 match:\n#1 3 | OPEN | 1.1.0 | Part');
    expect(await say('<R:status:bogus>')).toContain('in_progress, open, blocked, done, cancelled; got "status:bogus"');
  });

  it('keeps the text of a task when nothing stands between the tags that change something else', async () => {
    const { say, call } = await openTasks();
    await say('<W:Fix login>\nIt fails.\n</W>');
    await say('<E:1 status=in_progress>\n</E>');
    await say('<E:1 priority=2></E>');
    expect(await say('<R:1>')).toMatch(/\n\nIt fails\.$/);
    await say('<E:1>\nIt works.\n</E>');
    expect(await say('<R:1>')).toMatch(/\n\nIt works\.$/);
    expect((await call('edit', { id: 1, status: 'done', body: '' })).text).toContain('Task 1 is done.');
  });

  it('has the same tasks in the next session', async () => {
    const { agent, file, say } = await openTasks();
    await say('<W:Fix login tags="auth, ui">\nIt fails.\n</W>');
    await agent.close();
    const next = await openTasks({ file });
    expect(await next.say('<R:>')).toBe('Active tasks\n1 task:\n1 | OPEN | 0.0.0 | Fix login | auth, ui');
    expect(await next.say('<R:1>')).toMatch(/\n\nIt fails\.$/);
  });

  it('shows everything on entering in few tokens', async () => {
    const { agent } = await openTasks();
    const entry = await agent.describe(['tasks']);
    expect(countUnits(entry)).toBeLessThan(1200);
    const table = entry.split('\n').filter((line) => line.startsWith('|'));
    expect(table.join('\n').length).toBeLessThanOrEqual(900);
    expect(entry).toMatchInlineSnapshot(`
      "home > tasks -- Work items that you and the user share; they outlive the session. open: 0  in_progress: 0  blocked: 0
      <R:target> [from:int]  -- Tasks to do; one by id; or ready: status:open tag:a,b.
      <W:title>body</W> [priority tags:string[] parent:int|string after:string[] status:open|in_progress|done|cancelled gated:boolean creator:agent|user metadata:{…}]  -- The id of a new task. Priority 1-9, the smaller the sooner.
      <E:id>body</E> [title status:open|in_progress|done|cancelled priority tags:string[] parent:int|none|string after:string[] gated:boolean metadata:{…} version:int]  -- The changed task. tags="+x,-y"; after=3 waits for 3.
      <G:pattern> [from:int]  -- Tasks by title, with * and ?.
      <Grep:text> [from:int]  -- Tasks with all words, best first.
      Example: <Grep:login>"
    `);
  });

  it('shows its counts at home', async () => {
    const { agent, say } = await openTasks();
    const home = async (): Promise<string> => (await agent.describe([])).split('\n')[2]!;
    expect(await home()).toBe('  tasks() -- Work items that you and the user share; they outlive the session.');
    await say('<W:First></W>');
    await say('<W:Second after=1></W>');
    await say('<W:Third gated=true></W>');
    await say('<E:3 status=done>');
    expect(await home()).toMatch(/\| Start here\. \| open: 2 {2}in_progress: 0 {2}blocked: 1 {2}waiting: 1$/);
  });

  it('makes no file for looking', async () => {
    const { agent, file, say } = await openTasks();
    for (const tag of ['<R:>', '<R:7>', '<R:all:>', '<Grep:x>', '<G:*>', '<E:7 status=done>', '<R:history:7>'])
      await say(tag);
    await agent.describe([]);
    expect(existsSync(file)).toBe(false);
    await say('<W:First></W>');
    expect(existsSync(file)).toBe(true);
  });

  it('writes tags that work from where the call was made', async () => {
    const { agent, say } = await openTasks();
    for (let index = 0; index < 45; index++) await say(`<W:Task ${index}></W>`);
    await agent.run(asModelText('@home()'));
    expect(await say('<tasks.R:>')).toMatch(/; next: <tasks\.R:from=\d+>\]$/);
    expect(await say('<tasks.E:3 status=done after=99>')).toMatch(/\nTry: <tasks\.R:45>\nTry: <tasks\.R:>$/);
    const next = /<tasks\.R:from=\d+>/.exec(await say('<tasks.R:>'))![0];
    expect(await say(next)).toMatch(/^Active tasks\n45 tasks:\n/);
  });

  it('gives hits to a search over many spaces', async () => {
    const { agent, say } = await openTasks();
    await say('<W:Fix login tags=auth></W>');
    await say('<W:Write docs>\nThe login, too.\n</W>');
    const tasks = agent.tree.at(['tasks']) as SpaceDefinition;
    expect(await tasks.search?.('login', 5)).toEqual([
      { target: '1', text: '1 | OPEN | 0.0.0 | Fix login | auth' },
      { target: '2', text: '2 | OPEN | 0.0.0 | Write docs' },
    ]);
    expect(await tasks.search?.('login', 1)).toHaveLength(1);
  });

  it('shows what an edit would change to the person who is asked', async () => {
    const file = newFile();
    const previews: unknown[] = [];
    const agent = createAgent({
      spaces: [TasksSpace],
      provide: [provideTasks({ file, caller: 'agent' })],
      approver: {
        approve: async ({ tool, target, preview }) => {
          previews.push([tool, target, await preview?.()]);
          return tool === 'write' ? { allow: true } : { allow: false, reason: 'no' };
        },
      },
    });
    await agent.run(asModelText('<tasks.W:First>\nWhat to do.\n</W>'));
    await agent.run(asModelText('<tasks.W:Second after=1></W>'));
    await agent.run(asModelText('<tasks.E:1 status=done title="Was first">'));
    expect(previews).toEqual([
      ['write', 'new', 'Create task: First\nWhat to do.'],
      ['write', 'new', 'Create task: Second'],
      ['edit', '1', 'Task 1: Was first\ntitle: First -> Was first\nstatus: open -> done\nUnblocked: 2'],
    ]);
    const { calls } = await agent.run(asModelText('<tasks.R:>'));
    expect(calls[0]?.result.text).toBe(
      'Active tasks\n2 tasks:\n1 | OPEN | 0.0.0 | First\n2 | BLKD | 0.0.0 | Second | waits for 1',
    );
    await agent.close();
  });

  it('plans again, and asks again, when the task was changed while a person was asked', async () => {
    const tasks = new OpenStore({ caller: 'user' });
    tasks.add('First');
    const previews: unknown[] = [];
    const agent = createAgent({
      spaces: [TasksSpace],
      provide: [provideTasks({ file: tasks.file, caller: 'agent' })],
      approver: {
        approve: async ({ preview }) => {
          previews.push(await preview?.());
          if (previews.length === 1) tasks.edit(1, { title: 'Other' });
          return { allow: true };
        },
      },
    });
    const { calls } = await agent.run(asModelText('<tasks.E:1 title=New>'));
    expect(calls[0]?.result).toMatchObject({ ok: true, hint: 'title' });
    expect(previews).toEqual(['Task 1: New\ntitle: First -> New', 'Task 1: New\ntitle: Other -> New']);
    await agent.close();
  });

  it('makes no file for a change that is refused', async () => {
    const file = newFile();
    const agent = createAgent({
      spaces: [TasksSpace],
      provide: [provideTasks({ file, caller: 'agent' })],
      approver: { approve: async () => ({ allow: false, reason: 'no' }) },
    });
    await agent.run(asModelText('<tasks.W:First></W>'));
    expect(existsSync(file)).toBe(false);
    await agent.close();
  });
});

describe('what can be started', () => {
  it('comes first, and is what ready: lists', async () => {
    const { say, call } = await openTasks();
    for (const tag of ['<W:Later priority=3></W>', '<W:Soon priority=1 tags="owner:ops"></W>']) await say(tag);
    await say('<W:Waits after=1 priority=1></W>');
    await say('<W:Part parent=2 priority=high></W>');
    expect(await say('<R:>')).toBe(`Active tasks
4 tasks:
4 | OPEN | 1 | Part
1 | OPEN | 3 | Later
2 | OPEN | 1 | Soon | owner:ops | 1 part to do
3 | BLKD | 1 | Waits | waits for 1`);
    expect(await say('<R:ready:>')).toBe('Tasks ready:\n2 tasks:\n4 | OPEN | 1 | Part\n1 | OPEN | 3 | Later');
    expect(await say('<R:ready: tag:owner:ops>')).toBe('(no tasks)');
    expect(await call('write', { title: 'By code' })).toMatchObject({ ok: true });
  });
});

describe('a task that is named by its title', () => {
  it('is the one that is called so, or the only one that begins so', async () => {
    const { say, send, call } = await openTasks();
    for (const tag of ['<W:Fix login></W>', '<W:Fix login form></W>', '<W:Write, then read></W>']) await say(tag);
    expect(await say('<W:Deploy after="fix login" parent="Write"></W>')).toBe(
      'Created task 4: Deploy\nParent: 3 (OPEN)\nBlocked by: 1 (OPEN)',
    );
    expect(await say('<E:4 after="-Fix login, Fix login f" parent=none>')).toMatch(
      /^Changed parent, after of task 4\./,
    );
    expect((await call('read', { target: 4 })).text).toContain('\nblocked by: 2 (OPEN)\n');
    expect(await say('<W:Rest after="Write, then read"></W>')).toMatch(/\nBlocked by: 3 \(OPEN\)$/);
    expect(await say('<W:Both after="1, Deploy"></W>')).toMatch(/\nBlocked by: 1 \(OPEN\), 4 \(BLKD\)$/);
    expect((await send('<E:6 parent=#3>')).ok).toBe(true);
  });

  it('is an unfinished one before a finished one of the same title', async () => {
    const { say } = await openTasks();
    for (const tag of ['<W:Test></W>', '<E:1 status=done>', '<W:Test></W>', '<W:Old></W>', '<E:3 status=done>'])
      await say(tag);
    expect(await say('<W:Deploy after=Test></W>')).toBe('Created task 4: Deploy\nBlocked by: 2 (OPEN)');
    expect(await say('<W:Celebrate after=Old></W>')).toBe('Created task 5: Celebrate');
  });

  it('is asked for with the call that shows all that begin so', async () => {
    const { say } = await openTasks();
    for (let count = 0; count < 4; count++) await say('<W:Fix log rotation></W>');
    expect(await say('<W:New after="Fix log"></W>')).toContain('Fix log rotation, and 1 more: <G:Fix log*>. Say which');
    expect(await say('<G:Fix log*>')).toMatch(/^4 tasks:\n/);
  });

  it('is asked for when more than one begins so, or none does', async () => {
    const { say } = await openTasks();
    for (const tag of ['<W:Fix login></W>', '<W:Fix logout></W>', '<W:100% done?></W>']) await say(tag);
    const usage = await say('<W:New after="Fix log"></W>');
    expect(usage).toMatch(
      /^ResourceError: more than one task is called "Fix log", or begins so: 1 \(OPEN\) Fix login, 2 \(OPEN\) Fix logout\. Say which by its id\.\n- after: expected the id or title of a task; got "Fix log"\nUsage: .*\nTry: <R:1>\nTry: <R:>$/,
    );
    expect(await say('<E:3 parent="Fix logins">')).toMatch(
      /^ResourceError: no task is called "Fix logins"\. Near: 1 \(OPEN\) Fix login, 2 \(OPEN\) Fix logout\.\n- parent: /,
    );
    expect(await say('<W:New after=Zzz></W>')).toMatch(
      /^ResourceError: no task is called "Zzz"\. No title resembles it\.\n.*\n.*\nTry: <R:all:>$/,
    );
    expect(await say('<W:New parent="100%"></W>')).toMatch(/\nParent: 3 \(OPEN\)$/);
    expect(await say('<W:Next parent="10_%"></W>')).toMatch(/^ResourceError: no task is called "10_%"/);
  });
});

describe('a new task with a status', () => {
  it('is one that is already begun or done', async () => {
    const { say } = await openTasks();
    expect(await say('<W:Read the code status=done></W>')).toBe('Created task 1: Read the code (done)');
    expect(await say('<W:Fix it status=in_progress after=1></W>')).toBe('Created task 2: Fix it (in_progress)');
    expect(await say('<W:Test it status=open after=2></W>')).toMatch(/^ResourceError: the new task is blocked by 2 /);
    expect(await say('<R:all:>')).toBe(
      'Tasks all:\n2 tasks:\n2 | PROG | 0.0.0 | Fix it\n1 | DONE | 0.0.0 | Read the code',
    );
    expect(await say('<R:history:1>')).toMatch(/ agent status: open -> done\n.* agent created: Read the code$/);
  });

  it('obeys the rules of an edit', async () => {
    const { say } = await openTasks();
    expect(await say('<W:Deploy gated=true status=done></W>')).toBe(
      'Created task 1: Deploy\nTask 1 is user-gated: ask the user to confirm with done 1 (bae tasks done 1).',
    );
    const refused = await say(`<W:Big priority=1.0.0 status=done>\n${PLAN}\n</W>`);
    expect(refused).toContain('makes a major that is done, whose body needs assumptions, ');
    expect(refused).toContain('(missing: outcome, confidence, retrospective); 1 alone is only urgency.\n');
    expect(await say(/Try: (<W:Big priority=1\.0\.0 status=done>.*)$/s.exec(refused)![1]!)).toBe(
      'Created task 2: Big (done)',
    );
    expect(await say('<W:Next after=1 status=done></W>')).toMatch(
      /^ResourceError: the new task is blocked by 1 \(OPEN\)\.\n- status: .*\nUsage: .*\nTry: <R:1>\nTry: <W:Next after=1><\/W>$/,
    );
    expect(await say('<R:>')).toBe('Active tasks\n1 task:\n1 | OPEN | 0.0.0 | Deploy');
  });
});
