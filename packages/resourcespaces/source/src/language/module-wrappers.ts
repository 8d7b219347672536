import type { CallExpression, Directive, Expression, Function, FunctionBody, Span, Statement } from 'oxc-parser';
import { listBlocks } from './inner-scopes.ts';

/** A function around the code of a script, which it calls at once, or passes to one that does. */
export interface ModuleWrapper {
  readonly statements: readonly (Statement | Directive)[];
  /** Names of the global object, whose members the script exports: `root` for `(function (root) { … })(this)`. */
  readonly globals: ReadonlySet<string>;
  /** True if what the function returns is the value of the module. */
  readonly returns: boolean;
  /** The range between its braces. */
  readonly body: Span;
}

const GLOBALS: readonly string[] = ['window', 'self', 'globalThis', 'global'];

/**
 * Reads a statement that wraps a script: `(function (root, factory) { … })(this, function () { … })`,
 * `(() => { … })()`, `!function () { … }.call(this)`, or `define([…], function () { … })`.
 */
export function readModuleWrapper(statement: Statement | Directive): ModuleWrapper | undefined {
  if (statement.type !== 'ExpressionStatement') return undefined;
  let expression: Expression = statement.expression;
  while (expression.type === 'UnaryExpression') expression = expression.argument;
  if (expression.type !== 'CallExpression') return undefined;
  const called = readCalled(expression);
  if (called === undefined) return undefined;
  const factory = expression.arguments.findLast((one) => readWrappingFunction(one) !== undefined);
  const wrapped = factory === undefined ? called.wrapper : readWrappingFunction(factory);
  if (wrapped === undefined) return undefined;
  const globals = new Set(GLOBALS);
  const given = called.wrapper === wrapped ? called.given : [];
  for (const [index, parameter] of wrapped.params.entries()) {
    const argument = given[index];
    if (parameter.type === 'Identifier' && argument !== undefined && isGlobal(argument)) globals.add(parameter.name);
  }
  const [self] = expression.arguments;
  if (called.isCall && called.wrapper === wrapped && self !== undefined && isGlobal(self)) globals.add('this');
  const { start, end } = wrapped.body;
  const statements = wrapped.body.body.flatMap((one) => [one, ...listBranchExports(one)]);
  return { statements, globals, returns: factory !== undefined, body: { start: start + 1, end: end - 1 } };
}

/** Returns the body of a function that is called at once: `(function () { … })()`, `(() => { … })()`. */
export function readCalledBody(value: Expression | null): FunctionBody | undefined {
  return value?.type === 'CallExpression' ? readCalled(value)?.wrapper?.body : undefined;
}

interface Wrapped {
  readonly body: FunctionBody;
  readonly params: Function['params'];
}

/** Returns the function that is called, and what it is given; only `define` may be called by its name. */
function readCalled({ callee, arguments: given }: CallExpression) {
  if (callee.type === 'Identifier')
    return callee.name === 'define' ? { wrapper: undefined, given, isCall: false } : undefined;
  const isCall =
    callee.type === 'MemberExpression' && callee.property.type === 'Identifier' && callee.property.name === 'call';
  const wrapper = readWrappingFunction(isCall ? callee.object : callee);
  return wrapper && { wrapper, given: isCall ? given.slice(1) : given, isCall };
}

function readWrappingFunction(node: CallExpression['arguments'][number]): Wrapped | undefined {
  const isFunction = node.type === 'FunctionExpression' || node.type === 'ArrowFunctionExpression';
  if (!isFunction || node.body?.type !== 'BlockStatement') return undefined;
  return { body: node.body, params: node.params };
}

/** Lists the exports in the branches of a condition: `if (typeof module === 'object') module.exports = Shop`. */
function listBranchExports(statement: Statement | Directive): readonly Statement[] {
  if (statement.type !== 'IfStatement' && statement.type !== 'BlockStatement') return [];
  const inside = listBlocks(statement).flat();
  return inside.flatMap((one) => (one.type === 'ExpressionStatement' ? [one] : listBranchExports(one)));
}

/** Tests whether a value is the global object: `this`, `window`, `typeof self !== 'undefined' ? self : this`. */
function isGlobal(value: CallExpression['arguments'][number]): boolean {
  switch (value.type) {
    case 'ThisExpression':
      return true;
    case 'Identifier':
      return GLOBALS.includes(value.name);
    case 'ConditionalExpression':
      return isGlobal(value.consequent) || isGlobal(value.alternate);
    case 'LogicalExpression':
      return isGlobal(value.right);
    default:
      return false;
  }
}
