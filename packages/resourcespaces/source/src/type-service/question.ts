import type { CompilerSession } from './compiler-session.ts';
import type { WorkspaceFiles } from './workspace-files.ts';

/** What all parts of answering a question share. */
export interface Question {
  readonly session: CompilerSession;
  readonly files: WorkspaceFiles;
  readonly signal: AbortSignal;
}
