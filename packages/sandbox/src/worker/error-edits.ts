import type { AnyNode, CatchClause, Function as FunctionNode, Program, Token, TryStatement } from 'acorn';
import { declaresTwice } from './declares-twice.ts';
import { insertion, type Edit } from './edit.ts';
import { nodesOf } from './nodes-of.ts';

const ERROR = '__error';
/** Statements that leave a `finally`; an error on its way through it is caught then. */
const LEAVING = /^(?:Return|Break|Continue|Throw)Statement$/;

/** What is put in at the beginning of something, and at its end. */
interface Edits {
  readonly opened: readonly Edit[];
  readonly closed: readonly Edit[];
}
const NONE: Edits = { opened: [], closed: [] };

/**
 * Edits that let the sandbox follow what is thrown: every `catch` says what it has caught, and every async function what
 * leaves it. So an error that nothing catches can be told, although the engine does not say which promises failed.
 *
 * @param tokens those of the code, in order
 */
export function errorEdits(program: Program, code: string, tokens: readonly Token[]): readonly Edit[] {
  if (!/catch|async|finally/.test(code)) return [];
  const arrows = tokens.flatMap(({ type, end }) => (type.label === '=>' ? [end] : []));
  const opened: Edit[] = [];
  const closed: Edit[] = [];
  for (const node of nodesOf(program)) {
    const edits = editsOf(node, code, arrows);
    opened.push(...edits.opened);
    closed.push(...edits.closed);
  }
  // Of what ends at the same place the inner one is closed first.
  return [...opened, ...closed.toReversed()];
}

function editsOf(node: AnyNode, code: string, arrows: readonly number[]): Edits {
  if (node.type === 'CatchClause') return catchEdits(node, code);
  if (node.type === 'TryStatement') return finallyEdits(node);
  return 'async' in node && node.async ? asyncEdits(node, arrows) : NONE;
}

function caught(name: string): string {
  return `__caught(${name});`;
}

function catchEdits({ param, body }: CatchClause, code: string): Edits {
  const inside = body.start + 1;
  const inserted = (name: string): Edit => insertion(inside, caught(name));
  if (!param) return { opened: [insertion(body.start, `(${ERROR})`), inserted(ERROR)], closed: [] };
  if (param.type === 'Identifier') return { opened: [inserted(param.name)], closed: [] };
  const { start, end } = param;
  // What the body declares is not seen by the parameter: it stays in a block of its own.
  const taken = `${caught(ERROR)}let ${code.slice(start, end)} = ${ERROR};{`;
  return { opened: [{ start, end, text: ERROR }, insertion(inside, taken)], closed: [insertion(body.end - 1, '}')] };
}

/** What a `finally` does away with was caught by it; what it lets through goes on. */
function finallyEdits({ start, block, handler, finalizer }: TryStatement): Edits {
  if (!finalizer || ![...nodesOf(finalizer)].some(({ type }) => LEAVING.test(type))) return NONE;
  const passed = `catch(${ERROR}){${caught(ERROR)}throw ${ERROR}}`;
  if (!handler) return { opened: [], closed: [insertion(block.end, passed)] };
  return { opened: [insertion(start, 'try{')], closed: [insertion(handler.end, `}${passed}`)] };
}

/** @param arrows where arrows end, in order */
function asyncEdits({ body, end }: FunctionNode, arrows: readonly number[]): Edits {
  const left = `catch(${ERROR}){throw __escaped(${ERROR})}`;
  if (body.type !== 'BlockStatement') {
    // Parentheses may stand around the body.
    const open = insertion(lastBefore(body.start, arrows), '{try{return (');
    return { opened: [open], closed: [insertion(end, `)}${left}}`)] };
  }
  // In a block of its own that would be an error.
  if (declaresTwice(body)) return NONE;
  const directive = body.body.findLast((node) => node.type === 'ExpressionStatement' && 'directive' in node);
  const open = insertion(directive?.end ?? body.start + 1, ';try{');
  return { opened: [open], closed: [insertion(body.end - 1, `}${left}`)] };
}

/** The last number that is not beyond another. */
function lastBefore(most: number, sorted: readonly number[]): number {
  let [low, high] = [0, sorted.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((sorted[middle] ?? 0) <= most) low = middle;
    else high = middle - 1;
  }
  return sorted[low] ?? most;
}
