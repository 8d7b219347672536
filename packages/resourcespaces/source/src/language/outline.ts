/** The kind of a declaration, as it is counted and displayed. */
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

/** A range of text in UTF-16 code units; the end is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** One declaration of a symbol, including its doc comment and decorators. */
export interface Declaration extends Span {
  /** `class`, `const`, `get`; `''` when there is none. */
  readonly keyword: string;
  /** The signature, from the name to the body. */
  readonly head: Span;
  readonly doc?: Span;
}

/** The origin of a re-exported name. */
export interface Origin {
  /** Specifier as written in the import: `./router.ts`, `@bae/core`; `''` for the module itself. */
  readonly specifier: string;
  /** Name in that module: `default`, or `*` for the whole module. */
  readonly name: string;
}

/** The construct that contains a declaration; the syntax of the declaration depends on it. */
export type Surroundings = 'module' | 'class' | 'interface' | 'enum' | 'object' | 'function';

/** A named symbol of a module. */
export interface SymbolOutline {
  /** Name as written in an address: `send`, `#state`, `[Symbol.iterator]`, `default`. */
  readonly name: string;
  /** The name of a default export inside its module. */
  readonly localName?: string;
  readonly kind: SymbolKind;
  readonly place: Surroundings;
  /** True when other modules can use it; for members, unless their name makes them private. */
  readonly exported: boolean;
  /** Declarations in source order: one, or all overloads, both accessors, all merged declarations. */
  readonly declarations: readonly Declaration[];
  readonly members: readonly SymbolOutline[];
  /** Place of its declaration, if this module only re-exports it. */
  readonly origin?: Origin;
  /** The key through which a local function of the same name is used: `add` of `{ add: add }`. */
  readonly key?: Span;
}

/** The reason why text does not parse. Lines and columns count from 1. */
export interface SyntaxProblem {
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

/** The symbols of a module: offsets only, no text, so that the outlines of a whole project fit in memory. */
export interface Outline {
  /** First sentence of its first doc comment, `''` without one. */
  readonly doc: string;
  /** Symbols in source order. */
  readonly symbols: readonly SymbolOutline[];
  readonly stars: readonly string[];
  readonly problem?: SyntaxProblem;
  /**
   * Range to which declarations are added if only a part of the file is code: its last script. Default: the whole file.
   */
  readonly body?: Span;
}

/** Text and the path of its file: the extension selects the syntax. */
export interface SourceText {
  readonly text: string;
  readonly path: string;
  /** True to also read what is inside of functions: what they declare, and the fields that they assign. */
  readonly inner?: boolean | undefined;
}

/** A piece of text, parsed in the place where it belongs. */
export interface Piece extends Pick<Outline, 'symbols' | 'problem'> {
  /** Offset of the text within the frame around it, to which the offsets of the symbols refer. */
  readonly offset: number;
  /** Literals that may span lines, so that their indentation must not change. Their offsets refer to the text. */
  readonly literals: readonly Span[];
}

/** Reads the code of a language. Contract: nothing throws; text that does not parse has a `problem`. */
export interface LanguageReader {
  outline(source: SourceText): Outline;
  /** Reads a piece of text as a part of a module or symbol; the path is that of its module. */
  parse(source: SourceText, place: Surroundings): Piece;
}

/** A language whose code is read by symbol. */
export interface SourceLanguage {
  /** Names of the language: `Python`; several if the same reader reads them. */
  readonly names: readonly string[];
  /** File extensions without a dot; if two files have the same name, the one whose extension comes first gets it. */
  readonly endings: readonly string[];
  /** Name of a file that stands for its folder: `index`, `__init__`. */
  readonly index: string;
  /** Called once, when the first file is read. */
  load(): Promise<LanguageReader>;
}

/** Tests whether the TypeScript compiler reads a file. */
export function isCompiled(path: string): boolean {
  return /\.(?:[cm]?[jt]s|[jt]sx)$/.test(path);
}

/** Tests whether a file is a component, of which only the scripts are code. */
export function isComponent(path: string): boolean {
  return /\.(?:vue|svelte)$/.test(path);
}

/** Tests whether types in a file can only be in comments. */
export function isJavaScript(path: string): boolean {
  return /\.[cm]?jsx?$/.test(path);
}

/** A replacement of a range of text. */
export interface TextEdit extends Span {
  readonly text: string;
}

/** Applies replacements that do not overlap, in any order. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let result = '';
  let at = 0;
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    result += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return result + text.slice(at);
}

/** Computes an offset after the replacements before it. */
export function shiftOffset(offset: number, edits: readonly TextEdit[]): number {
  const before = edits.filter(({ start }) => start < offset);
  return before.reduce((sum, { start, end, text }) => sum + text.length - (end - start), offset);
}

/** Joins the ranges of declarations that have only whitespace, separators and comments between them. */
export function joinDeclarations(text: string, declarations: readonly Span[]): readonly Span[] {
  const joined: { start: number; end: number }[] = [];
  for (const { start, end } of declarations) {
    const last = joined.at(-1);
    if (last !== undefined && isSeparator(text.slice(last.end, start))) last.end = Math.max(last.end, end);
    else joined.push({ start, end });
  }
  return joined;
}

function isSeparator(text: string): boolean {
  return /^[\s,;]*$/.test(text.replaceAll(/\/\/.*|\/\*[^]*?\*\//g, ''));
}

/** Finds the whitespace between the start of a line and an index; `''` if there is anything else. */
export function findIndent(text: string, index: number): string {
  const indent = text.slice(text.lastIndexOf('\n', index - 1) + 1, index);
  return /^[^\S\n]*$/.test(indent) ? indent.replace('\uFEFF', '') : '';
}

/** Finds the first line break of a text; returns a line feed if there is none. */
export function findLineBreak(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? '\n';
}

/** Tests whether a member is separated from the next one by a comma. */
export function isListed({ place }: SymbolOutline): boolean {
  return place === 'enum' || place === 'object';
}

/** Copies a part of a long text: the part itself would keep the whole text in memory. */
export function copyText(part: string): string {
  return Buffer.from(part).toString();
}

/** Finds the index of the last of some ascending numbers that is at most a limit; -1 if there is none. */
export function findLastAtMost(ascending: readonly number[], limit: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] as number) <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
