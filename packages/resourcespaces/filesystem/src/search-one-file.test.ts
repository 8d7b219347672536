import { describe, expect, it } from 'vitest';
import { openHome } from '../test/open-home.ts';

const WORDS = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta', 'theta', 'iota', 'kappa', 'lambda'];
/** Lines of which every second one matches, no two of them of one kind. */
const lines = (count: number, width = 1) =>
  Array.from({ length: count }, (_, index) => {
    const words = [index % 11, Math.floor(index / 11) % 11, Math.floor(index / 121) % 11].map((at) => WORDS[at]);
    return index % 2 === 0 ? `  call(${words.join('.').repeat(width)});` : '  rest();';
  });

/** What a search and its `next` tags show, one text for each request. */
async function follow(home: ReturnType<typeof openHome>, tag: string): Promise<readonly string[]> {
  const [text = ''] = await home.send(tag);
  const [, next] = /\n\[\d+ of \d+ rows; next: (<[^\n]*>)\]$/.exec(text) ?? [];
  return next === undefined ? [text] : [text, ...(await follow(home, next))];
}

describe('a search in one file', () => {
  const source = lines(900);
  const rows = source.flatMap((line, index) => (index % 2 === 0 ? [`src/a.ts:${index + 1}: ${line.trim()}`] : []));

  it('shows its rows on two pages at once, and the tag of the search in the lines after them', async () => {
    const home = openHome({ 'src/a.ts': source.join('\n') });
    const [first = ''] = await home.send('<Grep:call path=src/a.ts>');
    const shown = first.split('\n').slice(0, -1);
    expect(shown.join('\n').length).toBeGreaterThan(7900);
    expect(shown.join('\n').length).toBeLessThanOrEqual(8000);
    expect(shown).toEqual(rows.slice(0, shown.length));
    const line = shown.length * 2 + 1;
    expect(first.split('\n').at(-1)).toBe(`[${shown.length} of 450 rows; next: <Grep:call path=src/a.ts:${line}->]`);
  });

  it('shows every row once where the tags are followed, and none outside the lines that were named', async () => {
    const home = openHome({ 'src/a.ts': source.join('\n') });
    const strip = (text: string) => text.replace(/\n\[\d+ of \d+ rows;[^\n]*\]$/, '');
    const all = await follow(home, '<Grep:call path=src/a.ts>');
    expect(all.length).toBeGreaterThan(2);
    expect(all.map(strip).join('\n')).toBe(rows.join('\n'));
    const some = await follow(home, '<Grep:call path=src/a.ts:101-800>');
    expect(some.length).toBeGreaterThan(1);
    expect(some.map(strip).join('\n')).toBe(rows.slice(50, 400).join('\n'));
  });

  it('is cut and kept as any other where its tag would be read differently', async () => {
    const home = openHome({ 'src/a.ts': source.join('\n'), 'b.ts': lines(900).join('\n').replaceAll('call', 'x=y ') });
    for (const tag of [
      '<Grep:"x=y " path=b.ts>',
      '<Grep:"call\\(|"q"" path=src/a.ts>',
      "<Grep:call|'q' path=src/a.ts>",
    ]) {
      const [text = ''] = await home.send(tag);
      const next = /next: (<[^\n]*>)\]$/.exec(text)?.[1] ?? '';
      const [rest = ''] = await home.send(next);
      expect([tag, rest.split('\n')[0]]).toEqual([tag, expect.stringMatching(/^(?:b|src\/a)\.ts:\d+: /)]);
    }
  });

  it('shows a log by kind, and rows with wide characters within what one answer may have', async () => {
    const log = Array.from({ length: 400 }, (_, index) => `12:00:01 ERROR request ${index} failed`).join('\n');
    const home = openHome({ 'a.ts': log, 'wide.ts': lines(900).join('\n').replaceAll('call', '漢字😀'.repeat(8)) });
    expect((await home.send('<Grep:ERROR path=a.ts>'))[0]).toMatch(/ \[\+3\d\d like this\]\n/);
    const [wide = ''] = await home.send('<Grep:漢字 path=wide.ts>');
    expect(wide).toMatch(/\n\[\d+ of 450 rows; next: <Grep:漢字 path=wide\.ts:\d+->\]$/);
    expect(wide).not.toContain('chars');
  });
});
