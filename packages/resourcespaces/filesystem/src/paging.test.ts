import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openHome } from '../test/open-home.ts';

/** One result taken apart: its text, the note below it, and the tag of the next page. */
interface Page {
  readonly text: string;
  readonly note: string;
  readonly next?: string | undefined;
}

function pageOf(result: string): Page {
  const [, shown = result, note = ''] = /^(.*)\n\[(lines? \d[^\n]*)\]$/s.exec(result) ?? [];
  // An outline of the rest follows the first page.
  const [text = shown] = shown.split(/\n… lines \d+-\d+(?:, among others)?:\n/, 1);
  return { text, note, next: /next: (<R:[^\n]*>)$/.exec(note)?.[1] };
}

/** Lines without their numbers; only line feeds divide them. */
function stripNumbers(text: string): string {
  return text
    .split('\n')
    .map((line) => line.replace(/^\d+\|/, ''))
    .join('\n');
}

/** What somebody gets who reads a file and follows every `next` tag, and nothing else. */
async function readByTags(send: (tag: string) => Promise<string>, path: string): Promise<string> {
  let all = '';
  let tag = `<R:${path}>`;
  for (;;) {
    const { text, note, next } = pageOf(await send(tag));
    const isPiece = note.includes(', characters ');
    const isNumbered = !isPiece && (/:\d+(-\d*)?>$/.test(tag) || countLines(text, note) > 30);
    if (note === '' && all === '' && !isNumbered) return text;
    all += isNumbered ? stripNumbers(text) : text;
    // The same line goes on, or the file ends without a line break.
    const goesOn = isPiece && next !== undefined && lineOf(next) === lineOf(note);
    if (!goesOn && !note.endsWith('no newline at end of file')) all += '\n';
    if (next === undefined) return all;
    tag = next;
  }
}

/** Lines of the whole file, as the page says or shows. */
function countLines(text: string, note: string): number {
  return Number(/ of (\d+)/.exec(note)?.[1] ?? text.replace(/\n$/, '').split('\n').length);
}

function lineOf(text: string): string | undefined {
  return /(?::|^lines? )(\d+)/.exec(text)?.[1];
}

const UNITS = ['a', ' ', '|', '\t', '\r', '漢', 'é', '😀', '[', ']', '\u2028', '\ufeff', '\u0301', '<', '>', '0'];
const SHORT = fc.string({ unit: fc.constantFrom(...UNITS), maxLength: 300 });
const LOOKALIKE = fc.constantFrom(
  '2|text',
  '[lines 1-2 of 3; next: <R:a.txt:3-4>]',
  '[line 1 of 9, characters 1-4000 of 9000; next: <R:a.txt:1@4001>]',
  '...',
  '',
  '(empty file)',
  'export class A {',
  '## Heading',
);
/** Lines that end, or have a character of two units, right where a page does. */
const BORDER = fc
  .tuple(fc.integer({ min: 3990, max: 4010 }), fc.integer({ min: 1, max: 3 }), fc.constantFrom('😀', '漢', 'z', 'é😀'))
  .map(([length, pages, unit]) => `${'z'.repeat(length)}${unit.repeat(4000 * (pages - 1) + 5)}`);
const LINE = fc.oneof(
  { weight: 8, arbitrary: SHORT },
  { weight: 2, arbitrary: LOOKALIKE },
  { weight: 2, arbitrary: BORDER },
);
const TEXT = fc
  .array(fc.tuple(LINE, fc.constantFrom('\n', '\n', '\r\n')), { minLength: 1, maxLength: 60 })
  .chain((lines) =>
    fc
      .boolean()
      .map((ended) =>
        lines.map(([line, end], index) => line + (ended || index < lines.length - 1 ? end : '')).join(''),
      ),
  )
  .filter((text) => text !== '' && pageOf(text).note === '');

describe('paging through tags alone', () => {
  const readPages = async (numRuns: number) => {
    const home = openHome();
    let files = 0;
    await fc.assert(
      fc.asyncProperty(TEXT, fc.constantFrom('txt', 'ts', 'md'), async (text, ending) => {
        const path = `f${files++}.${ending}`;
        writeFileSync(join(home.folder, path), text);
        const send = async (tag: string): Promise<string> => (await home.send(tag))[0] ?? '';
        const read = await readByTags(send, path);
        expect(Buffer.from(read).equals(Buffer.from(text))).toBe(true);
      }),
      { numRuns },
    );
  };

  it('gives back the bytes of every file', () => readPages(20));
  it('gives back the bytes of every file, 150 times', { tags: ['long'] }, () => readPages(150));

  it('goes on where lines below need more room than those on the page', async () => {
    const text = `\n${'z'.repeat(3990)}${'😀'.repeat(5)}\n\n${'z'.repeat(3990)}${'漢'.repeat(4005)}`;
    const home = openHome({ 'f.txt': text });
    expect(await readByTags(async (tag) => (await home.send(tag))[0] ?? '', 'f.txt')).toBe(text);
  });

  it('comes to an end in a file of one endless line', async () => {
    const text = '😀'.repeat(50_000);
    const home = openHome({ 'one.txt': text });
    let pages = 0;
    const read = await readByTags(async (tag) => {
      pages++;
      return (await home.send(tag))[0] ?? '';
    }, 'one.txt');
    expect(read).toBe(text);
    expect(pages).toBe(25);
  });
});
