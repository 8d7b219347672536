import type {
  AnyNode,
  BlockStatement,
  CatchClause,
  Function as FunctionNode,
  NewExpression,
  Program,
  Token,
  TryStatement,
} from 'acorn';
import { insertAt, type Edit } from './edit.ts';

/** What is inserted at the beginning of a node, and at its end. */
interface NodeEdits {
  readonly opened: readonly Edit[];
  readonly closed: readonly Edit[];
}
const NO_EDITS: NodeEdits = { opened: [], closed: [] };

/**
 * Edits that report errors to the engine's `UnhandledErrors`: what a `catch` has caught, what an async function throws,
 * what a promise that code creates is rejected with. The engine does not say which promises have failed.
 *
 * @param tokens the tokens of the code, in order
 */
export function trackErrors(program: Program, code: string, tokens: readonly Token[]): readonly Edit[] {
  if (!/catch|async|finally|Promise/.test(code)) return [];
  const index = new CodeIndex(program, code, tokens);
  const opened: Edit[] = [];
  const closed: Edit[] = [];
  for (const node of index.nodes) {
    const edits = editNode(node, index);
    opened.push(...edits.opened);
    closed.push(...edits.closed);
  }
  // Where several nodes end at the same place, the inner one is closed first.
  return [...opened, ...closed.toReversed()];
}

function editNode(node: AnyNode, index: CodeIndex): NodeEdits {
  if (node.type === 'CatchClause') return editCatch(node, index);
  if (node.type === 'TryStatement') return editFinally(node, index);
  if (node.type === 'NewExpression') return editPromise(node);
  return 'async' in node && node.async ? editAsync(node, index) : NO_EDITS;
}

function editCatch({ param, body }: CatchClause, { code, error }: CodeIndex): NodeEdits {
  const inside = body.start + 1;
  if (!param) {
    return { opened: [insertAt(body.start, `(${error})`), insertAt(inside, `__caught(${error});`)], closed: [] };
  }
  if (param.type === 'Identifier') return { opened: [insertAt(inside, `__caught(${param.name});`)], closed: [] };
  const { start, end } = param;
  // The parameter must not see what the body declares, so the body stays in a block of its own.
  const text = `__caught(${error});let ${code.slice(start, end)} = ${error};{`;
  return { opened: [{ start, end, text: error }, insertAt(inside, text)], closed: [insertAt(body.end - 1, '}')] };
}

/** A `finally` that ends in a jump drops the error; without a jump the error continues. */
function editFinally({ start, block, handler, finalizer }: TryStatement, index: CodeIndex): NodeEdits {
  if (!finalizer || !index.hasJump(finalizer)) return NO_EDITS;
  const { error } = index;
  const noted = `catch(${error}){__caught(${error});throw ${error}}`;
  if (!handler) return { opened: [], closed: [insertAt(block.end, noted)] };
  return { opened: [insertAt(start, 'try{')], closed: [insertAt(handler.end, `}${noted}`)] };
}

function editPromise({ start, end, callee, arguments: { length } }: NewExpression): NodeEdits {
  if (callee.type !== 'Identifier' || callee.name !== 'Promise' || length === 0) return NO_EDITS;
  return { opened: [insertAt(start, '__made(')], closed: [insertAt(end, ')')] };
}

/** Puts a `try` around the body of an async function. */
function editAsync(node: FunctionNode, index: CodeIndex): NodeEdits {
  const { body, end } = node;
  const isBlock = body.type === 'BlockStatement';
  // Within a block that would be an error.
  if (isBlock && index.declaresFunctionTwice(body)) return NO_EDITS;
  const tail = `catch(${index.error}){throw __escaped(${index.error})}`;
  if (canParametersFail(node)) return editParameters(node, index, tail);
  if (!isBlock) {
    // There may be parentheses around the body.
    const open = insertAt(index.endOfArrowBefore(body.start), '{try{return (');
    return { opened: [open], closed: [insertAt(end, `)}${tail}}`)] };
  }
  const directive = body.body.findLast((one) => one.type === 'ExpressionStatement' && 'directive' in one);
  const open = insertAt(directive?.end ?? body.start + 1, ';try{');
  return { opened: [open], closed: [insertAt(body.end - 1, `}${tail}`)] };
}

/** True for parameters with patterns or defaults. Those of a generator fail where it is called. */
function canParametersFail({ params, generator }: FunctionNode): boolean {
  if (generator) return false;
  return params.some((param) => (param.type === 'RestElement' ? param.argument : param).type !== 'Identifier');
}

/** Turns parameters into variables inside of the `try`; what the body declares stays in a block of its own. */
function editParameters({ type, params, body, end }: FunctionNode, index: CodeIndex, tail: string): NodeEdits {
  const [first, last] = [params[0]!, params.at(-1)!];
  const { args, code } = index;
  const isBlock = body.type === 'BlockStatement';
  const arrow = type === 'ArrowFunctionExpression' ? '=>' : '';
  const inside = isBlock ? body.start + 1 : index.endOfArrowBefore(body.start);
  const head = insertAt(first.start, `...${args})${arrow}{try{var [`);
  const lines = code.slice(last.end, inside).replaceAll(/[^\n]/g, '');
  const start = { start: last.end, end: inside, text: `${lines}]=${args};${isBlock ? '{' : 'return ('}` };
  const close = isBlock ? insertAt(body.end - 1, `}}${tail}`) : insertAt(end, `)}${tail}}`);
  // The last parameter may end in something that is closed at the same place.
  return { opened: [head], closed: [start, close] };
}

/** Statements that leave a `finally` and drop the error on its way through it. */
const JUMP = /^(?:Return|Break|Continue|Throw)Statement$/;

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Positions in some code, found without walking its nodes again. */
class CodeIndex {
  readonly code: string;
  /** Every node, outer ones before those in them. */
  readonly nodes: readonly AnyNode[];
  /** Names that the code does not use: for an error, and for all arguments. */
  readonly error: string;
  readonly args: string;
  /** Where arrows end, where jumps begin, and where names are declared as a `var`; sorted. */
  readonly #arrows: readonly number[];
  readonly #jumps: readonly number[];
  readonly #variables: ReadonlyMap<string, readonly number[]>;

  constructor(program: Program, code: string, tokens: readonly Token[]) {
    this.code = code;
    this.nodes = [...walkNodes(program)];
    this.error = findUnusedName('__error', code);
    this.args = findUnusedName('__args', code);
    this.#arrows = tokens.flatMap(({ type, end }) => (type.label === '=>' ? [end] : []));
    this.#jumps = this.nodes.flatMap(({ type, start }) => (JUMP.test(type) ? [start] : [])).toSorted(ascending);
    const names = this.nodes
      .flatMap((node) => (node.type === 'VariableDeclaration' && node.kind === 'var' ? node.declarations : []))
      .flatMap(({ id }) => [...walkNodes(id)].filter((node) => node.type === 'Identifier'))
      .toSorted((left, right) => left.start - right.start);
    const byName = Map.groupBy(names, ({ name }) => name);
    this.#variables = new Map(Array.from(byName, ([name, nodes]) => [name, nodes.map(({ start }) => start)]));
  }

  endOfArrowBefore(at: number): number {
    return this.#arrows[countBelow(at + 1, this.#arrows) - 1] ?? at;
  }

  hasJump(span: Span): boolean {
    return isAnyIn(span, this.#jumps);
  }

  /**
   * True for the body of a function that declares the name of one of its functions again, as a function or a `var`: it
   * may, but a block within it may not. A `var` of an inner function counts, too.
   */
  declaresFunctionTwice(body: BlockStatement): boolean {
    const names = body.body.flatMap((node) => (node.type === 'FunctionDeclaration' ? [node.id.name] : []));
    if (new Set(names).size < names.length) return true;
    return names.some((name) => isAnyIn(body, this.#variables.get(name) ?? []));
  }
}

/** The name, with more underscores behind it than it ever has in the code. */
function findUnusedName(name: string, code: string): string {
  let longest = -1;
  for (const [, { length } = ''] of code.matchAll(new RegExp(`${name}(_*)`, 'g'))) longest = Math.max(longest, length);
  return name + '_'.repeat(longest + 1);
}

function isAnyIn({ start, end }: Span, positions: readonly number[]): boolean {
  return (positions[countBelow(start, positions)] ?? end) < end;
}

function countBelow(limit: number, sorted: readonly number[]): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

function ascending(left: number, right: number): number {
  return left - right;
}

/** A node and every node in it, outer ones before those in them. */
function* walkNodes(root: AnyNode): Generator<AnyNode, undefined> {
  const left: unknown[] = [root];
  while (left.length > 0) {
    const one = left.pop();
    if (Array.isArray(one)) for (const part of one as readonly unknown[]) left.push(part);
    else if (isNode(one)) {
      yield one;
      for (const part of Object.values(one)) if (typeof part === 'object' && part !== null) left.push(part);
    }
  }
}

function isNode(value: unknown): value is AnyNode {
  return typeof (value as { readonly type?: unknown } | null)?.type === 'string';
}
