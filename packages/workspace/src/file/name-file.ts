import type { ToolContext } from '@bae/core';
import type { WorkspaceRoot } from '../workspace-root.ts';

/** Adds a file or folder that the arguments of a call name to the files of the call, if there is one. */
export function nameFile(root: WorkspaceRoot, path: string, { files }: Pick<ToolContext, 'files'>): void {
  try {
    const { path: real, kind } = root.open(path).info;
    if (kind !== 'missing') files.add(real);
  } catch {
    // What leads out of the workspace is refused where it is used.
  }
}
