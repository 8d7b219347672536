import { openContent } from './open-file.ts';
import { readTextWindow, type TextWindow, type WindowRequest } from './text-window.ts';
import { refuseOwn, refuseSecret } from '../path/path-protection.ts';
import { findPlace, infoOf, missingFile, type PathInfo, type Place } from '../path/resolve-path.ts';
import type { RootFolder } from '../path/root-folder.ts';

/** A path that was looked up, held until it is disposed of: what is read is what it led to then. */
export class FoundPath implements Disposable {
  readonly info: PathInfo;
  readonly #place: Place;
  readonly #root: RootFolder;

  /** @throws PathError when the path leads out of the root; FileError when it cannot be followed */
  constructor(path: string, root: RootFolder) {
    this.#place = findPlace(path, root);
    this.#root = root;
    this.info = infoOf(this.#place);
  }

  /**
   * A part of a file of any size; only that part is held in memory. The text of a binary file is empty.
   *
   * @throws FileNotFoundError when nothing is there; ProtectedFileError for a secret, unless `secrets`
   */
  async readWindow(request: WindowRequest): Promise<TextWindow> {
    const place = this.#place;
    if (place.stats === undefined) throw await missingFile(place, this.#root);
    if (request.secrets !== true) refuseSecret(place);
    refuseOwn(place);
    await using content = await openContent(place);
    return await readTextWindow(content, request);
  }

  [Symbol.dispose](): void {
    this.#place[Symbol.dispose]();
  }
}
