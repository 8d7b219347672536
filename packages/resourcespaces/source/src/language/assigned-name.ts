import type { Expression, MemberExpression } from 'oxc-parser';
import { keyName } from './key-name.ts';

/** What a statement gives a name to, without declaring it. */
export interface Assigned {
  /** The name of what it is put on; `exports` for the module itself. */
  readonly owner: string;
  /** `default` for all that the module exports. */
  readonly name: string;
  readonly value: Expression;
}

/** Understands `exports.name = …`, `module.exports.name = …`, `module.exports = …` and `owner.name = …`. */
export function assignedName(expression: Expression, text: string): Assigned | undefined {
  if (expression.type !== 'AssignmentExpression' || expression.operator !== '=') return undefined;
  const { left, right: value } = expression;
  if (left.type !== 'MemberExpression') return undefined;
  const { object } = left;
  if (isModuleExports(left)) return { owner: 'exports', name: 'default', value };
  const name =
    left.property.type === 'PrivateIdentifier'
      ? undefined
      : keyName({ key: left.property, computed: left.computed }, text);
  if (name === undefined) return undefined;
  if (object.type === 'MemberExpression' && isModuleExports(object)) return { owner: 'exports', name, value };
  return object.type === 'Identifier' ? { owner: object.name, name, value } : undefined;
}

/** The module that `require('x')` stands for; undefined for every other value. */
export function requiredModule(value: Expression): string | undefined {
  if (value.type !== 'CallExpression') return undefined;
  const {
    callee,
    arguments: [argument],
  } = value;
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
