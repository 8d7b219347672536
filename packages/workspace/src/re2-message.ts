import type { FoundRow } from './found-file.ts';

/** Files for the worker to search. The pattern is the same in every request to one worker. */
export interface Re2Request {
  readonly pattern: string;
  /** Most rows per file. */
  readonly limit: number;
  /** Most characters of a row for code. */
  readonly width: number;
  readonly files: readonly Uint8Array[];
}

/** One file's matching lines. */
export interface Re2File {
  readonly rows: readonly FoundRow[];
  readonly matches: number;
}

/** What the worker found, file by file, or what is wrong with the pattern. */
export type Re2Reply = { readonly files: readonly Re2File[] } | { readonly problem: string };
