import type { CallExpression, Expression, Statement } from 'oxc-parser';
import { readOwner, readRequire } from './declaration-parts.ts';

/** An export by a call instead of an assignment. */
export type ExportCall =
  | { readonly type: 'star'; readonly specifier: string }
  | { readonly type: 'name'; readonly name: string; readonly value: Expression };

/**
 * Reads `Object.defineProperty(exports, 'a', { get: … })`, and `__exportStar(require('./a'), exports)` and
 * `Object.assign(exports, require('./a'))`.
 */
export function readExportCalls(expression: Expression): readonly ExportCall[] {
  if (expression.type !== 'CallExpression') return [];
  const name = readFunctionName(expression.callee);
  const [first, ...others] = expression.arguments;
  if (first === undefined || first.type === 'SpreadElement') return [];
  if (name === '__exportStar' || name === '__export') return listStars([first]);
  if (readOwner(first) !== 'exports') return [];
  if (name === 'assign') return listStars(others);
  const [key, descriptor] = others;
  const isNamed = key?.type === 'Literal' && typeof key.value === 'string' && key.value !== '__esModule';
  if (name !== 'defineProperty' || !isNamed || descriptor?.type !== 'ObjectExpression') return [];
  const value = readDescribed(descriptor);
  return value === undefined ? [] : [{ type: 'name', name: key.value, value }];
}

function listStars(values: CallExpression['arguments']): readonly ExportCall[] {
  return values.flatMap((value) => {
    const specifier = value.type === 'SpreadElement' ? undefined : readRequire(value);
    return specifier === undefined ? [] : [{ type: 'star' as const, specifier }];
  });
}

/** Lists the modules whose exports an object spreads: `{ ...require('./a') }`. */
export function listSpreadModules(value: Expression): readonly string[] {
  if (value.type !== 'ObjectExpression') return [];
  return value.properties.flatMap((property) =>
    property.type === 'SpreadElement' ? (readRequire(property.argument) ?? []) : [],
  );
}

/** Returns the last name of a called function: `__exportStar` for `(0, tslib_1.__exportStar)`. */
function readFunctionName(callee: Expression): string | undefined {
  const called = callee.type === 'SequenceExpression' ? callee.expressions.at(-1) : callee;
  if (called?.type === 'Identifier') return called.name;
  return called?.type === 'MemberExpression' && called.property.type === 'Identifier'
    ? called.property.name
    : undefined;
}

/** Returns the value of a property that is described: by `value`, or by what its getter returns. */
function readDescribed(descriptor: Extract<Expression, { type: 'ObjectExpression' }>): Expression | undefined {
  for (const property of descriptor.properties) {
    if (property.type === 'SpreadElement' || property.key.type !== 'Identifier') continue;
    const value = property.value;
    if (property.key.name === 'value') return value;
    if (property.key.name !== 'get') continue;
    if (value.type === 'FunctionExpression' || value.type === 'ArrowFunctionExpression')
      return value.body?.type === 'BlockStatement' ? readGetterResult(value.body.body) : (value.body as Expression);
  }
  return undefined;
}

function readGetterResult(statements: readonly { readonly type: string }[]): Expression | undefined {
  const last = statements.at(-1) as Statement | undefined;
  return last?.type === 'ReturnStatement' ? (last.argument ?? undefined) : undefined;
}
