import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { WorkspaceRoot } from '../workspace-root.ts';

const MB = 1024 * 1024;

describe('readWindow', () => {
  it('gives the text from any line and column of any file', async () => {
    const folder = temporaryFolder();
    const workspace = new WorkspaceRoot(folder);
    const line = fc.string({ unit: fc.constantFrom('a', 'é', '漢', '😀', '\r', '\ufeff', '\t'), maxLength: 30 });
    const text = fc.array(line, { maxLength: 20 }).map((lines) => lines.join('\n'));
    const request = fc.record({
      line: fc.integer({ min: 1, max: 22 }),
      column: fc.integer({ min: 1, max: 30 }),
      chars: fc.integer({ min: 2, max: 60 }),
    });
    await fc.assert(
      fc.asyncProperty(text, request, async (text, request) => {
        writeFileSync(join(folder, 'a.txt'), text);
        const window = await workspace.readWindow('a.txt', request);
        expect(window).toMatchObject(expectedWindow(text, request));
      }),
      { numRuns: 200 },
    );
  });

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

  it('never holds a huge file', async () => {
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
    expect(peak).toBeLessThan(64 * MB);
  });
});

/** What a window must be, worked out from the whole text. */
function expectedWindow(text: string, { line, column, chars }: { line: number; column: number; chars: number }) {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const first = lines[line - 1] ?? '';
  const rest = text
    .split('\n')
    .slice(line - 1)
    .join('\n')
    .slice(Math.min(column - 1, first.length));
  const whole = rest.length <= chars;
  const code = rest.charCodeAt(chars - 1);
  const end = code >= 0xd800 && code <= 0xdbff ? chars - 1 : chars;
  return { text: whole ? rest : rest.slice(0, end), cut: !whole, lines: lines.length, lineLength: first.length };
}
