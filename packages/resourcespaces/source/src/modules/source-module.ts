import type { Outline } from '../language/outline.ts';
import type { CodeModule } from './code-module.ts';

/** A module with its text as it is on disk. */
export interface SourceModule {
  readonly module: CodeModule;
  /** Exactly the file's characters. */
  readonly text: string;
  /** SHA-256 of the file. */
  readonly hash: string;
  readonly lines: number;
  readonly outline: Outline;
}
