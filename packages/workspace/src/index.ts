// Public API. Everything that touches the user's files goes through WorkspaceRoot.
export { provideWorkspace, WORKSPACE_ROOT } from './provide-workspace.ts';
export { WorkspaceRoot, type PathInfo, type WorkspaceOptions } from './workspace-root.ts';
export type { FileDigest } from './file-digest.ts';
export type { TextFile } from './text-file.ts';
export type { TextWindow, WindowRequest } from './text-window.ts';
export type { GlobQuery } from './find-files.ts';
export type { GrepQuery, GrepResult, GrepRow } from './grep-result.ts';
export { escapePattern } from './check-pattern.ts';
export { binaryFile } from './binary-refusal.ts';
export { showPath } from './show-path.ts';
export { BinaryFileError } from './errors/binary-file-error.ts';
export { FileError } from './errors/file-error.ts';
export { FileNotFoundError } from './errors/file-not-found-error.ts';
export { PathError } from './errors/path-error.ts';
export { PatternError } from './errors/pattern-error.ts';
export { findRipgrep } from './ripgrep.ts';
