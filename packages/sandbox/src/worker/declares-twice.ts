import type { AnyNode, BlockStatement } from 'acorn';
import { nodesOf } from './nodes-of.ts';

/**
 * True for the body of a function that declares the name of one of its functions again, as a function or a `var`: it
 * may, but a block within it may not. A `var` of a function in it counts, too.
 */
export function declaresTwice(body: BlockStatement): boolean {
  const functions = body.body.flatMap((node) => (node.type === 'FunctionDeclaration' ? [node.id.name] : []));
  if (functions.length === 0) return false;
  const names = new Set(functions);
  return names.size < functions.length || [...nodesOf(body)].some((node) => isVariableOf(node, names));
}

function isVariableOf(node: AnyNode, names: ReadonlySet<string>): boolean {
  if (node.type !== 'VariableDeclaration' || node.kind !== 'var') return false;
  return node.declarations.some(({ id }) =>
    [...nodesOf(id)].some((one) => one.type === 'Identifier' && names.has(one.name)),
  );
}
