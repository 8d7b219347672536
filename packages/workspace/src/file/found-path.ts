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

/** A path that was looked up, pinned until it is disposed of: what is read is what it led to then. */
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

/** Bytes of the largest file that an editor is asked for. */
const LARGEST = 4 * 1024 * 1024;

/**
 * What an editor has instead of a file that is on disk; undefined where it has nothing else. The path was checked
 * before, so an editor is never asked for what the workspace would not read.
 */
export async function readUnsavedText(file: ResolvedPath, root: RootFolder): Promise<Uint8Array | undefined> {
  const { readUnsaved } = root;
  // What a run block has written stands before what an editor has not saved.
  if (root.draft?.stampOf(file.path) !== undefined) return undefined;
  if (readUnsaved === undefined || file.stats?.isFile() !== true || file.stats.size > LARGEST) return undefined;
  const text = await readUnsaved(`${root.path}/${file.path}`).catch(() => undefined);
  if (text === undefined) return undefined;
  const saved = await readFileSnapshot(file, LARGEST);
  if (saved?.content === undefined || saved.binary) return undefined;
  return fold(text) === fold(Buffer.from(saved.content).toString('utf8')) ? undefined : Buffer.from(text);
}

/** Editors keep line breaks and the byte order mark apart from the text. */
function fold(text: string): string {
  return text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
}
