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

/** A range of a text in UTF-16 code units; the end is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** One declaration of a symbol, with its doc comment and decorators: all that is replaced with it. */
export interface Declaration extends Span {
  /** `class`, `const`, `get`; `''` when there is none. */
  readonly keyword: string;
  /** Its signature: from the name to the body. */
  readonly head: Span;
  readonly doc?: Span;
}

/** Where a re-exported name comes from. */
export interface Origin {
  /** As it is written in the import: `./router.ts`, `@bae/core`; `''` for the module itself. */
  readonly specifier: string;
  /** Its name there: `default`, or `*` for the module as a whole. */
  readonly name: string;
}

/** What a declaration is part of; its syntax depends on it. */
export type Surroundings = 'module' | 'class' | 'interface' | 'enum' | 'object';

/** A named thing of a module. */
export interface SymbolOutline {
  /** As it is written in an address: `send`, `#state`, `[Symbol.iterator]`, `default`. */
  readonly name: string;
  /** The name of a default export inside its module. */
  readonly localName?: string;
  readonly kind: SymbolKind;
  readonly place: Surroundings;
  /** True when other modules can use it; of members, unless they are private by their name. */
  readonly exported: boolean;
  /** In the order of the text: one, or all overloads, both accessors, all merged declarations. */
  readonly declarations: readonly Declaration[];
  readonly members: readonly SymbolOutline[];
  /** Where it is declared, when this module only re-exports it. */
  readonly origin?: Origin;
}

/** Why a text does not parse. Lines and columns count from 1. */
export interface SyntaxProblem {
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

/** The symbols of a module: offsets only, no text, so that the outlines of a whole project fit in memory. */
export interface Outline {
  /** First sentence of its first doc comment, `''` without one. */
  readonly doc: string;
  /** In the order of the text. */
  readonly symbols: readonly SymbolOutline[];
  readonly stars: readonly string[];
  readonly problem?: SyntaxProblem;
  /** Where declarations are added, in a file of which only a part is code: its last script. Absent: all of the file. */
  readonly body?: Span;
}

/** A text, and the path of its file: the ending selects the syntax. */
export interface SourceText {
  readonly text: string;
  readonly path: string;
}

/** A piece of text in the place it is meant for. */
export interface Piece extends Pick<Outline, 'symbols' | 'problem'> {
  /** What the offsets of the symbols begin with: they are those of a frame around the text. */
  readonly offset: number;
  /** The literals, which may span lines: their indentation must not change. Offsets are those of the text. */
  readonly literals: readonly Span[];
}

/** Reads the code of a language. Contract: nothing throws; a text that does not parse has a `problem`. */
export interface LanguageReader {
  outline(source: SourceText): Outline;
  /** Reads a piece of text as a part of a module or symbol; the path is that of its module. */
  parse(source: SourceText, place: Surroundings): Piece;
}

/** A language whose code is read by symbol. */
export interface SourceLanguage {
  /** As it is called: `Python`; several that are read by the same. */
  readonly names: readonly string[];
  /** Of its files, without a dot; of two files with one name, the one whose ending comes first has it. */
  readonly endings: readonly string[];
  /** What a file is called that stands for its folder: `index`, `__init__`. */
  readonly index: string;
  /** Called once, when the first file is read. */
  load(): Promise<LanguageReader>;
}

/** True for a file that the compiler of TypeScript reads. */
export function isCompiled(path: string): boolean {
  return /\.(?:[cm]?[jt]s|[jt]sx)$/.test(path);
}

/** True for a file in which types can stand only in comments. */
export function isJavaScript(path: string): boolean {
  return /\.[cm]?jsx?$/.test(path);
}

/** A replacement of a range of a text. */
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

/** Where an offset is after the replacements before it. */
export function shiftOffset(offset: number, edits: readonly TextEdit[]): number {
  const before = edits.filter(({ start }) => start < offset);
  return before.reduce((sum, { start, end, text }) => sum + text.length - (end - start), offset);
}

/** The ranges of declarations; those with only blanks, separators and comments between them become one. */
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

/** The blanks between the beginning of a line and an index; `''` when there is something else. */
export function findIndent(text: string, index: number): string {
  const indent = text.slice(text.lastIndexOf('\n', index - 1) + 1, index);
  return /^[^\S\n]*$/.test(indent) ? indent.replace('\uFEFF', '') : '';
}

/** The first line break of a text; a line feed when it has none. */
export function findLineBreak(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? '\n';
}

/** True for a member that is separated from the next by a comma. */
export function isListed({ place }: SymbolOutline): boolean {
  return place === 'enum' || place === 'object';
}

/** A copy of a part of a long text: the part itself would keep the whole text in memory. */
export function copyText(part: string): string {
  return Buffer.from(part).toString();
}

/** The index of the last of some ascending numbers that is at most a limit; -1 when there is none. */
export function findLastAtMost(ascending: readonly number[], limit: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] as number) <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
