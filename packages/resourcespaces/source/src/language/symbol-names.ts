import type {
  BindingIdentifier,
  BindingPattern,
  Expression,
  MemberExpression,
  ModuleExportName,
  PropertyKey,
  TSGlobalDeclaration,
  TSModuleDeclaration,
} from 'oxc-parser';
import { copyText } from './text-spans.ts';

/** Identifiers, and names with hyphens: they need no brackets in an address. */
const PLAIN = /^[\p{ID_Start}$_][\p{ID_Continue}$-]*$/u;

/** A name that was written between quotes, as it is in an address: without them when it needs none. */
export function quoteSymbolName(value: string): string {
  return PLAIN.test(value) ? value : `['${value.replaceAll(/['\\]/g, String.raw`\$&`).replaceAll(/\s+/g, ' ')}']`;
}

/** The key of a member, as it is in an address: `send`, `#state`, `[Symbol.iterator]`, `['two words']`. */
export function readKeyName(
  { key, computed }: { readonly key: PropertyKey; readonly computed: boolean },
  text: string,
): string {
  if (key.type === 'PrivateIdentifier') return `#${key.name}`;
  if (key.type === 'Identifier' && !computed) return key.name;
  if (key.type === 'Literal' && typeof key.value === 'string') return quoteSymbolName(key.value);
  const written = copyText(text.slice(key.start, key.end).replaceAll(/\s+/g, ' '));
  return computed ? `[${written}]` : written;
}

/** The name between the braces of an import or export. */
export function readExportName(name: ModuleExportName): string {
  return name.type === 'Literal' ? quoteSymbolName(name.value) : name.name;
}

/** The names that a pattern binds, in order: `a`, `b` and `c` of `{ a, x: [b], ...c }`. */
export function listBindings(pattern: BindingPattern): readonly BindingIdentifier[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern];
    case 'AssignmentPattern':
      return listBindings(pattern.left);
    case 'ArrayPattern':
      return pattern.elements.flatMap((element) =>
        element === null ? [] : listBindings(element.type === 'RestElement' ? element.argument : element),
      );
    default:
      return pattern.properties.flatMap((property) =>
        listBindings(property.type === 'RestElement' ? property.argument : property.value),
      );
  }
}

/** The names of a namespace, outermost first: one, or several for `namespace A.B`. */
export function listNamespaceNames({ id }: TSModuleDeclaration | TSGlobalDeclaration): readonly string[] {
  if (id.type === 'Literal') return [quoteSymbolName(id.value)];
  const names: string[] = [];
  let left: typeof id | { readonly type: 'ThisExpression' } = id;
  while (left.type === 'TSQualifiedName') {
    names.unshift(left.right.name);
    left = left.left as typeof id;
  }
  return left.type === 'Identifier' ? [left.name, ...names] : names;
}

/**
 * Reads `exports.name = …`, `module.exports.name = …`, `module.exports = …` and `owner.name = …`. The owner is
 * `exports` for the module itself, and the name is `default` for `module.exports`.
 */
export function readAssignment(expression: Expression, text: string) {
  if (expression.type !== 'AssignmentExpression' || expression.operator !== '=') return undefined;
  const { left, right: value } = expression;
  if (left.type !== 'MemberExpression') return undefined;
  const { object, property, computed } = left;
  if (isModuleExports(left)) return { owner: 'exports', name: 'default', value };
  if (property.type === 'PrivateIdentifier') return undefined;
  const name = readKeyName({ key: property, computed }, text);
  if (object.type === 'MemberExpression' && isModuleExports(object)) return { owner: 'exports', name, value };
  return object.type === 'Identifier' ? { owner: object.name, name, value } : undefined;
}

/** The module of `require('x')`; undefined for every other value. */
export function readRequire(value: Expression): string | undefined {
  if (value.type !== 'CallExpression') return undefined;
  const { callee } = value;
  const [argument] = value.arguments;
  if (callee.type !== 'Identifier' || callee.name !== 'require') return undefined;
  return argument?.type === 'Literal' && typeof argument.value === 'string' ? argument.value : undefined;
}

function isModuleExports({ object, property, computed }: MemberExpression): boolean {
  return (
    !computed &&
    object.type === 'Identifier' &&
    object.name === 'module' &&
    property.type === 'Identifier' &&
    property.name === 'exports'
  );
}
