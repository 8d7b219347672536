/** A version of a file's content. */
export interface FileVersion {
  /** SHA-256 of the bytes, in hex. */
  readonly hash: string;
  /** Bytes. */
  readonly size: number;
  readonly lines: number;
  /** Permission bits. */
  readonly mode: number;
}

/** One change of one file, as the journal keeps it. */
export interface Operation {
  /** Name of the operation among all of the workspace: its journal, a slash and its number there. */
  readonly id: string;
  /** Who made it. */
  readonly session: string;
  /** When it began, in ISO 8601. */
  readonly time: string;
  /** What was done, as a noun for people: `write`, `edit`, `remove`. */
  readonly action: string;
  /** Path below the root, without links. */
  readonly path: string;
  /** What was there; absent when nothing was. */
  readonly before?: FileVersion;
  /** What was left there; absent when nothing was. */
  readonly after?: Omit<FileVersion, 'mode'>;
  /** Lines that were replaced, and lines that took their place. */
  readonly lines: readonly [before: number, after: number];
  /** Folders created for the file, outermost first. */
  readonly folders: readonly string[];
  /** What was changed together has the same one, and is taken back together; absent for what was changed alone. */
  readonly group?: string;
  /** False when the old content was too large to be kept: then it cannot be undone. */
  readonly kept: boolean;
}

/** An operation that has not been numbered yet. */
export type OperationDraft = Omit<Operation, 'id' | 'time'>;
