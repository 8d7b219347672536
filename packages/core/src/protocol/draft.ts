import type { ToolContext } from './tool-definition.ts';

/** Changes of a run block that are kept aside until somebody has consented to them; nothing is written before that. */
export interface Draft {
  /** Runs work that finds the files as the draft has them, and whose changes become part of it. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** What the draft makes of the files as they are; undefined when that is nothing. */
  plan(): Promise<DraftChange | undefined>;
  /** Forgets everything that was not applied. */
  dispose(): Promise<void>;
}

/** Everything in a draft as one change, of which some files may be left out. */
export interface DraftChange {
  /** One for each file. */
  readonly files: readonly DraftFile[];
  /**
   * Makes the change of all files, or of none.
   *
   * @param only paths of the files that are changed. Default: all
   * @throws ConflictError when one of them is not what it was when the draft first changed it
   */
  apply(context: Pick<ToolContext, 'session' | 'signal'>, only?: ReadonlySet<string>): Promise<void>;
}

export interface DraftFile {
  /** Path below the workspace root, without links. */
  readonly path: string;
  /** What changes in it, as a unified diff or in words. */
  readonly preview: string;
}
