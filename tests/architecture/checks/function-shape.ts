import type { ArrowFunctionExpression, Function as FunctionNode, Node } from 'oxc-parser';
import { modulesOf, type Module } from '../source/module.ts';
import type { Repository } from '../source/repository.ts';
import type { Violation } from '../source/violation.ts';
import { walk } from '../source/walk.ts';

/** Most parameters of a function. */
export const PARAMETERS = 3;

const TEST_FILE = /\.test\.tsx?$/;

/** Signatures that people write by hand, and that read better as they are. */
const HANDWRITTEN = new Set(['packages/core/src/decorators/tool.ts']);

/** Functions take few parameters. */
export function checkFunctionShape(repository: Repository): readonly Violation[] {
  const modules = modulesOf(repository).filter(({ path }) => !TEST_FILE.test(path));
  return modules.flatMap((module) => {
    const found: Violation[] = [];
    walk(module.program, (node, parent) => {
      if (isFunction(node)) found.push(...checkFunction(module, node, parent));
    });
    return found;
  });
}

function checkFunction(module: Module, node: FunctionLike, parent: Node | undefined): readonly Violation[] {
  const line = module.lineAt(node.start);
  const name = nameOf(node, parent);
  const { path } = module;
  const count = node.params.length;
  if (count <= PARAMETERS || HANDWRITTEN.has(path)) return [];
  return [{ path, line, message: `${name} has ${count} parameters; take an object` }];
}

type FunctionLike = ArrowFunctionExpression | FunctionNode;

function isFunction(node: Node): node is FunctionLike {
  return (
    node.type === 'FunctionDeclaration' ||
    node.type === 'FunctionExpression' ||
    node.type === 'ArrowFunctionExpression' ||
    node.type === 'TSDeclareFunction' ||
    node.type === 'TSEmptyBodyFunctionExpression'
  );
}

function nameOf(node: FunctionLike, parent: Node | undefined): string {
  if ('id' in node && node.id) return node.id.name;
  if (parent !== undefined && 'key' in parent && parent.key.type === 'Identifier') return parent.key.name;
  if (parent?.type === 'VariableDeclarator' && parent.id.type === 'Identifier') return parent.id.name;
  return 'a function';
}
