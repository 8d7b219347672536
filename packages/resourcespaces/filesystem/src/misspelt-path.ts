import { findNearestName } from '@bae/core';
import { FileNotFoundError, type WorkspaceRoot } from '@bae/workspace';
import type { MissingFile } from './file-arguments.ts';

/** Shortest name in which one wrong letter counts as a slip; a shorter one is another name. */
const SHORTEST = 3;

/**
 * Finds the only file that a path means in which one part is misspelt, or whose name has no ending: `src/browse.js` for
 * `src/browser.js`, `README` for `README.md`. Undefined from code, for what may hold secrets, and if there are several.
 */
export async function findMeantFile(
  root: WorkspaceRoot,
  error: unknown,
  { file: { path }, context: { fromCode } }: MissingFile,
): Promise<string | undefined> {
  if (!(error instanceof FileNotFoundError) || fromCode || !/^(?:\.?\/)*[\w.@+-]+(?:\/[\w.@+-]+)*$/.test(path))
    return undefined;
  const parts = path.replace(/^(?:\.?\/)+/, '').split('/');
  if (parts.includes('..')) return undefined;
  for (const [index, part] of parts.entries()) {
    const above = parts.slice(0, index).join('/');
    if (await root.exists(parts.slice(0, index + 1).join('/'))) continue;
    const isLast = index === parts.length - 1;
    const names = (await root.list(above)).filter((name) => name.endsWith('/') !== isLast);
    const near = names.map((name) => name.replace(/\/$/, '')).filter((name) => isMeantBy(part, name));
    const [only, ...others] = near;
    if (only === undefined || others.length > 0) return undefined;
    const whole = [...parts.slice(0, index), only, ...parts.slice(index + 1)].join('/');
    const { kind, secrecy } = await root.info(whole);
    return kind === 'file' && secrecy === undefined ? whole : undefined;
  }
  return undefined;
}

/** Tests whether a name is written without its ending, or with one slip in it or in its ending. */
function isMeantBy(given: string, name: string): boolean {
  const [own, other] = [splitFileName(given), splitFileName(name)];
  if (own.ending === '' && other.stem.toLowerCase() === given.toLowerCase()) return true;
  if (own.ending === other.ending) return isOneSlip(own.stem, other.stem);
  // `.js` and `.ts` are two endings, `.jsno` is none.
  return own.stem === other.stem && own.ending.length >= SHORTEST && isOneSlip(own.ending, other.ending);
}

function splitFileName(name: string): { readonly stem: string; readonly ending: string } {
  const [, stem = name, ending = ''] = /^(.+?)\.([^.]*)$/.exec(name) ?? [];
  return { stem, ending };
}

/** Tests whether one letter is wrong, missing or too many, or two are exchanged; `part1` and `part2` are two names. */
function isOneSlip(given: string, name: string): boolean {
  const [shorter, longer] = [given.length, name.length].toSorted((a, b) => a - b) as [number, number];
  if (shorter < SHORTEST || longer - shorter > 1 || given[0]!.toLowerCase() !== name[0]!.toLowerCase()) return false;
  if (given.replaceAll(/\D/g, '') !== name.replaceAll(/\D/g, '')) return false;
  return findNearestName(given, [name], 1 - 1.01 / longer) !== undefined;
}
