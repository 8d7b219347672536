import type { FileDigest, FileSnapshot } from '../file/file-content.ts';
import type { ResolvedPath } from '../path/resolve-path.ts';

/** The way a change is recorded, and the content that it may replace. */
export interface ChangeDetails {
  /**
   * SHA-256 that the content must have at the time of the change, null when the file must not exist. Default: for a
   * planned change, the content as last read; otherwise any content is allowed.
   */
  readonly expected?: string | null | undefined;
  /** Name of the action, as a noun. Default: `write` or `remove`. */
  readonly action?: string | undefined;
  /** Number of replaced lines, and of the lines that replace them. Default: all lines. */
  readonly lines?: readonly [before: number, after: number] | undefined;
  /** True to replace read-only files too. */
  readonly force?: boolean | undefined;
}

export interface FileStep extends ChangeDetails {
  readonly file: {
    readonly path: string;
    /** Resolves the path again, which must lead to the same file. */
    resolve(): ResolvedPath;
  };
  /** New content; null to remove the file. */
  readonly content: Uint8Array | null;
  /**
   * The version that the change was planned on, null for a missing file; without a plan, the current content is read.
   */
  readonly plannedOn?: FileSnapshot | null | undefined;
  /** Permission bits of a new file. Default: those that the process assigns. */
  readonly mode?: number | undefined;
}

export interface WrittenFile extends FileDigest {
  /** False when the content it replaced was too large for the journal. */
  readonly undoable: boolean;
}
