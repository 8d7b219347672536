import { parseSync, type ParseResult } from 'oxc-parser';
import { DocComments } from './doc-comments.ts';
import { docSentence } from './doc-sentence.ts';
import { docTypes } from './doc-types.ts';
import { isJavaScript } from './is-javascript.ts';
import type { Language, SourceText } from './language.ts';
import { literalSpans } from './literal-spans.ts';
import { ModuleReader } from './module-reader.ts';
import type { Outline, Span, SymbolOutline, Surroundings, SyntaxProblem } from './outline.ts';
import { SourceView } from './source-view.ts';

/** What a piece of text is put between, so that it is a whole program. */
const FRAMES: Readonly<Record<Surroundings, readonly [before: string, after: string]>> = {
  module: ['', ''],
  // Abstract and derived, so that all that may stand in a class may stand in it; JavaScript has no abstract ones.
  class: ['abstract class A extends B {\n', '\n}'],
  interface: ['interface A {\n', '\n}'],
  enum: ['enum A {\n', '\n}'],
  object: ['const A = {\n', '\n}'],
};

/** TypeScript and JavaScript, with and without JSX, as oxc-parser understands them. */
export const typescriptOutline: Language = {
  outline(source) {
    const result = parsed(source, source.text);
    return outlineOf(result, source);
  },

  parse(source, place) {
    const { result, text, before } = framed(source, place);
    const outline = outlineOf(result, { text, path: source.path });
    if (place === 'module') return outline;
    const { body } = result.program;
    const problem =
      outline.problem ?? (body.length > 1 ? problemAt(body[1]!.start, 'it ends what it stands in', text) : undefined);
    if (problem !== undefined)
      return { doc: '', symbols: [], stars: [], problem: { ...problem, line: lineInPiece(problem, source) } };
    const symbols = (outline.symbols[0]?.members ?? []).map((symbol) => moved(symbol, -before));
    return { doc: outline.doc, symbols, stars: [] };
  },

  literals(source, place) {
    const { result, before } = framed(source, place);
    return literalSpans(result.program).map(({ start, end }) => ({ start: start - before, end: end - before }));
  },
};

/** A frame has its first line to itself; what is missing at the end is missed on the last line of the piece. */
function lineInPiece({ line }: SyntaxProblem, { text }: SourceText): number {
  return Math.min(Math.max(line - 1, 1), text.split('\n').length);
}

function framed(source: SourceText, place: Surroundings): { result: ParseResult; text: string; before: number } {
  const [frame, after] = FRAMES[place];
  const before = isJavaScript(source.path) ? frame.replace('abstract ', '') : frame;
  const text = before + source.text + after;
  return { result: parsed(source, text), text, before: before.length };
}

function parsed({ path }: SourceText, text: string): ParseResult {
  const ending = /\.([cm]?[jt]s|[jt]sx)$/.exec(path)?.[1] ?? 'ts';
  const lang = ending === 'tsx' ? 'tsx' : ending.includes('t') ? 'ts' : 'jsx';
  // What is no module may have things that modules may not.
  const sourceType = ending === 'cjs' ? 'commonjs' : ending === 'js' || ending === 'jsx' ? 'unambiguous' : 'module';
  const declares = /\.d\.[cm]?ts$/.test(path);
  return parseSync(path, text, { lang: declares ? 'dts' : lang, sourceType, astType: 'ts', preserveParens: false });
}

function outlineOf(result: ParseResult, { text, path }: SourceText): Outline {
  const docs = new DocComments(result.comments, text);
  const reader = new ModuleReader(new SourceView(text, docs));
  const declared = reader.read(result.program.body);
  const symbols = isJavaScript(path) ? withTypes(declared, docTypes(result.comments, text)) : declared;
  const about = moduleDoc(docs, symbols);
  const doc = about === undefined ? '' : docSentence(text.slice(about.start, about.end));
  const [error] = result.errors;
  const problem = error && problemAt(error.labels[0]?.start ?? 0, error.message, text);
  return { doc, symbols, stars: reader.stars, ...(problem !== undefined && { problem }) };
}

/** Adds types at their places, each name once; what is declared has it first. */
function withTypes(declared: readonly SymbolOutline[], types: readonly SymbolOutline[]): readonly SymbolOutline[] {
  if (types.length === 0) return declared;
  const byName = new Map([...types.toReversed(), ...declared].map((symbol) => [symbol.name, symbol]));
  return [...byName.values()].toSorted((a, b) => nameStart(a) - nameStart(b));
}

function nameStart({ declarations }: SymbolOutline): number {
  return declarations[0]?.head.start ?? 0;
}

/** A comment on the module as a whole, or else that of the first thing it exports, or else the first. */
function moduleDoc(docs: DocComments, symbols: readonly SymbolOutline[]): Span | undefined {
  const { top } = docs;
  const own = symbols.map(({ declarations }) => declarations[0]?.doc);
  if (top !== undefined && !own.some((doc) => doc?.start === top.start)) return top;
  const exported = symbols.find(({ exported, declarations }) => exported && declarations[0]?.doc !== undefined);
  return exported?.declarations[0]?.doc ?? docs.first;
}

function problemAt(index: number, message: string, text: string): SyntaxProblem {
  const before = text.slice(0, index);
  return { message, line: before.split('\n').length, column: index - before.lastIndexOf('\n') };
}

function moved(symbol: SymbolOutline, by: number): SymbolOutline {
  const move = ({ start, end }: Span): Span => ({ start: start + by, end: end + by });
  const declarations = symbol.declarations.map(({ doc, head, keyword, ...span }) => ({
    ...move(span),
    keyword,
    head: move(head),
    ...(doc !== undefined && { doc: move(doc) }),
  }));
  return { ...symbol, declarations, members: symbol.members.map((member) => moved(member, by)) };
}
