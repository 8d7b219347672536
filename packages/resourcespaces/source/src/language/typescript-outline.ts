import { type ParseResult, parseSync, type Program, type Statement, Visitor } from 'oxc-parser';
import { CommentedText, extractSentence, findDocTypes } from './comments.ts';
import { nestScopes, readInnerScopes } from './inner-scopes.ts';
import { ModuleReader } from './module-reader.ts';
import {
  isJavaScript,
  type LanguageReader,
  type Outline,
  type SourceText,
  type Span,
  type Surroundings,
  type SymbolOutline,
  type SyntaxProblem,
} from './outline.ts';

/** The frames that turn a piece of text into a program. The first line of a frame is a line of its own. */
const FRAMES: Readonly<Record<Surroundings | 'factory', readonly [before: string, after: string]>> = {
  module: ['', ''],
  // Abstract and derived, so that every kind of member is valid; JavaScript has no abstract classes.
  class: ['abstract class A extends B {\n', '\n}'],
  interface: ['interface A {\n', '\n}'],
  enum: ['enum A {\n', '\n}'],
  object: ['const A = {\n', '\n}'],
  function: ['async function A() {\n', '\n}'],
  // What the function around a script returns is the value of its module.
  factory: ['define(async function () {\n', '\n})'],
};

/** Reads TypeScript and JavaScript, with and without JSX. Nothing here throws. */
export const typescriptOutline: LanguageReader = {
  outline(source) {
    return readOutline(parseText(source), source);
  },

  parse(source, place) {
    const { text } = source;
    const whole = parseFramed(source, place);
    const returned = place === 'module' && whole.problem !== undefined ? parseFramed(source, 'factory') : whole;
    const { result, symbols, problem: own, offset, framed } = returned.problem === undefined ? returned : whole;
    const literals = findLiterals(result.program).map(({ start, end }) => ({
      start: start - offset,
      end: end - offset,
    }));
    if (place === 'module') return { symbols, offset, literals, ...(own && { problem: own }) };
    const [, second] = result.program.body;
    const problem = own ?? (second && problemAt(second.start, 'it closes the declaration around it', framed.text));
    if (problem === undefined) return { symbols: symbols[0]?.members ?? [], offset, literals };
    // A problem at the end is reported on the last line of the piece.
    const line = Math.min(Math.max(problem.line - 1, 1), text.split('\n').length);
    return { symbols: [], offset, literals, problem: { ...problem, line } };
  },
};

function parseFramed({ text, path }: SourceText, place: keyof typeof FRAMES) {
  const [start, after] = FRAMES[place];
  const before = isJavaScript(path) ? start.replace('abstract ', '') : start;
  const framed = { text: before + text + after, path, inner: place === 'function' };
  const result = parseText(framed);
  const { symbols, problem } = readOutline(result, framed);
  return { result, symbols, problem, framed, offset: before.length };
}

function findLiterals(program: Program): readonly Span[] {
  const spans: Span[] = [];
  const keep = (span: Span): void => void spans.push(span);
  new Visitor({
    TemplateElement: keep,
    JSXText: keep,
    Literal: (node) => {
      if (typeof node.value === 'string') keep(node);
    },
  }).visit(program);
  return spans;
}

function parseText({ path, text }: SourceText): ParseResult {
  const ending = /\.([cm]?[jt]s|[jt]sx)$/.exec(path)?.[1] ?? 'ts';
  const lang = ending === 'tsx' ? 'tsx' : ending.includes('t') ? 'ts' : 'jsx';
  // Scripts may contain syntax that is invalid in modules.
  const sourceType = ending === 'cjs' ? 'commonjs' : ending === 'js' || ending === 'jsx' ? 'unambiguous' : 'module';
  const declares = /\.d\.[cm]?ts$/.test(path);
  return parseSync(path, text, { lang: declares ? 'dts' : lang, sourceType, astType: 'ts', preserveParens: false });
}

function readOutline({ comments, program, errors }: ParseResult, { text, path, inner = false }: SourceText): Outline {
  const source = new CommentedText(text, comments, inner);
  const reader = new ModuleReader(source);
  const visible = reader.read(program.body);
  const declared = inner
    ? nestScopes(visible, readInnerScopes({ program, read: (all) => readFunction(source, all) }))
    : visible;
  const symbols = isJavaScript(path) ? addTypes(declared, findDocTypes(comments, text)) : declared;
  const about = findModuleDoc(source, symbols);
  const doc = about === undefined ? '' : extractSentence(text.slice(about.start, about.end));
  const [error] = errors;
  const problem = error && problemAt(error.labels[0]?.start ?? 0, error.message, text);
  const body = reader.body;
  return { doc, symbols, stars: reader.stars, ...(problem && { problem }), ...(body && { body }) };
}

/** Inserts types in source order; a declaration, or else the first type, replaces others of its name. */
function addTypes(declared: readonly SymbolOutline[], types: readonly SymbolOutline[]): readonly SymbolOutline[] {
  if (types.length === 0) return declared;
  const byName = new Map([...types.toReversed(), ...declared].map((symbol) => [symbol.name, symbol]));
  return [...byName.values()].toSorted((a, b) => getNameStart(a) - getNameStart(b));
}

function getNameStart({ declarations }: SymbolOutline): number {
  return declarations[0]?.head.start ?? 0;
}

/** Finds a comment on the module as a whole, or else the doc comment of its first export, or else the first one. */
function findModuleDoc({ topComment: top, firstDoc }: CommentedText, symbols: readonly SymbolOutline[]) {
  if (top !== undefined && !symbols.some(({ declarations }) => declarations[0]?.doc?.start === top.start)) return top;
  const exported = symbols.find(({ exported, declarations }) => exported && declarations[0]?.doc !== undefined);
  return exported?.declarations[0]?.doc ?? firstDoc;
}

function problemAt(index: number, message: string, text: string): SyntaxProblem {
  const before = text.slice(0, index);
  return { message, line: before.split('\n').length, column: index - before.lastIndexOf('\n') };
}

/** Reads what the statements of a function declare, and the fields of `this` that they assign. */
function readFunction(source: CommentedText, statements: readonly Statement[]) {
  const reader = new ModuleReader(source, 'function');
  const symbols = reader.read(statements);
  return { symbols, fields: reader.fields };
}
