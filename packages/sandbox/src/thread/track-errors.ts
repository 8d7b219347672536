import type {
  AnyNode,
  BlockStatement,
  CatchClause,
  Function as FunctionNode,
  Identifier,
  NewExpression,
  Program,
  TryStatement,
} from 'acorn';

/** Edits at the beginning of a node, and at its end. */
interface NodeEdits {
  readonly opened: readonly Edit[];
  readonly closed: readonly Edit[];
}
const NO_EDITS: NodeEdits = { opened: [], closed: [] };

/**
 * Returns edits that report errors to the engine's `UnhandledErrors`: those that a `catch` has caught, that an async
 * function throws, or with which a promise created by code is rejected. The engine does not report which promises have
 * failed.
 */
export function trackErrors(program: Program, code: string): readonly Edit[] {
  if (!/catch|async|finally|Promise/.test(code)) return [];
  const nodes = walkNodes(program);
  const tracked: TrackedCode = {
    code,
    error: findUnusedName('__error', code),
    args: findUnusedName('__args', code),
    jumps: nodes.filter(({ type }) => JUMP.test(type)),
    variables: nodes
      .flatMap((node) => (node.type === 'VariableDeclaration' && node.kind === 'var' ? node.declarations : []))
      .flatMap(({ id }) => walkNodes(id).filter((node) => node.type === 'Identifier')),
  };
  const opened: Edit[] = [];
  const closed: Edit[] = [];
  for (const node of nodes) {
    const edits = editNode(node, tracked);
    opened.push(...edits.opened);
    closed.push(...edits.closed);
  }
  // If several nodes end at the same place, the inner one is closed first.
  return [...opened, ...closed.toReversed()];
}

interface TrackedCode {
  readonly code: string;
  /** Names that the code does not use: for an error, and for all arguments. */
  readonly error: string;
  readonly args: string;
  readonly jumps: readonly AnyNode[];
  readonly variables: readonly Identifier[];
}

function editNode(node: AnyNode, tracked: TrackedCode): NodeEdits {
  if (node.type === 'CatchClause') return editCatch(node, tracked);
  if (node.type === 'TryStatement') return editFinally(node, tracked);
  if (node.type === 'NewExpression') return editPromise(node);
  return 'async' in node && node.async ? editAsync(node, tracked) : NO_EDITS;
}

function editCatch({ param, body }: CatchClause, { code, error }: TrackedCode): NodeEdits {
  const inside = body.start + 1;
  if (!param) {
    return { opened: [insertAt(body.start, `(${error})`), insertAt(inside, `__caught(${error});`)], closed: [] };
  }
  if (param.type === 'Identifier') return { opened: [insertAt(inside, `__caught(${param.name});`)], closed: [] };
  const { start, end } = param;
  // The parameter must not see declarations in the body, so the body stays in its own block.
  const text = `__caught(${error});let ${code.slice(start, end)} = ${error};{`;
  return { opened: [{ start, end, text: error }, insertAt(inside, text)], closed: [insertAt(body.end - 1, '}')] };
}

/** Edits a `finally` that ends with a jump, which drops the error; without a jump the error continues. */
function editFinally({ start, block, handler, finalizer }: TryStatement, { error, jumps }: TrackedCode): NodeEdits {
  if (!finalizer || !jumps.some((jump) => isNodeInside(jump, finalizer))) return NO_EDITS;
  const noted = `catch(${error}){__caught(${error});throw ${error}}`;
  if (!handler) return { opened: [], closed: [insertAt(block.end, noted)] };
  return { opened: [insertAt(start, 'try{')], closed: [insertAt(handler.end, `}${noted}`)] };
}

function editPromise({ start, end, callee, arguments: { length } }: NewExpression): NodeEdits {
  const maker = unwrapParentheses(callee);
  if (maker.type !== 'Identifier' || maker.name !== 'Promise' || length === 0) return NO_EDITS;
  return { opened: [insertAt(start, '__made(')], closed: [insertAt(end, ')')] };
}

function editAsync(node: FunctionNode, tracked: TrackedCode): NodeEdits {
  const { body, end } = node;
  const isBlock = body.type === 'BlockStatement';
  // Inside a block, that would be an error.
  if (isBlock && declaresFunctionTwice(body, tracked)) return NO_EDITS;
  const tail = `catch(${tracked.error}){throw __escaped(${tracked.error})}`;
  if (canParametersFail(node)) return editParameters(node, tracked, tail);
  if (!isBlock) return { opened: [insertAt(body.start, '{try{return (')], closed: [insertAt(end, `)}${tail}}`)] };
  const directive = body.body.findLast((one) => one.type === 'ExpressionStatement' && 'directive' in one);
  const open = insertAt(directive?.end ?? body.start + 1, ';try{');
  return { opened: [open], closed: [insertAt(body.end - 1, `}${tail}`)] };
}

/** Returns true for parameters with patterns or defaults. Those of a generator fail at the call. */
function canParametersFail({ params, generator }: FunctionNode): boolean {
  if (generator) return false;
  return params.some((param) => (param.type === 'RestElement' ? param.argument : param).type !== 'Identifier');
}

/** Turns parameters into variables inside the `try`; declarations in the body stay in their own block. */
function editParameters(
  { type, params, body, end }: FunctionNode,
  { args, code }: TrackedCode,
  tail: string,
): NodeEdits {
  const [first, last] = [params[0]!, params.at(-1)!];
  const isBlock = body.type === 'BlockStatement';
  const arrow = type === 'ArrowFunctionExpression' ? '=>' : '';
  const inside = isBlock ? body.start + 1 : body.start;
  const head = insertAt(first.start, `...${args})${arrow}{try{var [`);
  const lines = code.slice(last.end, inside).replaceAll(/[^\n]/g, '');
  const start = { start: last.end, end: inside, text: `${lines}]=${args};${isBlock ? '{' : 'return ('}` };
  const close = isBlock ? insertAt(body.end - 1, `}}${tail}`) : insertAt(end, `)}${tail}}`);
  // The last parameter may end with something that is closed at the same place.
  return { opened: [head], closed: [start, close] };
}

/** Statements that leave a `finally` and thereby drop the error. */
const JUMP = /^(?:Return|Break|Continue|Throw)Statement$/;

/**
 * Returns true for a body that declares one of its functions twice, which is not allowed in a block within it. A nested
 * `var` counts, too.
 */
function declaresFunctionTwice(body: BlockStatement, { variables }: TrackedCode): boolean {
  const names = body.body.flatMap((node) => (node.type === 'FunctionDeclaration' ? [node.id.name] : []));
  const functions = new Set(names);
  if (functions.size < names.length) return true;
  return functions.size > 0 && variables.some((one) => functions.has(one.name) && isNodeInside(one, body));
}

function isNodeInside(node: AnyNode, outer: AnyNode): boolean {
  return node.start > outer.start && node.end < outer.end;
}

/** Returns the name, followed by more underscores than it has anywhere in the code. */
function findUnusedName(name: string, code: string): string {
  let longest = -1;
  for (const [, { length } = ''] of code.matchAll(new RegExp(`${name}(_*)`, 'g'))) longest = Math.max(longest, length);
  return name + '_'.repeat(longest + 1);
}

export function unwrapParentheses(node: AnyNode): AnyNode {
  return node.type === 'ParenthesizedExpression' ? unwrapParentheses(node.expression) : node;
}

/** Lists a node and every node in it, outer ones before inner ones. */
function walkNodes(root: AnyNode): readonly AnyNode[] {
  const nodes: AnyNode[] = [];
  const left: unknown[] = [root];
  while (left.length > 0) {
    const one = left.pop();
    if (Array.isArray(one)) for (const part of one as readonly unknown[]) left.push(part);
    else if (isSyntaxNode(one)) {
      nodes.push(one);
      for (const part of Object.values(one)) if (typeof part === 'object' && part !== null) left.push(part);
    }
  }
  return nodes;
}

function isSyntaxNode(value: unknown): value is AnyNode {
  return typeof (value as { readonly type?: unknown } | null)?.type === 'string';
}

/** Replacement for a part of some code. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export function insertAt(at: number, text: string): Edit {
  return { start: at, end: at, text };
}

/**
 * Returns the code with its edits; those at the same place are kept in the given order. Edits within replaced code are
 * dropped.
 */
export function insertEdits(code: string, edits: readonly Edit[]): string {
  let text = '';
  let at = 0;
  for (const edit of edits.toSorted((a, b) => a.start - b.start)) {
    if (edit.start < at) continue;
    text += code.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return text + code.slice(at);
}
