import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BaeError } from '@bae/core';
import { TaskClient } from '@bae/tasks';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { TASK_COMMANDS, parseTaskRequest } from './tasks.ts';

const folder = mkdtempSync(join(tmpdir(), 'bae-commands-'));
const client = new TaskClient({ file: join(folder, 'tasks.db'), caller: 'user' }, TASK_COMMANDS);
afterAll(async () => {
  await client.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Splits a command as a shell does, and leaves out `bae tasks`; a document behind it is its body. */
function readCommand(command: string): readonly string[] {
  const [line = '', ...document] = command.split(/ <<'END'\n|\nEND$/);
  const words = Array.from(line.matchAll(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g), ([word]) =>
    word.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2'),
  );
  return words.slice(2).map((word) => (word === 'body=-' ? `body=${document[0]}` : word));
}

/** Runs a command and returns its error, with the first command that it suggests; undefined if it succeeds. */
async function runCommand(words: readonly string[]) {
  const { tool, args, most } = parseTaskRequest(words);
  try {
    await client.call(tool, args, most);
    return undefined;
  } catch (error) {
    if (!BaeError.is(error)) throw error;
    return { name: error.name, message: error.message, suggested: error.hints[0] };
  }
}

const FIELDS = {
  status: ['open', 'in_progress'],
  priority: ['2', '1-9'],
  tags: ['auth,ui', '+docs'],
  title: ['Fix it', "it's"],
  gated: ['true', 'maybe'],
  version: ['1', 'x'],
  from: ['1', 'many'],
  stauts: ['done'],
  prioriyt: ['3'],
  zzz: ['1'],
} as const;
const field = fc
  .constantFrom(...Object.entries(FIELDS))
  .chain(([name, values]) => fc.constantFrom(...values, 'opne', '').map((value) => `${name}=${value}`));
const command = fc.tuple(
  fc.constantFrom(['edit', '1'], ['done', '1'], ['add', 'Fix login'], ['list'], ['grep', 'login'], ['history', '1']),
  fc.uniqueArray(field, { minLength: 1, maxLength: 3, selector: (one) => one.split('=', 1)[0] }),
);

describe('a command with something wrong in it', () => {
  it('is answered with one whose arguments are right', async () => {
    await client.call('write', { title: 'Fix login' });
    const refused: string[] = [];
    await fc.assert(
      fc.asyncProperty(command, async ([words, fields]) => {
        const error = await runCommand([...words, ...fields]);
        if (error?.name !== 'ParameterError') return;
        refused.push(error.message);
        const second = await runCommand(readCommand(error.suggested ?? ''));
        // Whether the task may be changed so is another matter.
        const problem = second?.name === 'ParameterError' ? second.message : undefined;
        expect([error.suggested, problem]).toEqual([error.suggested, undefined]);
      }),
      { numRuns: 200 },
    );
    expect(refused.length).toBeGreaterThan(50);
  });

  it('keeps what was right in it', async () => {
    expect(await runCommand(['edit', '1', 'status=opne', 'tags=a,b'])).toMatchObject({
      suggested: 'bae tasks edit 1 status=open tags=a,b',
    });
  });
});
