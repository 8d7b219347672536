import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { brokenLinks } from './broken-links.ts';
import { compileFences, isChecked } from './compile-fences.ts';
import { fencesOf, readPages } from './markdown.ts';

const root = join(import.meta.dirname, '../..');
const pages = readPages(root);
const fences = pages.flatMap(fencesOf);

/** Longest pages that everybody reads, in lines. */
const LONGEST = { 'README.md': 120, 'AGENTS.md': 120, 'CONTRIBUTING.md': 60 };

/** Most blocks of TypeScript that may go unchecked, in all pages together. */
const UNCHECKED = 3;

describe('the documentation', () => {
  it('compiles, block by block', () => {
    const folder = join(import.meta.dirname, '.generated/pages');
    expect(compileFences(fences.filter(isChecked), folder, root)).toEqual([]);
  });

  it('hardly ever asks not to be compiled', () => {
    const unchecked = fences.filter((fence) => fence.language === 'ts' && !isChecked(fence));
    expect(unchecked.length).toBeLessThanOrEqual(UNCHECKED);
  });

  it('has no link that leads nowhere', () => {
    expect(pages.flatMap((page) => brokenLinks(page, root))).toEqual([]);
  });

  it.each(Object.entries(LONGEST))('%s is at most %i lines long', (path, longest) => {
    const page = pages.find((one) => one.path === path);
    expect(page?.text.trimEnd().split('\n').length).toBeLessThanOrEqual(longest);
  });
});
