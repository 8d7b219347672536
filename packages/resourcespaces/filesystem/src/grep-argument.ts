import { splitGrep } from '@bae/core/pipeline';
import type { WorkspaceRoot } from '@bae/workspace';

/** What a search argument says. */
export interface GrepArgument {
  readonly pattern: string;
  readonly path: string | undefined;
}

/**
 * Takes a search argument apart: `"import x" src`, `TODO src`, `import a/b`.
 *
 * @param path the path, when it was given by name; then all of the argument is the pattern
 */
export async function grepArgument(root: WorkspaceRoot, argument: string, path?: string): Promise<GrepArgument> {
  const asked = new Set<string>();
  const first = splitGrep(argument, (candidate) => {
    asked.add(candidate);
    return false;
  });
  // Blanks around it can only have been meant: a tag has none.
  const asMeant = (pattern: string) => (pattern === argument.trim() ? argument : pattern);
  if (path !== undefined) return { pattern: first.path === null ? asMeant(first.pattern) : argument, path };
  const there = new Set<string>();
  for (const candidate of asked) if (await root.exists(candidate)) there.add(candidate);
  const split = splitGrep(argument, (candidate) => there.has(candidate));
  return { pattern: asMeant(split.pattern), path: split.path ?? undefined };
}
