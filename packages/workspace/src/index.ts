// Public API. Everything that touches the user's files goes through WorkspaceRoot.
export { provideWorkspace, getWorkspace, WORKSPACE_ROOT } from './provide-workspace.ts';
export { WorkspaceRoot, type ChangeOptions, type WorkspaceOptions } from './workspace-root.ts';
export { WorkspaceFile, type FileDraft } from './file/workspace-file.ts';
export { PlannedChange } from './file/planned-change.ts';
export type { FileSnapshot } from './file/open-file.ts';
export type { PathInfo } from './path/resolve-path.ts';
export type { ChangeDetails, WrittenFile } from './journal/journaled-files.ts';
export { getChangeId, type Operation } from './journal/journal-record.ts';
export type { FileWords, PlannedUndo, UndoPreview, UndoReport, UndoRequest } from './journal/undo.ts';
export type { FileDigest } from './file/file-digest.ts';
export { createBinaryFileError, type TextFile } from './file/text-file.ts';
export { FoundPath } from './file/found-path.ts';
export type { TextWindow } from './file/text-window.ts';
export type { GrepQuery, GrepResult, GrepRow } from './search/grep-query.ts';
export { escapePattern } from './search/check-pattern.ts';
export { findRipgrep } from './search/ripgrep.ts';
export { formatPath } from './path/show-path.ts';
export { renderFileChange, renderUnifiedDiff, type FileChange } from './text/unified-diff.ts';
// What every space that changes files does the same way.
export { refuseStale, SeenFiles, type FileView, type LinePatch } from './file/seen-files.ts';
export {
  formatCount,
  countLinesOnPage,
  renderNumbered,
  renderRange,
  splitLines,
  stripLineFeed,
} from './text/text-lines.ts';
export {
  createSearchArgument,
  createTooManyMatchesError,
  type SearchArgument,
  type SentSearch,
} from './search/search-argument.ts';
export { retryOnConflict as retryOnConflict } from './file/retry-on-conflict.ts';
export { planUndo, previewUndo, undoChanges } from './journal/undo-changes.ts';
export {
  BinaryFileError,
  EditError,
  FileError,
  FileNotFoundError,
  PathError,
  PatternError,
  ProtectedFileError,
} from './errors.ts';
