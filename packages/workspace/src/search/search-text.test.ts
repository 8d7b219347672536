import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeOutcome } from '../../test/describe-outcome.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { getWorkspace, provideWorkspace } from '../provide-workspace.ts';

const PIECES = ['a', 'é', 'B', String.raw`\d`, String.raw`\w+`, '(a|b)', '[^a]', '.*', '^', '$', '(?i)', 'b{2,3}', '|', String.raw`\b`, '.', '?', '(', ')', '[', String.raw`\pL`, '(?=a)', String.raw`\s`]; // prettier-ignore
const PATTERN = fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 5 }).map((pieces) => pieces.join(''));
const LINE = fc.array(fc.constantFrom('a', 'b', 'B', 'é', 'É', ' ', '1', 'ab', '٣', '\r'), { maxLength: 8 });
const TEXT = fc.array(LINE, { maxLength: 8 }).map((lines) => lines.map((line) => line.join('')).join('\n'));
const { signal } = new AbortController();

const compareWithFiles = async (engine: { readonly ripgrep?: null }, numRuns: number) => {
  const workspace = provideWorkspace(temporaryFolder(), { ...engine, searchMs: 600_000 });
  const root = getWorkspace(new Map([[workspace.token, workspace.value]]));
  const property = fc.asyncProperty(PATTERN, TEXT, async (pattern, text) => {
    const file = root.open('a.txt');
    await root.write('a.txt', text);
    const inFile = await describeOutcome(async () =>
      (await root.grep({ pattern, path: file.info.path, limit: 1000 })).rows.map(({ line }) => line),
    );
    const inText = await describeOutcome(
      async () => (await workspace.findLines!(text, { argument: pattern, signal })).lines,
    );
    expect(inText).toBe(inFile);
  });
  await fc.assert(property, { numRuns });
};

describe('a text that is no file', () => {
  it('has the rows that a file has', { tags: ['long'] }, () => compareWithFiles({}, 20));

  // The other engine starts a thread for each search.
  it.each([
    ['ripgrep', {}, 500],
    ['the other engine', { ripgrep: null } as const, 20],
  ])('has the rows that a file has, with %s', { tags: ['long'] }, (_, engine, numRuns) =>
    compareWithFiles(engine, numRuns),
  );

  it('has rows without number, and ends a search that takes too long', async () => {
    const { findLines } = provideWorkspace(temporaryFolder(), { ripgrep: null, searchMs: 100 });
    const many = 'a\n'.repeat(3000);
    expect((await findLines!(many, { argument: 'a', signal })).lines).toHaveLength(3000);
    const slow = `${'a'.repeat(60_000)}\n`.repeat(500);
    expect(
      await describeOutcome(() => findLines!(slow, { argument: '(a?){200}(a{2,100}(bbb)?){5}[^a]', signal })),
    ).toMatch(/^TimeoutError: grep exceeded 0\.1s\./);
  });

  it('is searched for a quoted text, and without the flags of other programs', async () => {
    const { findLines } = provideWorkspace(temporaryFolder());
    const find = async (argument: string) => (await findLines!('Two words\nwords two\n', { argument, signal })).lines;
    expect(await find('"words two"')).toEqual([2]);
    expect(await find('-i WORDS TWO')).toEqual([2]);
    expect(await find('two words')).toEqual([]);
  });
});
