/** What a text in a conversation is there for. */
export type TextKind = 'definitions' | 'system prompt' | 'home' | 'entries' | 'help' | 'calls' | 'prompt and results';

/** Which texts are looked at: those about tools, those and the calls, or everything. */
export type TextScope = 'tools' | 'tools and calls' | 'everything';

const LEFT_OUT: Readonly<Record<TextScope, readonly TextKind[]>> = {
  tools: ['calls', 'prompt and results'],
  'tools and calls': ['prompt and results'],
  everything: [],
};

/** The input tokens of a conversation: each request resends all texts before it. */
export class TextCosts {
  readonly #texts: { readonly kind: TextKind; readonly tokens: number; readonly before: number }[] = [];
  #requests = 0;

  get requests(): number {
    return this.#requests;
  }

  /** Adds a text that is in every request from the next one on. */
  add(kind: TextKind, tokens: number): void {
    this.#texts.push({ kind, tokens, before: this.#requests });
  }

  /** Notes that a request was sent. */
  send(): void {
    this.#requests++;
  }

  /** Input tokens of all requests so far, of the texts of one kind. */
  sumOf(kind: TextKind): number {
    const texts = this.#texts.filter((text) => text.kind === kind);
    return texts.reduce((sum, { tokens, before }) => sum + tokens * (this.#requests - before), 0);
  }

  /** Input tokens of all requests so far. */
  sum(scope: TextScope): number {
    const kinds = new Set(this.#texts.map(({ kind }) => kind).filter((kind) => !LEFT_OUT[scope].includes(kind)));
    return [...kinds].reduce((sum, kind) => sum + this.sumOf(kind), 0);
  }
}
