import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allowAll, asModelText, createAgent } from '@bae/core';
import { provideWorkspace } from '@bae/workspace';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../test/temporary-folder.ts';
import { FilesystemSpace } from './filesystem-space.ts';

type Files = Readonly<Record<string, string | Uint8Array>>;

/** An agent at home in a new folder; it executes tags as if a model had said them. */
function homeWith(files: Files = { 's.py': 'line1\nline2\nline3\nline4\nline5\n' }) {
  const folder = temporaryFolder(files);
  const agent = createAgent({ home: FilesystemSpace, provide: [provideWorkspace(folder)], approver: allowAll });
  const run = async (text: string): Promise<string> => {
    const { calls, problems } = await agent.run(asModelText(text));
    return [...calls.map(({ result }) => result.text), ...problems.map(({ message }) => message)].join('\n---\n');
  };
  const results = async (text: string) => (await agent.run(asModelText(text))).calls.map(({ result }) => result);
  return { folder, run, results, content: (path: string) => readFileSync(join(folder, path), 'utf8') };
}

const SHOWN = ' 1|line1\n-2|line2\n-3|line3\n+2|replaced\n 3|line4\n 4|line5';
const START_0 = 'RangeError: line range must be 1 ≤ start ≤ end (got 0-1).\n';

describe('tags at home', () => {
  it.each([
    ['<R:s.py:2-4>', '2|line2\n3|line3\n4|line4'],
    ['<E:s.py:2-4>', '2|line2\n3|line3\n4|line4'],
    ['<R:s.py:2:3>', '2|line2\n3|line3'],
    ['<R:s.py:5>', '5|line5'],
    ['<R:s.py:4->', '4|line4\n5|line5'],
    ['<R:s.py>', 'line1\nline2\nline3\nline4\nline5\n'],
    ['<R:s.py:4-9>', '4|line4\n5|line5\n[lines 4-5; file has 5]'],
    ['<R:s.py:9-12>', 'RangeError: s.py has 5 lines; asked for 9-12.\nTry: <R:s.py:1-5>'],
    ['<R:.>', 's.py'],
    ['<R:s.yp>', 'FileNotFoundError: s.yp. Did you mean s.py?\nTry: <R:s.py>'],
    ['<G:*.zzz>', '(no matches)'],
    ['<G:*.py>', 's.py'],
    ['<Grep:line3>', 's.py:3: line3'],
    ['<Grep:"line3" s.py>', 's.py:3: line3'],
    ['<Grep:line3 path=s.py>', 's.py:3: line3'],
    [
      '<Grep:[>',
      String.raw`PatternError: unterminated character class at 0. Quote or escape it.` + '\nTry: <Grep:\\[>',
    ],
  ])('%s reads', async (tag, text) => {
    expect(await homeWith().run(tag)).toBe(text);
  });

  it.each([
    [
      '<E:s.py:2-3>\nreplaced\n</E>',
      `Replaced lines 2-3 (2 -> 1 lines) in s.py\n${SHOWN}`,
      'line1\nreplaced\nline4\nline5\n',
    ],
    ['<E:s.py:5-5>\n</E>', 'Deleted line 5 in s.py\n 3|line3\n 4|line4\n-5|line5', 'line1\nline2\nline3\nline4\n'],
    [
      '<E:s.py:6-6>\nnew\n</E>',
      'Appended 1 line to s.py\n 4|line4\n 5|line5\n+6|new',
      'line1\nline2\nline3\nline4\nline5\nnew\n',
    ],
    ['<E:s.py:0-1>\nZ\n</E>', expect.stringContaining(START_0) as string, 'line1\nline2\nline3\nline4\nline5\n'],
    [
      '<E:s.py>\nZ\n</E>',
      expect.stringContaining('EditError: give a line range, ') as string,
      'line1\nline2\nline3\nline4\nline5\n',
    ],
    [
      '{"name": "Edit", "arguments": {"file_path": "s.py", "old_string": "line2\\nline3", "new_string": "replaced"}}',
      `Replaced lines 2-3 (2 -> 1 lines) in s.py\n${SHOWN}`,
      'line1\nreplaced\nline4\nline5\n',
    ],
  ])('%s edits', async (tag, text, after) => {
    const home = homeWith();
    await home.run('<R:s.py>');
    expect(await home.run(tag)).toEqual(text);
    expect(home.content('s.py')).toBe(after);
  });

  it.each([
    ['<W:d/n.txt>\nhello world\n</W>', 'Wrote 12 chars (1 line) to d/n.txt (new file)', 'hello world\n'],
    ['<W:d/n.txt>hello</W>', 'Wrote 5 chars (1 line) to d/n.txt (new file)', 'hello'],
    ['<W:d/n.txt>\n</W>', 'Wrote 0 chars (0 lines) to d/n.txt (new file)', ''],
    ['<W:d/n.txt>\n```js\nx\n```\n</W>', 'Wrote 12 chars (3 lines) to d/n.txt (new file)', '```js\nx\n```\n'],
  ])('%s writes', async (tag, text, after) => {
    const home = homeWith();
    expect(await home.run(tag)).toBe(text);
    expect(home.content('d/n.txt')).toBe(after);
  });

  it('takes an argument that names a file for that file', async () => {
    const home = homeWith({ 'log:1-2': 'odd\n', log: 'a\nb\nc\n' });
    expect(await home.run('<R:log:1-2>')).toBe('odd\n');
    expect(await home.run('<R:log:2-3>')).toBe('2|b\n3|c');
  });

  it('follows the tags of a long file and of a long line', async () => {
    const home = homeWith({ 'a.txt': 'x'.repeat(99).concat('\n').repeat(300), 'a.min.js': '0123456789'.repeat(500) });
    expect((await home.run('<R:a.txt>')).split('\n').at(-1)).toBe('[lines 1-40 of 300; next: <R:a.txt:41-200>]');
    expect((await home.run('<R:a.txt:41-200>')).split('\n').at(-1)).toBe(
      '[lines 41-200 of 300; next: <R:a.txt:201-300>]',
    );
    expect((await home.run('<R:a.min.js>')).split('\n').at(-1)).toBe(
      '[line 1 of 1, characters 1-4000 of 5000; next: <R:a.min.js:1@4001>]',
    );
    expect((await home.run('<R:a.min.js:1@4001>')).split('\n')[0]).toBe('0123456789'.repeat(100));
  });

  it('never lets anybody out', async () => {
    const home = homeWith();
    const tags = [
      '<R:../x>',
      '<R:/etc/passwd>',
      '<R:~/.ssh/id_rsa>',
      '<R:/proc/self/environ:1-2>',
      '<W:../x>\nx\n</W>',
      '<G:/etc/*>',
      '<Grep:root path=/etc>',
    ];
    for (const tag of tags) expect(await home.run(tag)).toMatch(/^PathError: .* is outside the workspace: .*\nTry: </);
    expect(existsSync(join(home.folder, '../x'))).toBe(false);
  });

  it('remembers what it showed, and refuses to write over what changed since', async () => {
    const home = homeWith();
    await home.run('<R:s.py>');
    const other = createAgent({ home: FilesystemSpace, provide: [provideWorkspace(home.folder)], approver: allowAll });
    await other.run(asModelText('<R:s.py>'));
    await other.run(asModelText('<E:s.py:6>\nline6\n</E>'));
    expect(await home.run('<E:s.py:1-1>\nx\n</E>')).toBe(
      'ConflictError: s.py changed since you read it (line count 5 -> 6). Re-read before editing.\nTry: <R:s.py>',
    );
  });

  it('keeps a file whole that is larger than a result may be', async () => {
    const line = 'some words in a line';
    const [result] = await homeWith({ 'a.md': `${line}\n`.repeat(150) }).results('<R:a.md>');
    const text = Array.from({ length: 150 }, (_, index) => `${index + 1}|${line}`).join('\n');
    expect(result).toMatchObject({ ok: true, text });
    expect(result).not.toHaveProperty('pruned');
  });

  it('cuts a long list of matches and names the tag of the rest', async () => {
    const [result] = await homeWith({ 'a.txt': 'a line that matches\n'.repeat(300) }).results('<Grep:matches>');
    expect(result?.rows).toBe(300);
    expect(result?.text).toMatch(/\[\d+ of 300 rows; next: <R:result:1:\d+-300>\]$/);
  });
});
