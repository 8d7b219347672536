import { ConflictError, type SessionState, type ToolContext } from '@bae/core';
import { showPath } from '../path/show-path.ts';

/** A version of a file, as far as a session remembers it. */
export interface SeenVersion {
  readonly hash: string;
  readonly lines: number;
}

/** What a response takes a file for: it was written before any of its calls ran. */
export interface FileView {
  /** The version its line numbers are those of; undefined when it was never shown. */
  readonly base: SeenVersion | undefined;
  /** What has to be in the file by now; undefined when that does not matter. */
  readonly current: SeenVersion | undefined;
  /** What calls of this response have made of the base, one after the other. */
  readonly patches: readonly LinePatch[];
}

interface Memory {
  /** All versions that were ever shown or written, as `path\0hash`. */
  readonly versions: Set<string>;
  batch: ToolContext['batch'];
  views: Map<string, FileView>;
}

const memories = new WeakMap<SessionState, Memory>();

/** What a session knows of files, seen from one response. Paths are those below the root, without links. */
export class SeenFiles {
  readonly #session: SessionState;
  readonly #memory: Memory;

  constructor({ session, batch }: Pick<ToolContext, 'session' | 'batch'>) {
    this.#session = session;
    const memory = memories.get(session) ?? { versions: new Set(), batch, views: new Map() };
    memories.set(session, memory);
    // Code sees what each of its calls answers, so each is a response of its own; it has no list of calls.
    if (memory.batch !== batch || batch.length === 0) memory.views = new Map();
    memory.batch = batch;
    this.#memory = memory;
  }

  /** What the response takes a file for. */
  view(path: string): FileView {
    const known = this.#memory.views.get(path);
    if (known !== undefined) return known;
    const seen = this.#seen(path);
    return this.#remember(path, { base: seen, current: seen, patches: [] });
  }

  /** The file was shown. For this response that comes too late, unless it knows nothing else. */
  shown(path: string, version: SeenVersion): void {
    if (this.view(path).base === undefined) this.#remember(path, { base: version, current: version, patches: [] });
    this.#see(path, version);
  }

  /** What is in the file was listed, without its text: of a file that was shown before, that shows no change. */
  outlined(path: string, version: SeenVersion): void {
    if (this.#seen(path) === undefined) this.shown(path, version);
  }

  /** The session wrote the whole file. */
  written(path: string, version: SeenVersion): void {
    this.#remember(path, { base: version, current: version, patches: [] });
    this.#see(path, version);
  }

  /** The session changed some lines. A file that was never shown is still not known by that. */
  edited(path: string, version: SeenVersion, patches: readonly LinePatch[]): void {
    const view = this.view(path);
    if (view.base === undefined) return;
    this.#remember(path, { ...view, current: version, patches: [...view.patches, ...patches] });
    this.#see(path, version);
  }

  /** The file is again what it was. If that was shown at the time, it is known. */
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
 * Refuses to change a file whose content is not what this session was last shown.
 *
 * @param file the file as it is written in tags, or its name and the tag that shows its text
 * @param now the file at this moment
 * @throws ConflictError when it was shown and has changed since
 */
export function refuseStale(
  { current }: FileView,
  file: string | { readonly name: string; readonly tag: string },
  now: SeenVersion,
): void {
  if (current === undefined || current.hash === now.hash) return;
  const shown = showPath(typeof file === 'string' ? file : file.name);
  throw new ConflictError(
    `${shown} changed since you read it (line count ${current.lines} -> ${now.lines}). Re-read before editing.`,
    [typeof file === 'string' ? `<R:${shown}>` : file.tag],
  );
}

/** Lines of a text that other lines took the place of. */
export interface LinePatch {
  /** Number of the first line, 1-based; with none removed, of the line that the new ones come before. */
  readonly first: number;
  readonly removed: number;
  readonly added: number;
}
