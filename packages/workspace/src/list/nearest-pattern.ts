import { findNearestName, ResourceError, type ToolContext } from '@bae/core';
import { formatPath } from '../path/show-path.ts';
import type { WorkspaceRoot } from '../workspace-root.ts';

/** Patterns with more parts, or longer ones, are no slips of the pen, and each part is looked for. */
const MOST_STEPS = 10;
const LONGEST_PATTERN = 300;

/**
 * Returns the pattern nearest to one that matches no file and no folder: `packages/*\/src` for `packages/*\/srcc`;
 * undefined if none is near.
 */
export async function findNearestPattern(
  root: WorkspaceRoot,
  pattern: string,
  signal?: AbortSignal,
): Promise<string | undefined> {
  if (pattern.length > LONGEST_PATTERN) return undefined;
  const steps = pattern.replace(/\/+$/, '').split('/');
  if (steps.length > MOST_STEPS || steps.some((step) => /^\.{0,2}$/.test(step))) return undefined;
  for (let count = 1; count <= steps.length; count++) {
    const before = steps.slice(0, count - 1);
    if (await matchesAny(root, steps.slice(0, count).join('/'), signal)) continue;
    const below = await root.glob({ pattern: [...before, '**'].join('/'), ...(signal && { signal }) });
    const names = new Set(below.flatMap((path) => path.split('/')[count - 1] ?? []));
    const near = findNearestStep(steps[count - 1]!, [...names]);
    // What is tried again has one wrong part less, so that this ends.
    if (near === undefined || !(await matchesAny(root, [...before, near].join('/'), signal))) return undefined;
    const nearest = [...before, near, ...steps.slice(count)].join('/');
    // A pattern with two wrong parts is corrected one after the other.
    return (await matchesAny(root, nearest, signal)) ? nearest : findNearestPattern(root, nearest, signal);
  }
  return undefined;
}

/**
 * Refuses to search for a text in a pattern of paths that matches nothing, if it is spelt nearly as one that does.
 *
 * @throws ResourceError with the search in the nearest pattern
 */
export async function refuseMisspeltPattern(
  root: WorkspaceRoot,
  { pattern, path }: { readonly pattern: string; readonly path: string },
  { signal, tag }: Pick<ToolContext, 'signal' | 'tag'>,
): Promise<void> {
  const nearest = await findNearestPattern(root, path, signal);
  if (nearest === undefined) return;
  const fact = `no file or folder matches ${formatPath(path)}. Did you mean ${formatPath(nearest)}?`;
  throw new ResourceError(fact, [tag(`<Grep:${pattern} path="${formatPath(nearest)}">`)]);
}

async function matchesAny(root: WorkspaceRoot, pattern: string, signal: AbortSignal | undefined): Promise<boolean> {
  for (const one of [pattern, `${pattern}/**`])
    if ((await root.glob({ pattern: one, ...(signal && { signal }) })).length > 0) return true;
  return false;
}

/** Returns the nearest name, or for `*.tss` the one with the nearest extension. */
function findNearestStep(step: string, names: readonly string[]): string | undefined {
  const [, stem = '', ending = ''] = /^(.*[*?}\]])(\.[^*?{}[\]]+)$/.exec(step) ?? [];
  if (ending === '') return findNearestName(step, names);
  const endings = names.flatMap((name) => /[^/](\.[^./]+)$/.exec(name)?.[1] ?? []);
  const near = findNearestName(ending, [...new Set(endings)]);
  return near === undefined ? undefined : `${stem}${near}`;
}
