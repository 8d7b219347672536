import type { ToolContext } from '@bae/core';
import {
  BY_COMMAND,
  formatPath,
  formatQuantity,
  type KeptFiles,
  type ProgramChange,
  type WorkspaceRoot,
} from '@bae/workspace';

const MOST_NAMED = 12;
const FEW_NAMED = 3;

type Caller = Pick<ToolContext, 'session' | 'signal'>;

/** Files that programs changed in one session. */
interface ProgramChanges {
  readonly paths: Set<string>;
  /** Those that commands of the model have changed: they contain what it says. */
  readonly written: Set<string>;
  /** Number of programs whose changes are not known yet: they run. */
  unknown: number;
  /** Number of programs that were started. */
  started: number;
}

const changesByWorkspace = new WeakMap<WorkspaceRoot, Map<string, ProgramChanges>>();

function getProgramChanges(root: WorkspaceRoot, session: string): ProgramChanges {
  const sessions = changesByWorkspace.get(root) ?? new Map<string, ProgramChanges>();
  changesByWorkspace.set(root, sessions);
  const changes = sessions.get(session) ?? { paths: new Set(), written: new Set(), unknown: 0, started: 0 };
  sessions.set(session, changes);
  return changes;
}

/**
 * Lists the files that a session has changed, removed ones included, by tools and by programs; returns undefined if
 * they are not all known.
 */
export async function listChangedFiles(
  root: WorkspaceRoot,
  { session }: Pick<ToolContext, 'session'>,
): Promise<readonly string[] | undefined> {
  const { paths, unknown } = getProgramChanges(root, session.id);
  if (unknown > 0) return undefined;
  return [...new Set([...(await listWrittenFiles(root, { session })), ...paths])].toSorted();
}

/** Counts the programs that a session has started and that may have changed files; undefined while some of them run. */
export function countPrograms(root: WorkspaceRoot, session: string): number | undefined {
  const { unknown, started } = getProgramChanges(root, session);
  return unknown > 0 ? undefined : started;
}

/** Lists the files that the model has changed in a session by tools and commands, removed ones included. */
export async function listWrittenFiles(
  root: WorkspaceRoot,
  { session }: Pick<ToolContext, 'session'>,
): Promise<readonly string[]> {
  const operations = await root.operations();
  const own = operations.filter((one) => one.session === session.id && one.action !== BY_COMMAND);
  return [...new Set([...own.map(({ path }) => path), ...getProgramChanges(root, session.id).written])];
}

/** What runs: a script of the project, or a command in the words of the model. */
type Author = 'project' | 'model';

/** The files before something runs, to list the changed ones afterwards, and to undo these changes. */
export class FilesBefore {
  readonly #changes: ProgramChanges;
  readonly #session: string;
  readonly #kept: KeptFiles;
  readonly #author: Author;

  private constructor(changes: ProgramChanges, { session, kept, author }: Looked) {
    this.#changes = changes;
    this.#session = session;
    this.#kept = kept;
    this.#author = author;
  }

  /** Keeps the files that a search would find, without ignored files and folders such as node_modules. */
  static async look(root: WorkspaceRoot, { session, signal }: Caller, author: Author): Promise<FilesBefore> {
    const kept = await root.keepFiles(signal);
    const changes = getProgramChanges(root, session.id);
    changes.unknown++;
    changes.started++;
    return new FilesBefore(changes, { session: session.id, kept, author });
  }

  /** The files before it ran, and after its changes were rendered, each with a stamp. */
  get stamps(): FileStamps {
    return { before: this.#kept.stamps, after: this.#kept.stampsAfter };
  }

  /**
   * Records the changes for undo, and renders lines that name the changed files; none if all are unchanged. Once for
   * each look. Never fails: the command has ended, and its output is wanted in any case.
   */
  async renderChanged(): Promise<readonly string[]> {
    try {
      return this.#render(await this.#kept.record(this.#session));
    } catch (error) {
      return [`what it changed is not known: ${(error as Error).message}`];
    }
  }

  #render(changed: readonly ProgramChange[]): readonly string[] {
    const { paths, written } = this.#changes;
    this.#changes.unknown--;
    for (const { path } of changed) {
      paths.add(path);
      if (this.#author === 'model') written.add(path);
    }
    if (changed.length === 0) return [];
    const named = changed
      .slice(0, MOST_NAMED)
      .map(({ path, isGone }) => `${formatPath(path)}${isGone ? ' (gone)' : ''}`);
    const line = `changed ${formatQuantity(changed.length, 'file')}: ${nameFirst(named, changed.length)}`;
    return [line, ...renderObstacles(changed)];
  }
}

/** The files around the run of a program, by path, each with a stamp. */
export interface FileStamps {
  readonly before: ReadonlyMap<string, string>;
  /** Undefined if they are not known. */
  readonly after: ReadonlyMap<string, string> | undefined;
}

/** What a program came to. */
export interface WatchedRun<T> {
  readonly result: T;
  /** Lines that name the files that it changed. */
  readonly changed: readonly string[];
  readonly stamps: FileStamps;
}

interface Looked {
  readonly session: string;
  readonly kept: KeptFiles;
  readonly author: Author;
}

/** Runs the programs of a space, and records for undo what they change. */
export class ProgramWatch {
  readonly #root: WorkspaceRoot;
  readonly #author: Author;
  readonly #open = new Set<Promise<unknown>>();

  constructor(root: WorkspaceRoot, author: Author) {
    this.#root = root;
    this.#author = author;
  }

  /**
   * Runs something that may change files, which are recorded also when it fails.
   *
   * @param work gets the files before it, each with a stamp
   */
  async run<T>(caller: Caller, work: (before: FileStamps['before']) => Promise<T>): Promise<WatchedRun<T>> {
    const before = await FilesBefore.look(this.#root, caller, this.#author);
    const done = work(before.stamps.before).then(
      async (result) => ({ result, changed: await before.renderChanged(), stamps: before.stamps }),
      async (error: unknown) => {
        await before.renderChanged();
        throw error;
      },
    );
    this.#open.add(done);
    try {
      return await done;
    } finally {
      this.#open.delete(done);
    }
  }

  /** Waits until what ran is recorded. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#open);
  }
}

/** Names the files whose change an undo leaves, with the reason. */
function renderObstacles(changed: readonly ProgramChange[]): readonly string[] {
  const left = Map.groupBy(
    changed.filter(({ obstacle }) => obstacle !== undefined),
    ({ obstacle }) => obstacle!,
  );
  const reasons = [...left].map(([obstacle, files]) => {
    const named = files.slice(0, FEW_NAMED).map(({ path }) => formatPath(path));
    return `${nameFirst(named, files.length)} (${obstacle})`;
  });
  return reasons.length === 0 ? [] : [`cannot be undone: ${nameFirst(reasons.slice(0, FEW_NAMED), reasons.length)}`];
}

function nameFirst(named: readonly string[], count: number): string {
  return `${named.join(', ')}${count > named.length ? ` +${count - named.length}` : ''}`;
}
