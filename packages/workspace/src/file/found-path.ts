import {
  createMissingError,
  describePath,
  resolveGivenPath,
  type PathInfo,
  type ResolvedPath,
} from '../path/resolve-path.ts';
import { refuseSecret } from '../path/path-protection.ts';
import type { RootFolder } from '../path/root-folder.ts';
import {
  holdContent,
  openContent,
  readFileSnapshot,
  readTextWindow,
  type TextWindow,
  type WindowRequest,
} from './file-content.ts';

/** A path that was looked up and is pinned until it is disposed of: reads always refer to the file found then. */
export class FoundPath implements Disposable {
  readonly info: PathInfo;
  readonly #resolved: ResolvedPath;
  readonly #root: RootFolder;

  /** @throws PathError when the path leads out of the root; FileError when it cannot be followed */
  constructor(path: string, root: RootFolder) {
    this.#resolved = resolveGivenPath(path, root);
    this.#root = root;
    this.info = describePath(this.#resolved);
  }

  /** Reads a part of the file, as `WorkspaceRoot.readWindow` does. */
  async readWindow(request: WindowRequest): Promise<TextWindow> {
    if (this.#resolved.stats === undefined) throw createMissingError(this.#resolved, this.#root);
    refuseSecret(this.#resolved, request.secrets);
    const unsaved = await readUnsavedText(this.#resolved, this.#root);
    await using content = unsaved === undefined ? await openContent(this.#resolved) : holdContent(unsaved);
    return await readTextWindow(content, request);
  }

  [Symbol.dispose](): void {
    this.#resolved[Symbol.dispose]();
  }
}

/** Maximum size of a file for which an editor is asked, in bytes. */
const LARGEST = 4 * 1024 * 1024;

/**
 * Returns the unsaved text of an editor for a file on disk; undefined when the editor has no unsaved changes. The path
 * was checked before, so an editor is never asked for a file that the workspace would not read.
 */
export async function readUnsavedText(file: ResolvedPath, root: RootFolder): Promise<Uint8Array | undefined> {
  const { readUnsaved } = root;
  // Text written by a run block takes precedence over unsaved text of an editor.
  if (root.draft?.stampOf(file.path) !== undefined) return undefined;
  if (readUnsaved === undefined || file.stats?.isFile() !== true || file.stats.size > LARGEST) return undefined;
  const text = await readUnsaved(`${root.path}/${file.path}`).catch(() => undefined);
  if (text === undefined) return undefined;
  const saved = await readFileSnapshot(file, LARGEST);
  if (saved?.content === undefined || saved.binary) return undefined;
  return fold(text) === fold(Buffer.from(saved.content).toString('utf8')) ? undefined : Buffer.from(text);
}

/** Normalizes text for comparison: editors store line breaks and the byte order mark separately from the text. */
function fold(text: string): string {
  return text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
}
