import { describe, expect, it } from 'vitest';
import { openTasks, type OpenTasks, OUTCOME, PLAN } from '../../test/open-tasks.ts';

/** Tasks that can break every rule. */
async function manyKinds(): Promise<OpenTasks> {
  const tasks = await openTasks();
  const user = await openTasks({ file: tasks.file, caller: 'user' });
  await tasks.say('<W:First></W>');
  await tasks.say(`<W:Big priority=1.0.0>\n${PLAN}\n</W>`);
  await tasks.say('<W:Part priority=1.1.0 after=1></W>');
  await tasks.say('<W:Finished></W>');
  await tasks.say('<E:4 status=done>');
  await user.say('<W:Deploy gated=true></W>');
  return tasks;
}

/** Every kind of problem: the call that causes it, and the first words of its error. */
const PROBLEMS: readonly (readonly [tag: string, firstWords: string])[] = [
  ['<R:99>', 'ResourceError: no task 99. Their ids go from 1 to 5.'],
  ['<R:history:99>', 'ResourceError: no task 99.'],
  ['<E:99 status=done>', 'ResourceError: no task 99.'],
  ['<E:1 after=99>', 'ResourceError: no task 99.'],
  ['<W:New parent=99></W>', 'ResourceError: no task 99.'],
  ['<E:4 status=open>', 'ResourceError: task 4 is done (final). Create a new task.'],
  ['<E:4 title="Other">', 'ResourceError: task 4 is done (final). Create a new task.'],
  ['<W:New parent=4></W>', 'ResourceError: task 4 is done (final). Create a new task.'],
  ['<E:3 status=done>', 'ResourceError: task 3 is blocked by 1 (OPEN).'],
  ['<E:3 status=in_progress>', 'ResourceError: task 3 is blocked by 1 (OPEN).'],
  ['<E:2 status=done>', 'ResourceError: task 2 cannot be done yet.'],
  ['<W:New priority=2.0.0>\nWhy not.\n</W>', 'ParameterError: priority 2.0.0 makes a major, whose body needs '],
  ['<E:1 priority=2.0.0>', 'ParameterError: priority 2.0.0 makes a major, whose body needs '],
  ['<W:New priority=2.1></W>', 'ResourceError: priority 2.1.0 is a minor of 2.0.0, and no unfinished task is that '],
  ['<W:New priority=1.2.1></W>', 'ResourceError: priority 1.2.1 is a patch of 1.2.0, and no unfinished task is that '],
  ['<E:1 priority=2.1.0>', 'ResourceError: priority 2.1.0 is a minor of 2.0.0, and no unfinished task is that '],
  ['<E:1 after=1>', 'ResourceError: cycle: 1 -> 1'],
  ['<E:1 after=3>', 'ResourceError: cycle: 1 -> 3 -> 1'],
  ['<E:2 parent=3>', 'ResourceError: cycle: 3 -> 2 -> 3'],
  ['<E:1 version=7 title="x">', 'ConflictError: task 1 is at version 1, not 7: it was changed since.'],
  ['<E:5 gated=false>', 'ResourceError: task 5 (OPEN) is user-gated; only the user can take that back'],
];

describe('every problem of a call', () => {
  it.each(PROBLEMS)('is told in full for %s', async (tag, firstWords) => {
    const tasks = await manyKinds();
    const { ok, text } = await tasks.send(tag);
    expect(ok).toBe(false);
    expect(text.startsWith(firstWords)).toBe(true);
    // The field at fault, what was expected and what was sent; how the tool is called; what to do next.
    if (/: priority \d/.test(firstWords)) {
      expect(text.split('\n')[1]).toMatch(/^Try: </);
      return;
    }
    expect(text).toMatch(
      /\n- (target|id|status|parent|after|priority|body|title|version|gated): expected .+; got .+\n/,
    );
    expect(text).toMatch(/\nUsage: (read|write|edit)\(.+\)\n/);
    expect(text).toMatch(/\nTry: <.+>/s);
  });

  it.each(PROBLEMS)('offers a tag that works for %s', async (tag) => {
    const tasks = await manyKinds();
    const next = /\nTry: (.*)$/s.exec(await tasks.say(tag))![1]!;
    for (const one of next.split(/, (?=<[RWE]:)/))
      expect(await (await sameTasks(tasks)).say(one)).not.toMatch(/^\w+Error: /);
  });

  it('shows the sections that a major needs, to fill in', async () => {
    const { say } = await openTasks();
    expect(await say('<W:Big priority=1.0.0>\nno sections\n</W>')).toMatchInlineSnapshot(`
      "ParameterError: priority 1.0.0 makes a major, whose body needs assumptions, reasoning, background_research, acceptance_criteria (missing: all); 1 alone is only urgency.
      Try: <W:Big priority=1></W>
      Try: <W:Big priority=1.0.0>
      no sections
      <assumptions><claim risk="low">what is taken for granted</claim></assumptions>
      <reasoning>why this, and why in this way</reasoning>
      <background_research><finding claim="what is so" source="where it says so" verified="yes"/></background_research>
      <acceptance_criteria>how to tell that it is done</acceptance_criteria>
      </W>"
    `);
  });

  it('lists the sections that a major still needs, and its unfinished parts', async () => {
    const { say } = await manyKinds();
    expect(await say('<E:2 status=done>')).toMatchInlineSnapshot(`
      "ResourceError: task 2 cannot be done yet.
      missing sections: outcome, confidence, retrospective
      unfinished children: 3 (BLKD)
      - status: expected done only when nothing of this is left; got "done"
      Usage: edit(id: int, title?: string, status?: open|in_progress|done|cancelled, priority?: string, tags?: string[], parent?: int|none|string, after?: string[], gated?: boolean, metadata?: json, version?: int, body?: string)
      Try: <R:parent:2>
      Try: <E:2>
      <outcome>what came of it</outcome>
      <confidence>how sure this is, and why</confidence>
      <retrospective>what to do differently next time</retrospective>
      </E>"
    `);
    for (const tag of ['<E:1 status=done>', '<E:3 status=done>', `<E:2>\n${OUTCOME}\n</E>`]) await say(tag);
    expect(await say('<E:2 status=done>')).toMatch(/^Task 2 is done\./);
  });

  it('lists the majors where a parent is missing', async () => {
    const { say } = await manyKinds();
    expect(await say('<W:New priority=2.1.0></W>')).toBe(
      'ResourceError: priority 2.1.0 is a minor of 2.0.0, and no unfinished task is that (majors: 1.0.0 (task 2: Big)); 2 alone is only urgency.\n' +
        'Try: <W:New priority=2.1.0 parent=2></W>\nTry: <W:New priority=1.1.0></W>',
    );
    const { say: sayInEmpty } = await openTasks();
    expect(await sayInEmpty('<W:New priority=2.1></W>')).toBe(
      'ResourceError: priority 2.1.0 is a minor of 2.0.0, and no unfinished task is that (majors: none yet); 2 alone is only urgency.\n' +
        'Try: <W:New priority=2></W>',
    );
  });

  it('asks which parent where there are two', async () => {
    const { say } = await manyKinds();
    await say(`<W:Big, too priority=1.0.0>\n${PLAN}\n</W>`);
    expect(await say('<W:New priority=1.2.0></W>')).toMatch(
      /^ResourceError: priority 1\.2\.0 is a minor of 1\.0\.0, and more than one unfinished task is that: 2 \(OPEN\), 6 \(OPEN\)\. Say which with parent=ID\.\nTry: <W:New priority=1\.2\.0 parent=2><\/W>$/,
    );
  });

  it('shows the task as it is after a conflict', async () => {
    const { say } = await manyKinds();
    await say('<E:1 title="First of all">');
    expect(await say('<E:1 version=1 title="Other">')).toContain(
      'Nothing of the edit was done.\nTask 1: First of all\nstatus: OPEN  priority: 0.0.0  gated: no  version: 2\n',
    );
  });

  it('does not repeat a long text, nor a title that cannot stand in a tag', async () => {
    const { call } = await openTasks();
    const { text } = await call('write', { title: 'a <b> = c', priority: '1.0.0', body: 'long '.repeat(1000) });
    expect(text.length).toBeLessThan(1400);
    expect(text).not.toContain('long long');
    expect(text).toContain(
      'Try: {"name":"write","arguments":{"title":"Title","priority":"1.0.0","body":"<assumptions>',
    );
  });
});

/** Another session over the same tasks, so that a tag is tried on its own. */
function sameTasks({ file }: OpenTasks): Promise<OpenTasks> {
  return openTasks({ file });
}
