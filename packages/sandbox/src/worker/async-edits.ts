import type { Function as FunctionNode } from 'acorn';
import type { CodeOutline } from './code-outline.ts';
import { insertion, NO_EDITS, type OuterEdits } from './edit.ts';

/** Edits of an async function that say what leaves it: what its body throws, and what its parameters do. */
export function asyncEdits(node: FunctionNode, code: string, outline: CodeOutline): OuterEdits {
  const { body, end } = node;
  const isBlock = body.type === 'BlockStatement';
  // In a block of its own that would be an error.
  if (isBlock && outline.declaresTwice(body)) return NO_EDITS;
  const left = `catch(${outline.error}){throw __escaped(${outline.error})}`;
  if (takesApart(node)) return parameterEdits(node, { code, outline, left });
  if (!isBlock) {
    // Parentheses may stand around the body.
    const open = insertion(outline.arrowBefore(body.start), '{try{return (');
    return { opened: [open], closed: [insertion(end, `)}${left}}`)] };
  }
  const directive = body.body.findLast((one) => one.type === 'ExpressionStatement' && 'directive' in one);
  const open = insertion(directive?.end ?? body.start + 1, ';try{');
  return { opened: [open], closed: [insertion(body.end - 1, `}${left}`)] };
}

/** True when there is something in the parameters that can fail. That of a generator fails where it is called. */
function takesApart({ params, generator }: FunctionNode): boolean {
  if (generator) return false;
  return params.some((param) => (param.type === 'RestElement' ? param.argument : param).type !== 'Identifier');
}

interface Around {
  readonly code: string;
  readonly outline: CodeOutline;
  /** What stands behind the body. */
  readonly left: string;
}

/** Parameters become variables that are taken out of all arguments; what the body declares stays in a block of its own. */
function parameterEdits({ type, params, body, end }: FunctionNode, { code, outline, left }: Around): OuterEdits {
  const [first, last] = [params[0]!, params.at(-1)!];
  const { args } = outline;
  const isBlock = body.type === 'BlockStatement';
  const arrow = type === 'ArrowFunctionExpression' ? '=>' : '';
  const inside = isBlock ? body.start + 1 : outline.arrowBefore(body.start);
  const head = insertion(first.start, `...${args})${arrow}{try{var [`);
  const lines = code.slice(last.end, inside).replaceAll(/[^\n]/g, '');
  const start = { start: last.end, end: inside, text: `${lines}]=${args};${isBlock ? '{' : 'return ('}` };
  const tail = isBlock ? insertion(body.end - 1, `}}${left}`) : insertion(end, `)}${left}}`);
  // The last parameter may end in something that is closed at the same place.
  return { opened: [head], closed: [start, tail] };
}
