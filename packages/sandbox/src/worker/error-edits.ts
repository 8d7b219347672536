import type { AnyNode, CatchClause, NewExpression, Program, Token, TryStatement } from 'acorn';
import { asyncEdits } from './async-edits.ts';
import { CodeOutline } from './code-outline.ts';
import { insertion, NO_EDITS, type Edit, type OuterEdits } from './edit.ts';

/**
 * Edits that let the sandbox follow what is thrown: every `catch` says what it has caught, every async function what
 * leaves it, and every promise that code makes itself what it is rejected with. So an error that nothing catches can be
 * told, although the engine does not say which promises failed.
 *
 * @param tokens those of the code, in order
 */
export function errorEdits(program: Program, code: string, tokens: readonly Token[]): readonly Edit[] {
  if (!/catch|async|finally|Promise/.test(code)) return [];
  const outline = new CodeOutline(program, code, tokens);
  const opened: Edit[] = [];
  const closed: Edit[] = [];
  for (const node of outline.nodes) {
    const edits = editsOf(node, code, outline);
    opened.push(...edits.opened);
    closed.push(...edits.closed);
  }
  // Of what ends at the same place the inner one is closed first.
  return [...opened, ...closed.toReversed()];
}

function editsOf(node: AnyNode, code: string, outline: CodeOutline): OuterEdits {
  if (node.type === 'CatchClause') return catchEdits(node, code, outline.error);
  if (node.type === 'TryStatement') return finallyEdits(node, outline);
  if (node.type === 'NewExpression') return promiseEdits(node);
  return 'async' in node && node.async ? asyncEdits(node, code, outline) : NO_EDITS;
}

function caught(name: string): string {
  return `__caught(${name});`;
}

function catchEdits({ param, body }: CatchClause, code: string, error: string): OuterEdits {
  const inside = body.start + 1;
  const inserted = (name: string): Edit => insertion(inside, caught(name));
  if (!param) return { opened: [insertion(body.start, `(${error})`), inserted(error)], closed: [] };
  if (param.type === 'Identifier') return { opened: [inserted(param.name)], closed: [] };
  const { start, end } = param;
  // What the body declares is not seen by the parameter: it stays in a block of its own.
  const taken = `${caught(error)}let ${code.slice(start, end)} = ${error};{`;
  return { opened: [{ start, end, text: error }, insertion(inside, taken)], closed: [insertion(body.end - 1, '}')] };
}

/** What a `finally` does away with was caught by it; what it lets through goes on. */
function finallyEdits({ start, block, handler, finalizer }: TryStatement, outline: CodeOutline): OuterEdits {
  if (!finalizer || !outline.leaves(finalizer)) return NO_EDITS;
  const { error } = outline;
  const passed = `catch(${error}){${caught(error)}throw ${error}}`;
  if (!handler) return { opened: [], closed: [insertion(block.end, passed)] };
  return { opened: [insertion(start, 'try{')], closed: [insertion(handler.end, `}${passed}`)] };
}

/** What a promise of one's own is rejected with nobody throws. */
function promiseEdits({ start, end, callee, arguments: { length } }: NewExpression): OuterEdits {
  if (callee.type !== 'Identifier' || callee.name !== 'Promise' || length === 0) return NO_EDITS;
  return { opened: [insertion(start, '__made(')], closed: [insertion(end, ')')] };
}
