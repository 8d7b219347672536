import type { ToolContext, ToolOutput } from '@bae/core';
import type { WorkspaceRoot } from '@bae/workspace';
import type { FileTarget } from './file-target.ts';
import { readDirectory } from './read-directory.ts';
import { readFile } from './read-file.ts';

/** Shows a file, a part of it, or what is in a folder; the root folder for an empty path. */
export async function readTarget(root: WorkspaceRoot, target: FileTarget, context: ToolContext): Promise<ToolOutput> {
  using found = root.lookUp(target.path);
  return found.info.kind === 'folder'
    ? await readDirectory(root, target.path, context)
    : await readFile(root, { found, target }, context);
}
