import { describe, expect, it } from 'vitest';
import { matchText } from './match-rows.ts';
import { MatchCollector } from './re2-search.ts';

describe('matchText', () => {
  it('takes off blanks', () => {
    expect(matchText('\t  const a = 1;  \r', 3, 200)).toBe('const a = 1;');
  });

  it('shows 200 characters at most, and says that there are more', () => {
    expect(matchText('x'.repeat(200), 0, 200)).toBe('x'.repeat(200));
    expect(matchText('x'.repeat(201), 0, 200)).toBe(`${'x'.repeat(199)}…`);
  });

  it('moves to a match that would not be seen', () => {
    const line = `${'a'.repeat(500)}MATCH${'b'.repeat(500)}`;
    const text = matchText(line, 500, 200);
    expect(text).toHaveLength(200);
    expect(text).toMatch(/^…a{40}MATCHb+…$/);
    expect(matchText(`${'a'.repeat(500)}MATCH`, 500, 200)).toMatch(/^…a+MATCH$/);
  });

  it('never halves a character', () => {
    expect(matchText('😀'.repeat(150), 0, 200).isWellFormed()).toBe(true);
    expect(matchText(`${'😀'.repeat(150)}x${'😀'.repeat(150)}`, 300, 200).isWellFormed()).toBe(true);
  });
});

describe('MatchCollector', () => {
  it('keeps the first rows whatever order they come in, and counts all', () => {
    const collector = new MatchCollector(3);
    for (let file = 99; file >= 0; file--) {
      const path = `f${String(file).padStart(2, '0')}`;
      collector.add({ path, rows: [{ line: 1, text: '' }, { line: 7, text: '' }], matches: 5 }); // prettier-ignore
    }
    collector.looked(60);
    collector.looked(60);
    expect(collector.finish()).toEqual({
      shown: [
        { path: 'f00', rows: [{ line: 1, text: '' }, { line: 7, text: '' }], matches: 5 },
        { path: 'f01', rows: [{ line: 1, text: '' }], matches: 5 },
      ],
      matches: 500,
      files: 100,
      searched: 120,
    }); // prettier-ignore
  });
});
