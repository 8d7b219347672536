import type { WorkspaceRoot } from '@bae/workspace';

/** What a search argument says. */
export interface GrepArgument {
  readonly pattern: string;
  readonly path: string | undefined;
}

/**
 * Takes a search argument apart: `"import x" src`, `TODO src`, `import a/b`.
 *
 * Unquoted, the last word is a path only when it exists, so that a pattern of several words stays one.
 *
 * @param path the path, when it was given by name; then all of the argument is the pattern
 */
export async function grepArgument(root: WorkspaceRoot, argument: string, path?: string): Promise<GrepArgument> {
  const quoted = /^(["'`])(.+?)\1(?:\s+(?:in\s+)?(\S.*))?$/s.exec(argument.trim());
  if (quoted !== null && (quoted[3] === undefined || path === undefined)) {
    return { pattern: quoted[2] as string, path: path ?? quoted[3] };
  }
  if (path !== undefined) return { pattern: argument, path };
  const words = /^(.*\S)\s+(\S+)$/s.exec(argument.trim());
  const last = words?.[2];
  if (last === undefined || !(await root.exists(last))) return { pattern: argument, path: undefined };
  return { pattern: words?.[1] as string, path: last };
}
