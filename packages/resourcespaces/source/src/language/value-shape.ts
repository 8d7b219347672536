import type { Expression } from 'oxc-parser';

/** A value without `as const` and `satisfies`. */
export function bareValue(value: Expression | null): Expression | null {
  let bare = value;
  while (bare?.type === 'TSAsExpression' || bare?.type === 'TSSatisfiesExpression') bare = bare.expression;
  return bare;
}

/** True for a value that is called. */
export function isFunction(value: Expression | null): boolean {
  const type = bareValue(value)?.type;
  return type === 'ArrowFunctionExpression' || type === 'FunctionExpression';
}

/**
 * Where the signature of a value ends: where the body of a function, class or object begins.
 *
 * @param end where it ends when the value has no body
 */
export function signatureEnd(value: Expression | null, end: number): number {
  const bare = bareValue(value);
  if (bare?.type === 'ArrowFunctionExpression' || bare?.type === 'FunctionExpression') return bare.body?.start ?? end;
  if (bare?.type === 'ClassExpression') return bare.body.start;
  return bare?.type === 'ObjectExpression' ? bare.start : end;
}
