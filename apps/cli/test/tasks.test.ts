import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runBae } from './run-bae.ts';

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'bae-tasks-'));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

const PLAN = `\
<assumptions><claim risk="low">x</claim></assumptions>
<reasoning>x</reasoning>
<background_research><finding claim="x" source="x" verified="yes"/></background_research>
<acceptance_criteria>x</acceptance_criteria>`;

/** What is asked for, line by line, and what the first lines of its answer are. */
const SESSION: readonly (readonly [text: string, answer: string])[] = [
  ['@tasks()', 'Entering tasks\nhome > tasks -- '],
  ['{"name":"write","arguments":{"title":"First"}}', 'Created task 1: First'],
  [
    '<W:Big priority=1.0.0>\nno sections\n</W>',
    'ParameterError: priority 1.0.0 makes a major, whose body needs assumptions, reasoning, background_research, acceptance_criteria (missing: all); 1 alone is only urgency.\nTry: <W:Big priority=1></W>\nTry: ',
  ],
  [`<W:Big priority=1.0.0>\n${PLAN}\n</W>`, 'Created task 2: Big'],
  ['<W:Part priority=1.1.0></W>', 'Created task 3: Part\nParent: 2 (OPEN)'],
  ['<E:3 after=1>', 'Task 3 is blocked.\nTask 3 | BLKD | 1.1.0 | Part | waits for 1  status: open -> blocked; '],
  ['<E:3 status=done>', 'ResourceError: task 3 is blocked by 1 (OPEN).\n'],
  ['<E:1 status=done>', 'Task 1 is done. Unblocked: 3\n'],
];

/** The same in a process of its own, later. */
const NEXT: readonly (readonly [text: string, answer: string])[] = [
  ['@tasks()', 'Entering tasks\nhome > tasks -- '],
  ['<R:>', 'Active tasks\n2 tasks:\n3 | OPEN | 1.1.0 | Part\n2 | OPEN | 1.0.0 | Big | 1 part to do'],
  [
    '<E:2 status=done>',
    'ResourceError: task 2 cannot be done yet.\nmissing sections: outcome, confidence, retrospective\nunfinished children: 3 (OPEN)\n',
  ],
  ['<E:1 status=open>', 'ResourceError: task 1 is done (final). Create a new task.\n'],
  ['<Grep:par>', '1 match:\n#1 3 | OPEN | 1.1.0 | Part'],
  [
    '<R:status:bogus>',
    'ParameterError: tool \'read\' parameter error (1 problem)\n- target: expected status: followed by one or more of in_progress, open, blocked, done, cancelled; got "status:bogus"\n',
  ],
];

async function answers(
  lines: readonly (readonly [string, string])[],
  args: readonly string[],
): Promise<readonly string[]> {
  const input = lines.map(([text]) => `${JSON.stringify({ text })}\n`).join('');
  const { out } = await runBae(['do', '--json', ...args], { cwd, input });
  const reports = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { results: { text: string }[] });
  return reports.map(({ results }, index) => results[0]!.text.slice(0, lines[index]![1].length));
}

describe('tasks', () => {
  it('are worked on by a program, and are there after a restart', async () => {
    expect(await answers(SESSION, ['--yes'])).toEqual(SESSION.map(([, answer]) => answer));
    expect(await answers(NEXT, ['--yes'])).toEqual(NEXT.map(([, answer]) => answer));
    const { out } = await runBae(['tasks'], { cwd });
    expect(out).toBe('ID  STATUS  PRIORITY  TITLE  TAGS\n 3  OPEN    1.1.0     Part\n 2  OPEN    1.0.0     Big\n');
  });

  it('are changed by an agent only with consent, by a person at once', async () => {
    const input = '<tasks.W:First></W>\n';
    const refused = await runBae(['do'], { cwd, input });
    expect(refused.out).toContain(
      "write was not run: it has the effect 'write', and no one is available to approve it.",
    );
    expect(refused.out).toContain('{"approve":[{"space":"tasks","tool":"write","decision":"allow"}]}');
    expect(await runBae(['tasks'], { cwd })).toMatchObject({ out: '(no tasks) bae tasks add "…" makes one.\n' });
    expect(await runBae(['tasks', 'add', 'First'], { cwd })).toMatchObject({ code: 0, out: 'Created task 1: First\n' });
    expect((await runBae(['do'], { cwd, input: '<tasks.R:>\n' })).out).toContain('1 | OPEN | 0.0.0 | First');
  });

  it('behind a gate are finished by a person alone', async () => {
    await runBae(['tasks', 'add', 'Deploy', 'gated=true'], { cwd });
    const { out } = await runBae(['do', '--yes'], { cwd, input: '<tasks.E:1 status=done>\n' });
    expect(out).toContain('\nTask 1 is user-gated: ask the user to confirm with done 1 (bae tasks done 1).\n');
    expect((await runBae(['tasks'], { cwd })).out).toContain(
      '\nTask 1 waits for you to confirm it: bae tasks done 1\n',
    );
    expect((await runBae(['tasks', 'done', '1'], { cwd })).out).toMatch(/^Task 1 is done\.\n/);
  });
});
