import { fileURLToPath, pathToFileURL } from 'node:url';

// The part of the Language Server Protocol that the type service uses. Lines and characters count from 0, in UTF-16.

export interface Position {
  readonly line: number;
  readonly character: number;
}

interface Range {
  readonly start: Position;
  readonly end: Position;
}

export interface Location {
  readonly uri: string;
  readonly range: Range;
}

export interface WorkspaceEdit {
  readonly changes?: Readonly<Record<string, readonly { readonly range: Range; readonly newText: string }[]>>;
}

export interface PulledDiagnostics {
  readonly items?: readonly {
    readonly range: Range;
    /** Severity; 1 is an error. */
    readonly severity?: number;
    readonly code?: number | string;
    readonly message: string;
  }[];
}

export function toUri(file: string): string {
  return pathToFileURL(file).href;
}

/** Returns the path of a file; empty for files that are not on disk, such as the compiler's own libraries. */
function toFile(uri: string): string {
  return uri.startsWith('file:') ? fileURLToPath(uri) : '';
}

/** A position in a file (an absolute path). */
export interface FilePosition {
  readonly file: string;
  readonly position: Position;
}

/** Returns the start of a location. Its end is left out: it may be wrong if a built file led to a source. */
export function toPlace({ uri, range }: Location): FilePosition {
  return { file: toFile(uri), position: range.start };
}

export function toPlaceKey({ file, position: { line, character } }: FilePosition): string {
  return `${line}:${character}:${file}`;
}

/** A query of the type service failed; the workspace is unchanged. */
export class TypeServiceError extends Error {
  override readonly name = 'TypeServiceError';
  /**
   * `closed`: the service was disposed · `not-installed`: no compiler for this machine · `stopped`: the compiler ended,
   * even after a restart · `time`: the time limit passed · `refused`: the compiler responded with an error
   */
  readonly problem: 'closed' | 'not-installed' | 'stopped' | 'time' | 'refused';

  constructor(problem: TypeServiceError['problem'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.problem = problem;
  }
}

/** Returns true for an error response of the compiler. */
export function isRefused(error: unknown): boolean {
  return error instanceof TypeServiceError && error.problem === 'refused';
}
