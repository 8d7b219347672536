import { fileURLToPath, pathToFileURL } from 'node:url';

// The part of the Language Server Protocol that the type service uses. Lines and characters count from 0, in UTF-16.

export interface Position {
  readonly line: number;
  readonly character: number;
}

export interface Range {
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
    /** 1 is an error. */
    readonly severity?: number;
    readonly code?: number | string;
    readonly message: string;
  }[];
}

export function toUri(file: string): string {
  return pathToFileURL(file).href;
}

/** The path of a file; empty for what is not on disk, such as the compiler's own libraries. */
export function toFile(uri: string): string {
  return uri.startsWith('file:') ? fileURLToPath(uri) : '';
}

/** Where a location begins. Where it ends is left out: where a built file led to a source, that may be wrong. */
export function toPlaceKey({ uri, range: { start } }: Location): string {
  return `${start.line}:${start.character}:${toFile(uri)}`;
}
