import type { Inspector } from './inspector.ts';
import type { Intrinsics } from './intrinsics.ts';

/** Words what was thrown, each part as JSON of a text. Runs inside the sandbox, from its own text. */
export class ErrorWords {
  readonly #own: Intrinsics;
  readonly #inspector: Inspector;

  constructor(own: Intrinsics, inspector: Inspector) {
    this.#own = own;
    this.#inspector = inspector;
  }

  name(error: unknown): string {
    return this.#field(error, 'name', 'Error');
  }

  /** What is no error is worded itself; one that stands for others, and says nothing, by those. */
  message(error: unknown): string {
    const text = this.#field(error, 'message', error);
    return text === '""' ? this.#errors(error, text) : text;
  }

  stack(error: unknown): string {
    return this.#field(error, 'stack', '');
  }

  #field(error: unknown, name: 'name' | 'message' | 'stack', otherwise: unknown): string {
    // Out of the words: where there is no room for them, that is not to pass for words that cannot be had.
    return this.#own.stringify(this.#text(error, name, otherwise));
  }

  #text(error: unknown, name: 'name' | 'message' | 'stack', otherwise: unknown): string {
    try {
      const value: unknown = typeof error === 'object' && error !== null ? (error as Error)[name] : undefined;
      return typeof value === 'string' ? value : this.#inspector.show(otherwise);
    } catch {
      return '';
    }
  }

  #errors(error: unknown, otherwise: string): string {
    try {
      const errors: unknown = this.#own.getOwnPropertyDescriptor(error as object, 'errors')?.value;
      return this.#own.isArray(errors) ? this.#own.stringify(this.#inspector.show(errors)) : otherwise;
    } catch {
      return otherwise;
    }
  }
}
