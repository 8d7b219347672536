import { renameSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HAS_DESCRIPTORS } from '../path/pinned-path.ts';
import { WorkspaceRoot } from '../workspace-root.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import type { WindowRequest } from './text-file.ts';

const MB = 1024 * 1024;

describe('readWindow', () => {
  const readWindows = async (numRuns: number) => {
    const folder = temporaryFolder();
    const workspace = new WorkspaceRoot(folder);
    const line = fc.string({ unit: fc.constantFrom('a', 'é', '漢', '😀', '\r', '\ufeff', '\t'), maxLength: 30 });
    const text = fc.array(line, { maxLength: 20 }).map((lines) => lines.join('\n'));
    const request = fc.record({
      line: fc.integer({ min: 1, max: 22 }),
      column: fc.integer({ min: 1, max: 30 }),
      chars: fc.integer({ min: 2, max: 60 }),
      through: fc.option(fc.record({ lines: fc.nat(22), chars: fc.integer({ min: 61, max: 300 }) }), {
        nil: undefined,
      }),
    });
    await fc.assert(
      fc.asyncProperty(text, request, async (text, request) => {
        writeFileSync(join(folder, 'a.txt'), text);
        const window = await workspace.readWindow('a.txt', request);
        expect(window).toMatchObject(expectedWindow(text, request));
      }),
      { numRuns },
    );
  };

  it('gives the text from any line and column of any file', () => readWindows(30));
  it('gives the text from any line and column of any file, 200 times', { tags: ['long'] }, () => readWindows(200));

  it('finds characters across the pieces it reads', async () => {
    const text = `${'a'.repeat(256 * 1024 - 1)}😀\n漢字\n`;
    const workspace = new WorkspaceRoot(temporaryFolder({ 'a.txt': text }));
    const window = await workspace.readWindow('a.txt', { line: 1, column: 256 * 1024, chars: 10 });
    expect(window).toMatchObject({ text: '😀\n漢字\n', cut: false, lineLength: 256 * 1024 + 1 });
    expect(await workspace.readWindow('a.txt', { line: 2, column: 1, chars: 1 })).toMatchObject({
      text: '漢',
      cut: true,
    });
  });

  it('never holds a huge file', { tags: ['long'] }, async () => {
    const start = 'line\n'.repeat(4000);
    const folder = temporaryFolder({ 'huge.log': start });
    truncateSync(join(folder, 'huge.log'), 256 * MB);
    const workspace = new WorkspaceRoot(folder);
    let peak = 0;
    const before = process.memoryUsage().rss;
    const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss - before)), 5);
    const window = await workspace.readWindow('huge.log', { line: 3, column: 1, chars: 12 });
    const longLine = await workspace.readWindow('huge.log', { line: 4001, column: 9, chars: 3 });
    clearInterval(watch);
    expect(longLine).toMatchObject({ text: '\0\0\0', cut: true, lineLength: 256 * MB - start.length });
    expect(window).toMatchObject({ text: 'line\nline\nli', cut: true, lines: 4001, size: 256 * MB });
    // Less than half: other tests and a collector that is late have their share of it.
    expect(peak).toBeLessThan(128 * MB);
  });
});

/** What a window must be, worked out from the whole text. */
function expectedWindow(text: string, { line, column, chars, through }: WindowRequest) {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const first = lines[line - 1] ?? '';
  const rest = text
    .split('\n')
    .slice(line - 1)
    .join('\n')
    .slice(Math.min(column - 1, first.length));
  const some = rest.split('\n').slice(0, through?.lines);
  const isLonger = through !== undefined && rest.split('\n').length <= through.lines;
  const asked = through === undefined || some.length === 0 ? 0 : some.join('\n').length + 2;
  const most = isLonger ? through.chars : Math.min(Math.max(chars, asked), through?.chars ?? chars);
  const whole = rest.length <= most;
  const code = rest.charCodeAt(most - 1);
  const end = code >= 0xd800 && code <= 0xdbff ? most - 1 : most;
  return { text: whole ? rest : rest.slice(0, end), cut: !whole, lines: lines.length, lineLength: first.length };
}

const WINDOW = { line: 1, column: 1, chars: 100 };

describe('a path that was looked up', () => {
  it('knows what is there, and reads it', async () => {
    using root = new WorkspaceRoot(temporaryFolder({ 'src/a.ts': 'one\ntwo\n' }));
    using found = root.lookUp('./src//a.ts');
    expect(found.info).toMatchObject({ path: 'src/a.ts', kind: 'file', size: 8 });
    expect(await found.readWindow({ ...WINDOW, line: 2 })).toMatchObject({ text: 'two\n', lines: 2 });
  });

  it.runIf(HAS_DESCRIPTORS)('shows what was looked at, whatever has taken its name', async () => {
    const folder = temporaryFolder({ 'notes.txt': 'plain', 'key.txt': 'secret' });
    using root = new WorkspaceRoot(folder);
    using found = root.lookUp('notes.txt');
    renameSync(join(folder, 'notes.txt'), join(folder, 'old.txt'));
    symlinkSync('key.txt', join(folder, 'notes.txt'));
    expect((await found.readWindow(WINDOW)).text).toBe('plain');
  });

  it('may be missing until it is read', async () => {
    using root = new WorkspaceRoot(temporaryFolder({ 'src/router.ts': '' }));
    using found = root.lookUp('src/rooter.ts');
    expect(found.info.kind).toBe('missing');
    await expect(found.readWindow(WINDOW)).rejects.toThrow('Did you mean src/router.ts?');
  });

  it('is a secret until the user allows it', async () => {
    using root = new WorkspaceRoot(temporaryFolder({ '.env': 'KEY=1' }));
    using found = root.lookUp('.env');
    await expect(found.readWindow(WINDOW)).rejects.toThrow('it is shown only when the user allows it');
    expect((await found.readWindow({ ...WINDOW, secrets: true })).text).toBe('KEY=1');
  });
});
