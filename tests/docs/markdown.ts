import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

/** One page; its path is relative to the root. */
export interface Page {
  readonly path: string;
  readonly text: string;
}

/** A block of code in a page. */
export interface Fence {
  readonly path: string;
  /** Line of its first line of code, 1-based. */
  readonly line: number;
  /** `ts`, `sh`, …; empty when there is none. */
  readonly language: string;
  /** What follows the language: `no-check`. */
  readonly note: string;
  readonly code: string;
}

const SKIPPED = new Set(['node_modules', 'dist', '.git', '.turbo', '.generated', 'fixtures', '.bae']);

/** Every Markdown page below a folder that somebody wrote: the pages of the API are made of comments. */
export function readPages(root: string): readonly Page[] {
  const paths = listPages(root)
    .filter((path) => !path.includes('/docs/reference/api/'))
    .toSorted();
  return paths.map((path) => ({ path: relative(root, path), text: readFileSync(path, 'utf8') }));
}

/** The blocks of code of a page, in order. */
export function fencesOf({ path, text }: Page): readonly Fence[] {
  const lines = text.split('\n');
  const fences: Fence[] = [];
  for (let index = 0; index < lines.length; index++) {
    const open = /^\s*(`{3,}|~{3,})\s*(\S*)\s*(.*)$/.exec(lines[index]!);
    if (open === null) continue;
    const [, mark, language, note] = open as unknown as [string, string, string, string];
    const first = index + 1;
    while (++index < lines.length && !lines[index]!.trim().startsWith(mark));
    fences.push({ path, line: first + 1, language, note, code: lines.slice(first, index).join('\n') });
  }
  return fences;
}

/** The text of a page with its blocks of code blanked out, line for line. */
export function proseOf(page: Page): string {
  const lines = page.text.split('\n');
  for (const { line, code } of fencesOf(page)) lines.fill('', line - 2, line + code.split('\n').length);
  return lines.join('\n').replaceAll(/`[^`\n]*`/g, '');
}

function listPages(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : listPages(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}
