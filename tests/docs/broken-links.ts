import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { proseOf, type Page } from './markdown.ts';

const LINK = /\[[^\]]*\]\(\s*<?([^)\s>]+)>?[^)]*\)|^\[[^\]]+\]:\s*(\S+)/gm;
const ELSEWHERE = /^([a-z][a-z0-9+.-]*:|\/\/)/i;

/** Links to files or headings that are not there, as `docs/x.md:3 ../y.md`. Links to other places are not followed. */
export function brokenLinks(page: Page, root: string): readonly string[] {
  const text = proseOf(page);
  return [...text.matchAll(LINK)].flatMap((match) => {
    const link = match[1] ?? match[2]!;
    if (ELSEWHERE.test(link) || leadsSomewhere(link, page, root)) return [];
    const line = text.slice(0, match.index).split('\n').length;
    return [`${page.path}:${line} ${link}`];
  });
}

function leadsSomewhere(link: string, page: Page, root: string): boolean {
  const [file, heading] = link.split('#') as [string, string?];
  const path = file === '' ? join(root, page.path) : join(root, dirname(page.path), decodeURIComponent(file));
  if (file.startsWith('/') || !existsSync(path)) return false;
  if (heading === undefined || !path.endsWith('.md')) return true;
  return headingsOf(readFileSync(path, 'utf8')).includes(heading);
}

/** The anchors of a page, made as GitHub makes them. */
function headingsOf(text: string): readonly string[] {
  return [...proseLines(text)].map((title) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(/\s/g, '-'),
  );
}

function* proseLines(text: string): Iterable<string> {
  for (const match of text.matchAll(/^#{1,6}\s+(.+)$/gm)) yield match[1]!;
}
