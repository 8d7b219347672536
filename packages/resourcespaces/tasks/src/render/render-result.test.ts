import { describe, expect, it } from 'vitest';
import { clockAt, openTasks, PLAN } from '../../test/open-tasks.ts';

const clock = clockAt('2026-11-20T10:00:00Z');
const open = (caller: 'agent' | 'user' = 'agent', file?: string) =>
  openTasks({ caller, now: clock.now, ...(file !== undefined && { file }) });

describe('a task', () => {
  it('is shown with everything around it', async () => {
    const { say } = await open();
    await say(`<W:Login priority=1.0.0 tags="auth, ui">\n${PLAN}\n</W>`);
    await say('<W:Form priority=1.1.0></W>');
    await say('<W:Read the docs></W>');
    await say('<E:3 status=done>');
    await say('<W:Session priority=1.2.0 after="2, 3" gated=true metadata={"url":"x"}>\nKeep it.\n</W>');
    await say('<W:Announce after=4></W>');
    await say('<E:4 tags="+auth">');
    expect(await say('<R:4>')).toMatchInlineSnapshot(`
      "Task 4: Session
      status: BLKD  priority: 1.2.0 (minor)  gated: yes  version: 2
      tags: auth
      parent: 1 (OPEN) Login
      blocked by: 2 (OPEN)
      after: 3 (DONE)
      blocking: 5 (BLKD)
      metadata: {"url":"x"}
      created: 2026-11-20 10:00 by agent  updated: 2026-11-20 10:00
      changes: 2
        2026-11-20 10:00 agent tags: (none) -> auth
        2026-11-20 10:00 agent created: Session

      Keep it."
    `);
    expect(await say('<R:1>')).toContain('\ntags: auth, ui\nchildren: 2 (OPEN), 4 (BLKD)\n');
  });

  it('mentions only some of many parts', async () => {
    const { say } = await open();
    await say('<W:Whole></W>');
    for (let index = 0; index < 14; index++) await say('<W:Part parent=1></W>');
    expect(await say('<R:1>')).toContain(', 13 (OPEN), and 2 more: <R:parent:1 all:>\n');
  });

  it('has a long body whole when it is read, and not when it is changed', async () => {
    const { say, send } = await open();
    await say(`<W:Long>\n${'word '.repeat(300)}\n</W>`);
    expect(await say('<E:1 status=in_progress>')).toBe(
      'Task 1 is in_progress.\nTask 1 | PROG | 0.0.0 | Long  status: open -> in_progress  version: 2',
    );
    expect((await send('<R:1>')).text).toContain(`\n\n${'word '.repeat(300)}`);
  });

  it('shows its latest changes, and all of them in its history', async () => {
    const { say } = await open();
    await say('<W:First>\nOne\ntwo.\n</W>');
    for (const status of ['in_progress', 'open', 'in_progress']) await say(`<E:1 status=${status}>`);
    await say('<E:1 title="First of all">\nThree.\n</E>');
    expect(await say('<R:1>')).toContain('\nchanges: 6, latest 5; all: <R:history:1>\n');
    expect(await say('<R:history:1>')).toMatchInlineSnapshot(`
      "History of task 1, newest first
      2026-11-20 10:00 agent body: One two. -> Three.
      2026-11-20 10:00 agent title: First -> First of all
      2026-11-20 10:00 agent status: open -> in_progress
      2026-11-20 10:00 agent status: in_progress -> open
      2026-11-20 10:00 agent status: open -> in_progress
      2026-11-20 10:00 agent created: First"
    `);
    for (let index = 0; index < 40; index++) await say(`<E:1 title="Title ${index}">`);
    expect(await say('<R:history:1>')).toMatch(/\n\[changes 1-40 of 46; next: <R:history:1 from=41>\]$/);
    expect(await say('<R:history:1 from=41>')).toMatch(/created: First\n\[changes 41-46 of 46\]$/);
    expect(await say('<R:history:1 from=99>')).toContain('(no change 99; from the newest: <R:history:1>)');
  });
});

describe('a change', () => {
  it('lists the tasks that are open now', async () => {
    const { say } = await open();
    await say('<W:First></W>');
    for (const title of ['Second', 'Third']) await say(`<W:${title} after=1></W>`);
    expect(await say('<E:1 status=done>')).toMatch(/^Task 1 is done\. Unblocked: 2, 3\n/);
    expect(await say('<E:2 title="Second">')).toMatch(
      /^Nothing changed\.\nTask 2 \| OPEN \| 0\.0\.0 \| Second {2}version: 2$/,
    );
  });

  it('lists the parts that a cancelled task leaves', async () => {
    const { say } = await open();
    await say('<W:Whole></W>');
    await say('<W:Part parent=1></W>');
    expect(await say('<E:1 status=cancelled>')).toMatch(/^Task 1 is cancelled\. Unfinished parts stay: 2 \(OPEN\)\n/);
  });

  it('shows a gate to both sides', async () => {
    const agent = await open();
    const user = await open('user', agent.file);
    await user.say('<W:Deploy gated=true></W>');
    expect(await agent.say('<E:1 status=done>')).toMatch(
      /^Task 1 is user-gated: ask the user to confirm with done 1 \(bae tasks done 1\)\.\nTask 1 \| OPEN \| 0\.0\.0 \| Deploy {2}pending: \(none\) -> done {2}version: 2$/,
    );
    expect(await agent.say('<E:1 status=cancelled>')).toMatch(
      /^Task 1 is user-gated: ask the user to cancel it \(bae tasks edit 1 status=cancelled\)\.\n/,
    );
    expect(await user.agent.describe(['tasks'])).toContain('\nWaiting for the user to confirm: 1\n');
    expect(await user.say('<E:1 status=done>')).toMatch(/^Task 1 is done\.\n/);
  });

  it('names only unfinished tasks as blocking, and no tags that are unlike a new one', async () => {
    const { say } = await open();
    await say('<W:First tags=routes></W>');
    await say('<W:Second></W>');
    await say('<E:1 status=done>');
    expect(await say('<W:Third tags=loadtest after="1,2"></W>')).toBe('Created task 3: Third\nBlocked by: 2 (OPEN)');
  });

  it('says where a file is written, when a title is the path of one', async () => {
    const { say } = await open();
    expect(await say('<W:docs/guide.md>Text</W>')).toBe(
      'Created task 1: docs/guide.md\nThis is a task. A file is written at home: <home.W:docs/guide.md>…</home.W>',
    );
    expect(await say('<W:Write docs/guide.md>Text</W>')).toBe('Created task 2: Write docs/guide.md');
    expect(await say('<W:Release 1.2.3>Text</W>')).toBe('Created task 3: Release 1.2.3');
    expect(await say('<W:v1.2.3>Text</W>')).toBe('Created task 4: v1.2.3');
  });

  it('asks whether a new tag was meant', async () => {
    const { say } = await open();
    expect(await say('<W:First tags="auth, ui"></W>')).toBe('Created task 1: First');
    expect(await say('<W:Second tags=authn></W>')).toBe(
      'Created task 2: Second\nNew tag: authn. Existing: auth, ui. Did you mean auth?',
    );
    expect(await say('<E:1 tags=+docs>')).toMatch(
      /^Changed tags of task 1\.\nTask 1 \| OPEN \| 0\.0\.0 \| First \| auth, docs, ui {2}tags: auth, ui -> auth, docs, ui {2}version: 2$/,
    );
    expect(await say('<W:Third tags=docs></W>')).toBe('Created task 3: Third');
  });
});

describe('the state of the space', () => {
  it('counts, and names what is stale', async () => {
    clock.set('2026-11-01T10:00:00Z');
    const { say, agent } = await open();
    await say('<W:First></W>');
    await say('<W:Second after=1></W>');
    clock.set('2026-11-16T10:00:00Z');
    await say('<W:Third></W>');
    await say('<E:3 status=in_progress>');
    expect(await agent.describe(['tasks'])).toContain(
      '\nopen: 1  in_progress: 1  blocked: 1\nStale: 2 tasks with no activity for 14+ days\n',
    );
    expect(await say('<R:stale:>')).toBe(
      'Tasks stale:\n2 tasks:\n1 | OPEN | 0.0.0 | First\n2 | BLKD | 0.0.0 | Second | waits for 1',
    );
  });
});
