import { parseSync, Visitor, type ParseResult } from 'oxc-parser';
import { CommentedText, extractSentence, findDocTypes } from './comments.ts';
import { ModuleReader } from './module-reader.ts';
import {
  isJavaScript,
  type Outline,
  type SourceText,
  type Span,
  type Surroundings,
  type SymbolOutline,
  type SyntaxProblem,
} from './outline.ts';

/** The frame that makes a program of a piece of text. Its first line is a line of its own. */
const FRAMES: Readonly<Record<Surroundings, readonly [before: string, after: string]>> = {
  module: ['', ''],
  // Abstract and derived, so that every kind of member is valid; JavaScript has no abstract classes.
  class: ['abstract class A extends B {\n', '\n}'],
  interface: ['interface A {\n', '\n}'],
  enum: ['enum A {\n', '\n}'],
  object: ['const A = {\n', '\n}'],
};

/** Reads TypeScript and JavaScript, with and without JSX. Nothing here throws. */
export const typescriptOutline = {
  /** The outline of a module; with a `problem` when the text does not parse. */
  outline(source: SourceText): Outline {
    return readOutline(parseText(source), source);
  },

  /** The outline of a piece of text in the place it is meant for. Offsets are those of the piece. */
  parse(source: SourceText, place: Surroundings): Outline {
    const { framed, offset } = frame(source, place);
    const result = parseText(framed);
    const outline = readOutline(result, framed);
    if (place === 'module') return outline;
    const [, second] = result.program.body;
    const problem =
      outline.problem ?? (second && problemAt(second.start, 'it closes the declaration around it', framed.text));
    if (problem === undefined) {
      const symbols = (outline.symbols[0]?.members ?? []).map((symbol) => moveSymbol(symbol, -offset));
      return { doc: outline.doc, symbols, stars: [] };
    }
    // What is missing at the end is reported on the last line of the piece.
    const line = Math.min(Math.max(problem.line - 1, 1), source.text.split('\n').length);
    return { doc: '', symbols: [], stars: [], problem: { ...problem, line } };
  },

  /** The literals in a piece of text, which may span lines: their indentation must not change. */
  literals(source: SourceText, place: Surroundings): readonly Span[] {
    const { framed, offset } = frame(source, place);
    const spans: Span[] = [];
    const keep = (span: Span): void => void spans.push(moveSpan(span, -offset));
    new Visitor({
      TemplateElement: keep,
      JSXText: keep,
      Literal: (node) => {
        if (typeof node.value === 'string') keep(node);
      },
    }).visit(parseText(framed).program);
    return spans;
  },
};

export type Language = typeof typescriptOutline;

function frame(source: SourceText, place: Surroundings): { framed: SourceText; offset: number } {
  const [start, after] = FRAMES[place];
  const before = isJavaScript(source.path) ? start.replace('abstract ', '') : start;
  return { framed: { text: before + source.text + after, path: source.path }, offset: before.length };
}

function parseText({ path, text }: SourceText): ParseResult {
  const ending = /\.([cm]?[jt]s|[jt]sx)$/.exec(path)?.[1] ?? 'ts';
  const lang = ending === 'tsx' ? 'tsx' : ending.includes('t') ? 'ts' : 'jsx';
  // Scripts may contain what modules may not.
  const sourceType = ending === 'cjs' ? 'commonjs' : ending === 'js' || ending === 'jsx' ? 'unambiguous' : 'module';
  const declares = /\.d\.[cm]?ts$/.test(path);
  return parseSync(path, text, { lang: declares ? 'dts' : lang, sourceType, astType: 'ts', preserveParens: false });
}

function readOutline({ comments, program, errors }: ParseResult, { text, path }: SourceText): Outline {
  const source = new CommentedText(text, comments);
  const reader = new ModuleReader(source);
  const declared = reader.read(program.body);
  const symbols = isJavaScript(path) ? addTypes(declared, findDocTypes(comments, text)) : declared;
  const about = findModuleDoc(source, symbols);
  const doc = about === undefined ? '' : extractSentence(text.slice(about.start, about.end));
  const [error] = errors;
  const problem = error && problemAt(error.labels[0]?.start ?? 0, error.message, text);
  return { doc, symbols, stars: reader.stars, ...(problem !== undefined && { problem }) };
}

/** Inserts types at their places; a declaration, or else the first type, wins over others of its name. */
function addTypes(declared: readonly SymbolOutline[], types: readonly SymbolOutline[]): readonly SymbolOutline[] {
  if (types.length === 0) return declared;
  const byName = new Map([...types.toReversed(), ...declared].map((symbol) => [symbol.name, symbol]));
  return [...byName.values()].toSorted((a, b) => getNameStart(a) - getNameStart(b));
}

function getNameStart({ declarations }: SymbolOutline): number {
  return declarations[0]?.head.start ?? 0;
}

/** A comment on the module as a whole, or else the doc comment of its first export, or else the first one. */
function findModuleDoc({ topComment: top, firstDoc }: CommentedText, symbols: readonly SymbolOutline[]) {
  if (top !== undefined && !symbols.some(({ declarations }) => declarations[0]?.doc?.start === top.start)) return top;
  const exported = symbols.find(({ exported, declarations }) => exported && declarations[0]?.doc !== undefined);
  return exported?.declarations[0]?.doc ?? firstDoc;
}

function problemAt(index: number, message: string, text: string): SyntaxProblem {
  const before = text.slice(0, index);
  return { message, line: before.split('\n').length, column: index - before.lastIndexOf('\n') };
}

function moveSpan({ start, end }: Span, by: number): Span {
  return { start: start + by, end: end + by };
}

function moveSymbol(symbol: SymbolOutline, by: number): SymbolOutline {
  const declarations = symbol.declarations.map(({ doc, head, keyword, ...span }) => ({
    ...moveSpan(span, by),
    keyword,
    head: moveSpan(head, by),
    ...(doc !== undefined && { doc: moveSpan(doc, by) }),
  }));
  return { ...symbol, declarations, members: symbol.members.map((member) => moveSymbol(member, by)) };
}
