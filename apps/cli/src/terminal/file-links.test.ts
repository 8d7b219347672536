import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { put } from '../../test/scratch-folder.ts';
import { createFileLinks } from './file-links.ts';
import { paintCode } from './markdown.ts';
import { createPainter } from './terminal-text.ts';

const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'bae-links-')));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));
put(cwd, 'src/a.ts', '');
const PLACES = new Set(['source', 'source.tests']);
const addLinks = createFileLinks(() => ({ cwd, scheme: 'vscode', isPlace: (path) => PLACES.has(path) }));
const LINK = new RegExp(String.raw`\u001B\]8;;([^\u001B]+)\u001B\\([^\u001B]*)\u001B\]8;;\u001B\\`, 'g');
const COLOR = new RegExp(String.raw`\u001B\[[\d;]*m`, 'g');
const ANY_LINK = new RegExp(String.raw`\u001B\]8;;[^\u001B]*\u001B\\`, 'g');
/** The text with `[target|text]` for each link. */
const show = (text: string): string => addLinks(text).replaceAll(LINK, '[$1|$2]');

describe('links to files', () => {
  it.each([
    ['see /foo/bar.py for', 'see [vscode://file/foo/bar.py|/foo/bar.py] for'],
    ['/foo/bar.py:42:8', '[vscode://file/foo/bar.py:42:8|/foo/bar.py:42:8]'],
    ['(./a.ts:3),', `([vscode://file${join(cwd, 'a.ts')}:3|./a.ts:3]),`],
    ['in ../a.ts.', `in [vscode://file${join(cwd, '../a.ts')}|../a.ts].`],
    ['~/x.md', `[vscode://file${homedir()}/x.md|~/x.md]`],
    ['File "/me/app.py", line 10', 'File "[vscode://file/me/app.py:10|/me/app.py]", line 10'],
    ['at f (/me/a.ts:1:2)', 'at f ([vscode://file/me/a.ts:1:2|/me/a.ts:1:2])'],
    ['src/a.ts:7 and src/b.ts:7', `[vscode://file${join(cwd, 'src/a.ts')}:7|src/a.ts:7] and src/b.ts:7`],
    ['/a b/c.ts', '/a b/c.ts'],
    ['http://x.com/a.py', 'http://x.com/a.py'],
    ['https://x.com/b/a.py:3 ftp://h/a.ts', 'https://x.com/b/a.py:3 ftp://h/a.ts'],
    ['hello world 42', 'hello world 42'],
    ['/tmp/a.jsonl', '/tmp/a.jsonl'],
    ['me@x.ts', 'me@x.ts'],
    ['/a/b.ts/c', '/a/b.ts/c'],
    ['go to source(), or @source.tests().', 'go to [bae:source|source()], or [bae:source.tests|@source.tests()].'],
    ['in source() and /a/b.ts', 'in [bae:source|source()] and [vscode://file/a/b.ts|/a/b.ts]'],
    [
      'sources() x.source() source(1) source.test() /source()',
      'sources() x.source() source(1) source.test() /source()',
    ],
  ])('%s', (text, linked) => {
    expect(show(text)).toBe(linked);
  });

  it('are found in coloured text, also where the parts of a path have colours of their own', () => {
    const paint = createPainter({ color: true });
    const target = `vscode://file${join(cwd, 'src/a.ts')}`;
    const plain = (text: string): string => addLinks(text).replaceAll(COLOR, '').replaceAll(LINK, '[$1|$2]');
    expect(plain(`in ${paint('code', 'src/a.ts:3')}.`)).toBe(`in [${target}:3|src/a.ts:3].`);
    expect(plain(`${paint('strong', 'src/a.ts')}, src/a.ts`)).toBe(`[${target}|src/a.ts], [${target}|src/a.ts]`);
    const code = paintCode('    at f (src/a.ts:1:2)', paint);
    const linked = addLinks(code);
    expect(linked).toContain(`\u001B]8;;${target}:1:2\u001B\\`);
    expect(linked.replaceAll(ANY_LINK, '')).toBe(code);
  });

  it('leaves a text alone that is linked already, or is very long', () => {
    const linked = addLinks('see /foo/bar.py');
    expect(addLinks(linked)).toBe(linked);
    const long = `/foo/bar.py ${'x'.repeat(100_000)}`;
    expect(addLinks(long)).toBe(long);
  });
});
