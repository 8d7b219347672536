// Public API. Everything that touches the user's files goes through WorkspaceRoot.
export {
  provideDataFolder,
  provideWorkspace,
  getDataFolder,
  getWorkspace,
  WORKSPACE_ROOT,
} from './provide-workspace.ts';
export { WorkspaceRoot, type WorkspaceOptions } from './workspace-root.ts';
export { startsAsProgram, type WorkspaceFile } from './file/workspace-file.ts';
export type { PlannedChange, WrittenFile } from './file/planned-change.ts';
export { BY_COMMAND, describeLeft, getChangeId, type Operation } from './journal/journal-record.ts';
export type { KeptFiles, ProgramChange } from './journal/kept-files.ts';
export type { FileWords, UndoPreview, UndoReport, UndoRequest } from './journal/undo.ts';
export { createBinaryFileError, type TextFile } from './file/text-file.ts';
export type { GrepResult, GrepRow } from './search/grep-query.ts';
export { checkPattern, escapePattern } from './search/check-pattern.ts';
// For addresses and texts that are not files, such as those of a server.
export { parseGlob } from './list/glob-pattern.ts';
export { findNearestPattern, refuseMisspeltPattern } from './list/nearest-pattern.ts';
export { re2Search } from './search/re2-search.ts';
export { findRipgrep } from './search/ripgrep.ts';
export type { ProtectedEntry } from './path/list-protected.ts';
export { holdsCredentials } from './path/path-protection.ts';
export { locateBelow } from './path/root-folder.ts';
export { formatPath } from './path/show-path.ts';
export { findChangedLines, renderFileChange, renderUnifiedDiff } from './text/unified-diff.ts';
// Shared by every space that changes files.
export { changeText } from './text/text-change.ts';
export { holdLock, type HeldLock } from './write/file-lock.ts';
export { readEditBlocks } from './text/edit-blocks.ts';
export type { TextChange } from './text/replace-lines.ts';
export { describeMoves, nameFile, refuseStale, SeenFiles, type LinePatch } from './file/seen-files.ts';
export {
  countLinesOnLastPage,
  countLinesOnPage,
  formatLineChange,
  formatQuantity,
  getRangeLength,
  getWholeLength,
  PAGES_OF_RANGE,
  renderNumbered,
  renderRange,
  splitLines,
  takeFirstCharacters,
} from './text/text-lines.ts';
export { createSearchArgument, createTooManyMatchesError } from './search/search-argument.ts';
export { describeUnproven, planUndo, undoChanges } from './journal/undo-changes.ts';
export { EditError, FileNotFoundError } from './errors.ts';
export { readState } from './list/folder-cache.ts';
