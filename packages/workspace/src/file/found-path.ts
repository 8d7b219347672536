import {
  createMissingError,
  describePath,
  resolveGivenPath,
  type PathInfo,
  type ResolvedPath,
} from '../path/resolve-path.ts';
import { refuseSecret } from '../path/path-protection.ts';
import type { RootFolder } from '../path/root-folder.ts';
import { holdContent, openContent, readTextWindow, type TextWindow, type WindowRequest } from './file-content.ts';
import { readUnsavedText } from './unsaved-text.ts';

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
