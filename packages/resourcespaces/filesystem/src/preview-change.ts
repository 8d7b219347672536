import type { ToolContext } from '@bae/core';
import { BinaryFileError, FileError, showPath, unifiedDiff, type WorkspaceRoot } from '@bae/workspace';
import { planEdit, type EditRequest } from './edit-file.ts';
import { planWrite, type WriteRequest } from './write-file.ts';

/** Characters of both texts together up to which the difference is worked out. */
const LARGEST = 4_000_000;

/**
 * Shows what writing a whole file would change, and changes nothing.
 *
 * @throws what the write would fail with
 */
export async function previewWrite(root: WorkspaceRoot, request: WriteRequest, context: ToolContext): Promise<string> {
  const { path } = request;
  const { before, text } = await planWrite(root, request, context);
  if (before === undefined && !(await root.exists(path))) return changeBetween(path, undefined, text);
  const old = await textOf(root, path, before !== undefined);
  if (old !== undefined) return changeBetween(path, old, text);
  return `${showPath(path)}: ${before?.size ?? 0} bytes that are no text -> ${text.length} characters`;
}

/**
 * Shows what an edit would change, and changes nothing.
 *
 * @throws what the edit would fail with
 */
export async function previewEdit(root: WorkspaceRoot, request: EditRequest, context: ToolContext): Promise<string> {
  const { before, change } = await planEdit(root, request, context);
  return changeBetween(request.path, before.text, change.text);
}

/** The text of a file; undefined for a file that has none. */
async function textOf(root: WorkspaceRoot, path: string, isFile: boolean): Promise<string | undefined> {
  try {
    return (await root.readText(path)).text;
  } catch (error) {
    if (isFile && (error instanceof BinaryFileError || error instanceof FileError)) return undefined;
    throw error;
  }
}

function changeBetween(path: string, before: string | undefined, after: string | undefined): string {
  const [old = 0, now = 0] = [before?.length, after?.length];
  if (old + now > LARGEST) return `${showPath(path)}: ${old} -> ${now} characters, too many to compare`;
  return unifiedDiff({ path: showPath(path), before, after });
}
