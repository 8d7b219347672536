/** What a declaration is, as it is counted and shown. */
export type SymbolKind =
  | 'class'
  | 'function'
  | 'interface'
  | 'type'
  | 'enum'
  | 'namespace'
  | 'constant'
  | 'variable'
  | 'method'
  | 'accessor'
  | 'property'
  | 'member'
  | 're-export'
  | 'default export'
  | 'imports';

/** A part of a text, in UTF-16 code units; the end is not in it. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** One declaration of a symbol: all that is replaced with it. */
export interface Declaration extends Span {
  /** The keyword it is introduced with: `class`, `const`, `get`; `''` where there is none. */
  readonly keyword: string;
  /** Where its signature is: from the name to the body. */
  readonly head: Span;
  /** Its doc comment. */
  readonly doc?: Span;
}

/** Where a name comes from that a module only passes on. */
export interface Origin {
  /** As it is written in the import: `./router.ts`, `@bae/core`; `''` for the module itself. */
  readonly specifier: string;
  /** Its name there: `default`, or `*` for the module as a whole. */
  readonly name: string;
}

/** Where a declaration stands; what it may look like depends on it. */
export type Surroundings = 'module' | 'class' | 'interface' | 'enum' | 'object';

/** A named thing of a module. */
export interface SymbolOutline {
  /** As it is written in an address: `send`, `#state`, `[Symbol.iterator]`, `default`. */
  readonly name: string;
  /** Its other name: that of a default export inside its module. */
  readonly localName?: string;
  readonly kind: SymbolKind;
  readonly place: Surroundings;
  /** True when other modules can import it; of members, always. */
  readonly exported: boolean;
  /** In the order of the text: one, or all overloads, both accessors, everything of one name that is merged. */
  readonly declarations: readonly Declaration[];
  /** What it has inside that has a name. */
  readonly members: readonly SymbolOutline[];
  /** Where to find it, when this module only passes it on. */
  readonly origin?: Origin;
}

/** Why a text is not understood. */
export interface SyntaxProblem {
  readonly message: string;
  /** 1-based. */
  readonly line: number;
  /** 1-based, in UTF-16 code units. */
  readonly column: number;
}

/** What a module has in it: places only, no text, so that those of a whole project fit in memory. */
export interface Outline {
  /** First sentence of its first doc comment, `''` without one. */
  readonly doc: string;
  /** In the order of the text. */
  readonly symbols: readonly SymbolOutline[];
  /** Modules of which everything is passed on, as they are written. */
  readonly stars: readonly string[];
  /** Why there are no symbols. */
  readonly problem?: SyntaxProblem;
}
