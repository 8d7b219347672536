import type { Change, ToolContext, Touch } from '@bae/core';

/** Who applies a change, and until when. A tool hands over its context. */
export interface ChangeContext {
  /** For undo. Default: the workspace itself. */
  readonly session?: { readonly id: string } | undefined;
  /** Stops a change of several files; what was changed by then is taken back. */
  readonly signal?: AbortSignal | undefined;
}

type FileTexts = ReturnType<NonNullable<Change['texts']>>;

type Result = Awaited<ReturnType<Change['apply']>>;

/**
 * A change of files that is planned and not made yet: what a tool returns from `plan`.
 *
 * It holds no descriptor and no lock, so one that is refused or forgotten needs no clean-up.
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

  /** The change as a unified diff, or in words where there can be none. */
  preview(): string {
    return (this.#preview ??= this.#plan.preview());
  }

  /** The text files that it changes. */
  texts(): FileTexts {
    return this.#plan.texts?.() ?? [];
  }

  /**
   * Makes the change.
   *
   * @throws ConflictError when a file, or where its path leads, is not what the change was planned on; nothing is
   *   changed then
   */
  apply(context: ChangeContext = {}): Promise<R> {
    return this.#plan.apply(context);
  }

  /** The same change with another result: what a tool returns once it is made. */
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
