import type { FileDigest, FileSnapshot } from '../file/file-content.ts';
import type { ResolvedPath } from '../path/resolve-path.ts';

/** How a change is recorded, and what it may replace. */
export interface ChangeDetails {
  /**
   * SHA-256 that the content has to have until the very moment of the change, null when nothing may be there. Default:
   * of a planned change the content as last read; otherwise anything may be there.
   */
  readonly expected?: string | null | undefined;
  /** What is done, as a noun. Default: `write` or `remove`. */
  readonly action?: string | undefined;
  /** Lines that are replaced, and lines that take their place. Default: all of them. */
  readonly lines?: readonly [before: number, after: number] | undefined;
  /** True to replace also a read-only file. */
  readonly force?: boolean | undefined;
}

export interface FileStep extends ChangeDetails {
  readonly file: {
    readonly path: string;
    /** Resolves the path again, which must lead to the same file. */
    resolve(): ResolvedPath;
  };
  /** Null to remove the file. */
  readonly content: Uint8Array | null;
  /** What the change was planned on, null for nothing; when it was not planned, what is there is read. */
  readonly plannedOn?: FileSnapshot | null | undefined;
  /** Permission bits of a file that is new. Default: what the process gives. */
  readonly mode?: number | undefined;
}

export interface WrittenFile extends FileDigest {
  /** False when the content it replaced was too large for the journal. */
  readonly undoable: boolean;
}
