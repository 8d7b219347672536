import { formatPath, formatQuantity, type WorkspaceRoot } from '@bae/workspace';

const MOST_NAMED = 12;

/** Records the state of the files before something runs, to list the changed ones afterwards. */
export class FilesBefore {
  readonly #root: WorkspaceRoot;
  readonly #stamps: ReadonlyMap<string, string>;

  private constructor(root: WorkspaceRoot, stamps: ReadonlyMap<string, string>) {
    this.#root = root;
    this.#stamps = stamps;
  }

  /** Records the files that a search would find, without ignored files and folders such as node_modules. */
  static async look(root: WorkspaceRoot, signal: AbortSignal): Promise<FilesBefore> {
    return new FilesBefore(root, await root.stamps({ pattern: '**/*', signal }));
  }

  /** Renders a line that names the changed files; returns none if all are unchanged. */
  async renderChanged(signal: AbortSignal): Promise<readonly string[]> {
    const after = await this.#root.stamps({ pattern: '**/*', signal });
    const paths = [...new Set([...this.#stamps.keys(), ...after.keys()])].filter(
      (path) => readState(this.#stamps.get(path)) !== readState(after.get(path)),
    );
    if (paths.length === 0) return [];
    const named = paths.slice(0, MOST_NAMED).map((path) => `${formatPath(path)}${after.has(path) ? '' : ' (gone)'}`);
    const more = paths.length > named.length ? ` +${paths.length - named.length}` : '';
    return [`changed ${formatQuantity(paths.length, 'file')}: ${named.join(', ')}${more}`];
  }
}

/** A stamp without what makes it another one while the file is still being written. */
function readState(stamp: string | undefined): string | undefined {
  return stamp?.split(':').slice(0, 4).join(':');
}
