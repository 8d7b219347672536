import type { Change, ToolContext, Touch } from '@bae/core';
import type { ResolvedPath } from '../path/resolve-path.ts';
import type { FileDigest, FileSnapshot } from './file-content.ts';

/** The session that applies a change, and the signal that stops it. Tools pass their context. */
export interface ChangeContext {
  /** The session, for undo. Default: the workspace itself. */
  readonly session?: { readonly id: string } | undefined;
  /** Stops a change of several files; the changes made by then are undone. */
  readonly signal?: AbortSignal | undefined;
}

type FileTexts = ReturnType<NonNullable<Change['texts']>>;

type Result = Awaited<ReturnType<Change['apply']>>;

/**
 * A change of files that is planned but not made yet: tools return it from `plan`.
 *
 * It holds no descriptor and no lock, so a change that is refused or forgotten needs no clean-up.
 */
export class PlannedChange<R> implements Change {
  readonly touches: readonly Touch[];
  readonly #plan: ConstructorParameters<typeof PlannedChange<R>>[0];
  #preview: string | undefined;

  constructor(plan: {
    readonly touches: readonly Touch[];
    readonly preview: () => string;
    readonly texts?: (() => FileTexts) | undefined;
    readonly apply: (context: ChangeContext) => Promise<R>;
  }) {
    this.touches = plan.touches;
    this.#plan = plan;
  }

  /** Renders the change as a unified diff, or in words if a diff is impossible. */
  preview(): string {
    return (this.#preview ??= this.#plan.preview());
  }

  /** Returns the text files that the change affects. */
  texts(): FileTexts {
    return this.#plan.texts?.() ?? [];
  }

  /**
   * Makes the change.
   *
   * @throws ConflictError when a file, or the target of its path, differs from the plan; then nothing is changed
   */
  apply(context: ChangeContext = {}): Promise<R> {
    return this.#plan.apply(context);
  }

  /** Returns the same change with another result: the output of a tool after the change is made. */
  map<T extends Result>(convert: (result: R, context: ToolContext) => T | Promise<T>): PlannedChange<T> {
    const apply = async (context: ChangeContext) => convert(await this.apply(context), context as ToolContext);
    return new PlannedChange({
      touches: this.touches,
      preview: () => this.preview(),
      texts: () => this.texts(),
      apply,
    });
  }
}

/** The way a change is recorded, and the content that it may replace. */
export interface ChangeDetails {
  /**
   * SHA-256 that the content must have at the time of the change, null when the file must not exist. Default: for a
   * planned change, the content as last read; otherwise any content is allowed.
   */
  readonly expected?: string | null | undefined;
  /** Name of the action, as a noun. Default: `write` or `remove`. */
  readonly action?: string | undefined;
  /** Number of replaced lines, and of the lines that replace them. Default: all lines. */
  readonly lines?: readonly [before: number, after: number] | undefined;
  /** True to replace read-only files too. */
  readonly force?: boolean | undefined;
}

export interface FileStep extends ChangeDetails {
  readonly file: {
    readonly path: string;
    /** Resolves the path again, which must lead to the same file. */
    resolve(): ResolvedPath;
  };
  /** New content; null to remove the file. */
  readonly content: Uint8Array | null;
  /**
   * The version that the change was planned on, null for a missing file; without a plan, the current content is read.
   */
  readonly plannedOn?: FileSnapshot | null | undefined;
  /** Permission bits of a new file. Default: those that the process assigns. */
  readonly mode?: number | undefined;
}

export interface WrittenFile extends FileDigest {
  /** False when the content it replaced was too large for the journal. */
  readonly undoable: boolean;
}
