import { ConflictError, type LineRange, type SessionState, type ToolContext } from '@bae/core';
import { formatPath } from '../path/show-path.ts';

/** A version of a file that a session remembers. */
export interface SeenVersion {
  readonly hash: string;
  readonly lines: number;
}

/** The state of a file that a response assumes: the response was written before any of its calls ran. */
export interface FileView {
  /** The version that its line numbers refer to; undefined when it was never read. */
  readonly base: SeenVersion | undefined;
  /** The version that the file must have now; undefined if any version is allowed. */
  readonly current: SeenVersion | undefined;
  /** The changes that calls of this response made to the base, in order. */
  readonly patches: readonly LinePatch[];
}

interface Memory {
  /** All versions that the session ever read or wrote, as `path\0hash`. */
  readonly versions: Set<string>;
  batch: ToolContext['batch'];
  views: Map<string, FileView>;
  /** Single lines that a search showed, by path, in the version that was searched last. */
  readonly lines: Map<string, ShownLines>;
}

interface ShownLines {
  readonly hash: string;
  readonly numbers: readonly number[];
}

const memories = new WeakMap<SessionState, Memory>();

/** The files that a session has seen, as of one response. Paths are relative to the root, with links resolved. */
export class SeenFiles {
  readonly #session: SessionState;
  readonly #memory: Memory;

  constructor({ session, batch }: Pick<ToolContext, 'session' | 'batch'>) {
    this.#session = session;
    const memory = memories.get(session) ?? { versions: new Set(), batch, views: new Map(), lines: new Map() };
    memories.set(session, memory);
    // Code sees the result of each of its calls, so each counts as a response; it has no list of calls.
    if (memory.batch !== batch || batch.length === 0) memory.views = new Map();
    memory.batch = batch;
    this.#memory = memory;
  }

  view(path: string): FileView {
    const known = this.#memory.views.get(path);
    if (known !== undefined) return known;
    const seen = this.#seen(path);
    return this.#remember(path, { base: seen, current: seen, patches: [] });
  }

  /** Records that the file was read. The current response keeps its earlier view of the file, if it has one. */
  shown(path: string, version: SeenVersion): void {
    if (this.view(path).base === undefined) this.#remember(path, { base: version, current: version, patches: [] });
    this.#see(path, version);
  }

  /** Records that the file was listed without its text: for a file that was read before, this reveals no change. */
  outlined(path: string, version: SeenVersion): void {
    if (this.#seen(path) === undefined) this.shown(path, version);
  }

  /** Records that a search showed some lines of a version of the file. */
  shownLines(path: string, { hash, numbers }: ShownLines): void {
    const { lines } = this.#memory;
    const known = lines.get(path);
    lines.set(path, { hash, numbers: [...(known?.hash === hash ? known.numbers : []), ...numbers] });
  }

  /** Returns true when searches showed every line of a range of this version. */
  hasShown(path: string, hash: string, [start, end]: LineRange): boolean {
    const shown = this.#memory.lines.get(path);
    if (shown?.hash !== hash || end === null) return false;
    const numbers = new Set(shown.numbers);
    for (let line = start; line <= end; line++) if (!numbers.has(line)) return false;
    return true;
  }

  /** Records that the session wrote the whole file. */
  written(path: string, version: SeenVersion): void {
    this.#remember(path, { base: version, current: version, patches: [] });
    this.#see(path, version);
  }

  /** Records that the session changed some lines. A file that was never read remains unread. */
  edited(path: string, version: SeenVersion, patches: readonly LinePatch[]): void {
    const view = this.view(path);
    if (view.base === undefined) return;
    this.#remember(path, { ...view, current: version, patches: [...view.patches, ...patches] });
    this.#see(path, version);
  }

  /** Records that the file was restored to an earlier version, which the session may or may not have seen. */
  reverted(path: string, version: SeenVersion | undefined): void {
    this.#memory.views.delete(path);
    if (version !== undefined && this.#memory.versions.has(`${path}\0${version.hash}`)) this.#see(path, version);
    else this.#session.seen.delete(path);
  }

  #remember(path: string, view: FileView): FileView {
    this.#memory.views.set(path, view);
    return view;
  }

  #see(path: string, { hash, lines }: SeenVersion): void {
    this.#session.seen.set(path, `${hash}:${lines}`);
    this.#memory.versions.add(`${path}\0${hash}`);
  }

  #seen(path: string): SeenVersion | undefined {
    const [hash, lines] = this.#session.seen.get(path)?.split(':') ?? [];
    return hash === undefined ? undefined : { hash, lines: Number(lines) };
  }
}

/**
 * Refuses to change a file whose content differs from the version that this session read last.
 *
 * @param file the file as it is written in tags, or its name and the tag that shows its text
 * @param now the current version of the file
 * @throws ConflictError when it was read and has changed since
 */
export function refuseStale(
  { current }: FileView,
  file: string | { readonly name: string; readonly tag: string },
  now: SeenVersion,
): void {
  if (current === undefined || current.hash === now.hash) return;
  const name = formatPath(typeof file === 'string' ? file : file.name);
  throw new ConflictError(
    `${name} changed since you read it (line count ${current.lines} -> ${now.lines}). Re-read before editing.`,
    [typeof file === 'string' ? `<R:${name}>` : file.tag],
  );
}

/** A replacement of lines of a text by other lines. */
export interface LinePatch {
  /**
   * Number of the first removed line, 1-based; if none is removed, of the line before which the new ones are inserted.
   */
  readonly first: number;
  readonly removed: number;
  readonly added: number;
}
