import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { brokenLinks } from './broken-links.ts';
import { compileFences, isChecked } from './compile-fences.ts';
import { fencesOf, proseOf, readPages } from './markdown.ts';

const fixtures = join(import.meta.dirname, 'fixtures');

describe('fencesOf', () => {
  it('finds blocks with their language, note and first line, and nothing inside another block', () => {
    const [page] = readPages(join(fixtures, 'fences'));
    expect(fencesOf(page!).map(({ line, language, note }) => `${line} ${language} ${note}`.trim())).toEqual([
      '4 ts',
      '11 ts',
      '17 ts no-check',
      '21 md',
      '27 sh',
    ]);
  });

  it('keeps the code of a block that is never closed', () => {
    expect(fencesOf({ path: 'a.md', text: 'a\n~~~ts\nlet a = 1;' })).toEqual([
      { path: 'a.md', line: 3, language: 'ts', note: '', code: 'let a = 1;' },
    ]);
  });
});

describe('proseOf', () => {
  it('blanks code out and keeps every other line where it is', () => {
    expect(proseOf({ path: 'a.md', text: 'a `b` c\n```\nd\n```\ne' })).toBe('a  c\n\n\n\ne');
  });
});

describe('compileFences', () => {
  it('reports an error at its line of the page', () => {
    const [page] = readPages(join(fixtures, 'fences'));
    const checked = fencesOf(page!).filter(isChecked);
    expect(compileFences(checked, join(import.meta.dirname, '.generated/fixture'), fixtures)).toEqual([
      "page.md:13 Argument of type 'number' is not assignable to parameter of type 'string'.",
    ]);
  });
});

describe('brokenLinks', () => {
  it('finds links to missing files and headings, and leaves code and the web alone', () => {
    const root = join(fixtures, 'links');
    const broken = readPages(root).flatMap((page) => brokenLinks(page, root));
    expect(broken).toEqual([
      'page.md:3 ./gone.md',
      'page.md:3 #nowhere',
      'page.md:4 other.md#where',
      'page.md:12 /etc/passwd',
      'page.md:14 ./missing.md',
    ]);
  });
});
