import type { ToolContext } from '@bae/core';
import { formatPath, formatQuantity, type WorkspaceRoot } from '@bae/workspace';

const MOST_NAMED = 12;

type Caller = Pick<ToolContext, 'session' | 'signal'>;

/** Files that programs changed in one session. */
interface ProgramChanges {
  readonly paths: Set<string>;
  /** Number of programs whose changes are not known: they run, were interrupted, or ran in the background. */
  unknown: number;
}

const changesByWorkspace = new WeakMap<WorkspaceRoot, Map<string, ProgramChanges>>();

function getProgramChanges(root: WorkspaceRoot, session: string): ProgramChanges {
  const sessions = changesByWorkspace.get(root) ?? new Map<string, ProgramChanges>();
  changesByWorkspace.set(root, sessions);
  const changes = sessions.get(session) ?? { paths: new Set(), unknown: 0 };
  sessions.set(session, changes);
  return changes;
}

/** Records that a program of a session runs without anyone looking at what it changes. */
export function recordUnknownChanges(root: WorkspaceRoot, { session }: Pick<ToolContext, 'session'>): void {
  getProgramChanges(root, session.id).unknown++;
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

/** Lists the files that tools have changed in a session, removed ones included. */
export async function listWrittenFiles(
  root: WorkspaceRoot,
  { session }: Pick<ToolContext, 'session'>,
): Promise<readonly string[]> {
  const operations = await root.operations();
  return [...new Set(operations.filter((one) => one.session === session.id).map(({ path }) => path))];
}

/** Records the state of the files before something runs, to list the changed ones afterwards. */
export class FilesBefore {
  readonly #root: WorkspaceRoot;
  readonly #stamps: ReadonlyMap<string, string>;

  private constructor(root: WorkspaceRoot, stamps: ReadonlyMap<string, string>) {
    this.#root = root;
    this.#stamps = stamps;
  }

  /** Records the files that a search would find, without ignored files and folders such as node_modules. */
  static async look(root: WorkspaceRoot, { session, signal }: Caller): Promise<FilesBefore> {
    const before = new FilesBefore(root, await root.stamps({ pattern: '**/*', signal }));
    getProgramChanges(root, session.id).unknown++;
    return before;
  }

  /** Renders a line that names the changed files; returns none if all are unchanged. Once for each look. */
  async renderChanged({ session, signal }: Caller): Promise<readonly string[]> {
    const after = await this.#root.stamps({ pattern: '**/*', signal });
    const paths = [...new Set([...this.#stamps.keys(), ...after.keys()])].filter(
      (path) => readState(this.#stamps.get(path)) !== readState(after.get(path)),
    );
    const changes = getProgramChanges(this.#root, session.id);
    changes.unknown--;
    for (const path of paths) changes.paths.add(path);
    if (paths.length === 0) return [];
    const named = paths.slice(0, MOST_NAMED).map((path) => `${formatPath(path)}${after.has(path) ? '' : ' (gone)'}`);
    const more = paths.length > named.length ? ` +${paths.length - named.length}` : '';
    return [`changed ${formatQuantity(paths.length, 'file')}: ${named.join(', ')}${more}`];
  }
}

/** Returns a stamp without the part that changes while a file is still being written. */
function readState(stamp: string | undefined): string | undefined {
  return stamp?.split(':').slice(0, 4).join(':');
}
