import { ConflictError, type LineRange, type SessionState, type ToolContext } from '@bae/core';
import { formatPath } from '../path/show-path.ts';
import { renderRange } from '../text/text-lines.ts';
import type { WorkspaceRoot } from '../workspace-root.ts';

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
  /** The only lines of the base that are known, if searches and edits showed some lines of a file that was not read. */
  readonly known?: ReadonlySet<number>;
  /** Hash of the version that a call of this response has shown, after the response was written. */
  readonly shownSince?: string;
}

interface Memory {
  /** All versions that the session ever read or wrote, as `path\0hash`. */
  readonly versions: Set<string>;
  batch: ToolContext['batch'];
  views: Map<string, FileView>;
  /** Single lines that searches and edits showed, by path, in the version that was shown last. */
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
  readonly #files: ToolContext['files'] | undefined;
  readonly #memory: Memory;

  /** @param context its `files` get those that are shown; absent when a planned change is applied */
  constructor({ session, batch, files }: Pick<ToolContext, 'session' | 'batch'> & Partial<Pick<ToolContext, 'files'>>) {
    this.#session = session;
    this.#files = files;
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
    this.#files?.add(path);
    const view = this.view(path);
    if (view.base === undefined) this.#remember(path, { base: version, current: version, patches: [] });
    else this.#remember(path, { ...view, shownSince: version.hash });
    this.#see(path, version);
  }

  /** Records that the file was listed without its text: for a file that was read before, this reveals no change. */
  outlined(path: string, version: SeenVersion): void {
    this.#files?.add(path);
    if (this.#seen(path) === undefined) this.shown(path, version);
  }

  /** Records that a search or an edit showed some lines of a version of the file. */
  shownLines(path: string, { hash, numbers }: ShownLines): void {
    const { lines } = this.#memory;
    const known = lines.get(path);
    lines.set(path, { hash, numbers: [...(known?.hash === hash ? known.numbers : []), ...numbers] });
  }

  /**
   * Returns the view of a file of which lines are changed; its base is undefined if the file was not read, and no
   * search or edit showed all of these lines.
   *
   * @param now the current version of the file
   */
  viewLines(path: string, [start, end]: LineRange, now: SeenVersion): FileView {
    const view = this.view(path);
    const shown = this.#memory.lines.get(path);
    if (view.base !== undefined && view.known === undefined) return view;
    const known = view.known ?? new Set(shown?.hash === now.hash ? shown.numbers : []);
    const unread: FileView = { base: undefined, current: undefined, patches: [] };
    if (end === null) return unread;
    for (let line = start; line <= end; line++) if (!known.has(line)) return unread;
    return view.base === undefined ? this.#remember(path, { base: now, current: now, patches: [], known }) : view;
  }

  /** Records that the session wrote the whole file. */
  written(path: string, version: SeenVersion): void {
    this.#remember(path, { base: version, current: version, patches: [] });
    this.#see(path, version);
  }

  /**
   * Records that the session changed some lines. Of a file that was never read, the lines that were shown remain known.
   */
  edited(path: string, version: SeenVersion, { before, patches, shown = [] }: LineChange): void {
    const view = this.view(path);
    if (view.base !== undefined) {
      this.#remember(path, { ...view, current: version, patches: [...view.patches, ...patches] });
      if (view.known === undefined) this.#see(path, version);
    }
    const { lines } = this.#memory;
    const known = lines.get(path);
    const kept = known?.hash === before ? known.numbers.flatMap((line) => shiftLine(line, patches) ?? []) : [];
    lines.set(path, { hash: version.hash, numbers: [...kept, ...shown] });
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
  { current, shownSince }: FileView,
  file: string | { readonly name: string; readonly tag: string },
  now: SeenVersion,
): void {
  if (current === undefined || current.hash === now.hash) return;
  const name = formatPath(typeof file === 'string' ? file : file.name);
  const fact = `${name} changed since you read it (line count ${current.lines} -> ${now.lines}).`;
  if (shownSince === now.hash)
    throw new ConflictError(`${fact} The read above comes too late for this edit: send the edit again.`);
  throw new ConflictError(`${fact} Re-read before editing.`, [typeof file === 'string' ? `<R:${name}>` : file.tag]);
}

/** Returns the number of a line after some changes; undefined if one of them removed it. */
function shiftLine(line: number, patches: readonly LinePatch[]): number | undefined {
  let moved = line;
  for (const { first, removed, added } of patches) {
    if (moved >= first && moved < first + removed) return undefined;
    if (moved >= first) moved += added - removed;
  }
  return moved;
}

/**
 * Says where the lines are now that earlier edits of a response showed, if a later edit above them has moved them:
 * `[lines 20-24 above are now lines 21-25]`. Empty if it has moved none.
 *
 * @param earlier changes by the earlier edits, in order
 * @param patches changes by the later edit
 */
export function describeMoves(earlier: readonly LinePatch[], patches: readonly LinePatch[]): string {
  const moves = earlier.flatMap(({ first, added }, index) => {
    const before = shiftLine(first, earlier.slice(index + 1));
    const now = before === undefined ? undefined : shiftLine(before, patches);
    return now === undefined || now === before
      ? []
      : [{ first, last: first + Math.max(added, 1) - 1, moved: now - first }];
  });
  const groups = [...Map.groupBy(moves, ({ moved }) => moved)].map(([moved, some]) => {
    const [first, last] = [Math.min(...some.map((one) => one.first)), Math.max(...some.map((one) => one.last))];
    const name = first === last ? 'line' : 'lines';
    const verb = first === last ? 'is' : 'are';
    return `${name} ${renderRange(first, last)} above ${verb} now ${name} ${renderRange(first + moved, last + moved)}`;
  });
  return groups.length === 0 ? '' : `[${groups.join('; ')}]`;
}

/** A change of some lines of a file. */
export interface LineChange {
  /** Hash of the file before the change. */
  readonly before: string;
  readonly patches: readonly LinePatch[];
  /** Numbers of the lines that the result of the change shows. Default: none. */
  readonly shown?: readonly number[];
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

/** Adds a file or folder that the arguments of a call name to the files of the call, if there is one. */
export function nameFile(root: WorkspaceRoot, path: string, { files }: Pick<ToolContext, 'files'>): void {
  try {
    const { path: real, kind } = root.open(path).info;
    if (kind !== 'missing') files.add(real);
  } catch {
    // What leads out of the workspace is refused where it is used.
  }
}
