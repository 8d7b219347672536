import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { asModelText } from '@bae/core';
import { WorkspaceRoot } from '@bae/workspace';
import { describe, expect, it, vi } from 'vitest';
import { openPlace, temporaryFolder, type Files } from '../test/open-commands.ts';
import { TerminalSpace } from './commands-space.ts';
import { ScriptsSpace } from './scripts/scripts-space.ts';

/** A limited command cannot change protected files, nor remove the workspace. */
const FREE = { limits: { limits: false } };
type Options = NonNullable<Parameters<typeof openPlace>[2]>;

function open(files: Files, space: typeof TerminalSpace | typeof ScriptsSpace = TerminalSpace, options: Options = {}) {
  const folder = temporaryFolder(files);
  return {
    ...openPlace(space, folder, { journal: 'disk', ...options }),
    content: (path: string) => (existsSync(join(folder, path)) ? readFileSync(join(folder, path), 'utf8') : undefined),
    /** Undoes the last change as a later process, and returns the files. */
    undo: async () => {
      using workspace = new WorkspaceRoot(folder, { journal: 'disk' });
      const { undone, problem } = await workspace.undo();
      return problem === undefined ? undone.map(({ path }) => path).toSorted() : problem.message;
    },
  };
}

describe('the files that a command changes', () => {
  it('are undone together, also by a later process', async () => {
    const { send, undo, content, folder } = open({ 'a.sh': 'one\r\n', 'b.txt': '1' });
    chmodSync(join(folder, 'a.sh'), 0o750);
    expect(await send('<sh:>\nprintf two > a.sh; chmod 644 a.sh; rm b.txt; mkdir d; echo > d/c.txt\n</sh>')).toMatch(
      /^exit 0, \S+ s\nchanged 3 files: a\.sh, b\.txt \(gone\), d\/c\.txt$/,
    );
    expect(await undo()).toEqual(['a.sh', 'b.txt', 'd/c.txt']);
    expect(['a.sh', 'b.txt'].map(content)).toEqual(['one\r\n', '1']);
    expect(statSync(join(folder, 'a.sh')).mode & 0o777).toBe(0o750);
    expect(existsSync(join(folder, 'd'))).toBe(false);
  });

  it('are said not to be undone where they are not kept', async () => {
    const { send, undo, content } = open({ '.env': '1', 'a.txt': '1' }, TerminalSpace, FREE);
    expect(await send(`<sh:>\nprintf 2 > .env; printf 2 > a.txt; truncate -s 51M big.bin\n</sh>`)).toMatch(
      /\nchanged 3 files: \.env, a\.txt, big\.bin\ncannot be undone: \.env \(it may hold passwords\), big\.bin \(it has 51 MB, and at most 50 MB are kept in all\)$/,
    );
    expect(await undo()).toEqual(['a.txt']);
    expect(['.env', 'a.txt'].map(content)).toEqual(['2', '1']);
  });

  it('are not looked for where the command is known to only read', async () => {
    const { send, folder } = open({ 'a.txt': '1' });
    await send('<exec:cat a.txt>');
    await send('<sh:ls | wc -l>');
    expect(existsSync(join(folder, '.bae'))).toBe(false);
    await send('<exec:touch a.txt>');
    expect(existsSync(join(folder, '.bae'))).toBe(true);
  });

  it('are undone when the command was cancelled', async () => {
    const { agent, undo, content, entered } = open({ 'a.txt': '1' });
    await entered;
    const stop = new AbortController();
    const run = agent.run(asModelText(`<sh:printf 2 | tee a.txt; sleep 1000>`), { signal: stop.signal });
    await vi.waitUntil(() => content('a.txt') === '2', { timeout: 60_000 });
    stop.abort();
    await expect(run).rejects.toThrow();
    await agent.close();
    expect(await undo()).toEqual(['a.txt']);
    expect(content('a.txt')).toBe('1');
  });

  it('are undone when it reached its time limit', { tags: ['long'] }, async () => {
    const { send, undo } = open({ 'a.txt': '1' });
    expect(await send('<sh:printf 2 | tee a.txt; sleep 1000 timeout=1>')).toMatch(
      /^killed, .*\n2.*\nchanged 1 file: a\.txt$/,
    );
    expect(await undo()).toEqual(['a.txt']);
  });
});

it('a command that removes the whole workspace is answered, also in the background', async () => {
  const { send } = open({ 'a.txt': '1' }, TerminalSpace, FREE);
  const remove = 'echo gone; sh -c \'rm -rf "$PWD"\'';
  expect(await send(`<sh:>\n${remove}\n</sh>`)).toMatch(
    /\ngone\nwhat it changed is not known: the workspace .* is gone/,
  );
  const other = open({ 'a.txt': '1' }, TerminalSpace, FREE);
  await other.send(`<sh:background=true>\n${remove}\n</sh>`);
  await vi.waitUntil(async () => /what it changed is not known: /.test(await other.send('<tail:1>')), {
    timeout: 60_000,
  });
});

describe('the files that a command in the background changes', () => {
  const WAITING = 'while :; do sleep 0.01; done';

  it('are listed and undone once it is stopped', async () => {
    const { send, undo, content } = open({ 'a.txt': '1', 'b.txt': '1' });
    await send(`<sh:printf 2 | tee a.txt; ${WAITING} background=true>`);
    await vi.waitUntil(() => content('a.txt') === '2', { timeout: 60_000 });
    await send('<sh:printf 2 | tee b.txt>');
    expect(await send('<tail:1>')).toMatch(/\n2$/);
    expect(await send('<stop:1>')).toMatch(/^1: .*\(killed, \S+ s\)\n2.*\nchanged 1 file: a\.txt$/);
    expect(await send('<tail:1>')).toMatch(/\nchanged 1 file: a\.txt$/);
    expect(await undo()).toEqual(['a.txt']);
    expect(await undo()).toEqual(['b.txt']);
    expect(['a.txt', 'b.txt'].map(content)).toEqual(['1', '1']);
  });

  it('are listed and undone when it ends by itself', async () => {
    const { send, undo } = open({ 'a.txt': '1' });
    await send('<sh:printf 2 | tee a.txt background=true>');
    await vi.waitUntil(async () => (await send('<tail:1>')).endsWith('changed 1 file: a.txt'), { timeout: 60_000 });
    expect(await undo()).toEqual(['a.txt']);
  });

  it('are undone when the session has ended it', async () => {
    const { send, agent, undo, content } = open({ 'a.txt': '1' });
    await send(`<sh:printf 2 | tee a.txt; ${WAITING} background=true>`);
    await vi.waitUntil(() => content('a.txt') === '2', { timeout: 60_000 });
    await agent.close();
    expect(await undo()).toEqual(['a.txt']);
  });
});

describe('the files that a script changes', () => {
  const print = (text: string, file: string) => `printf ${text} | tee ${file}`;
  const scripts = { build: print('2', 'out.txt'), lint: print('2', 'a.txt'), test: 'true' };

  it('are undone, after a check too', { tags: ['long'] }, async () => {
    const { send, undo, content } = open({ 'package.json': JSON.stringify({ scripts }), 'a.txt': '1' }, ScriptsSpace);
    expect(await send('<run_script:build>')).toMatch(/\nchanged 1 file: out\.txt$/);
    expect(await send('<check:>')).toMatch(/^ok lint .*\nok test .*\nchanged 1 file: a\.txt$/);
    expect(await undo()).toEqual(['a.txt']);
    expect(await undo()).toEqual(['out.txt']);
    expect([content('a.txt'), content('out.txt')]).toEqual(['1', undefined]);
  });

  it('are undone when it was cancelled', { tags: ['long'] }, async () => {
    const long = { build: `${print('2', 'a.txt')}; sleep 1000` };
    const files = { 'package.json': JSON.stringify({ scripts: long }), 'a.txt': '1' };
    const { agent, entered, undo, content } = open(files, ScriptsSpace);
    await entered;
    const stop = new AbortController();
    const run = agent.run(asModelText('<run_script:build>'), { signal: stop.signal });
    await vi.waitUntil(() => content('a.txt') === '2', { timeout: 10_000 });
    stop.abort();
    await expect(run).rejects.toThrow();
    await agent.close();
    expect(await undo()).toEqual(['a.txt']);
  });
});
