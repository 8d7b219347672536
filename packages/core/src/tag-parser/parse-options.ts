/** Names that exist right now; a `Set` is one. `has` is asked often, the iterator only to explain a misspelling. */
interface KnownNames {
  has(name: string): boolean;
  [Symbol.iterator](): Iterator<string>;
}

/** What a text may name besides the five verbs. */
export interface ParseOptions {
  /** Root spaces: what a qualified name may begin with and where `@name()` may go. */
  readonly spaces?: KnownNames;
  /** Custom tools of any space. */
  readonly tools?: KnownNames;
  /** What `<sorce.R:math>` and `@sorce()` are, whose space is almost a known one. Default: prose. */
  readonly misspeltSpaces?: 'prose' | 'problem';
}
