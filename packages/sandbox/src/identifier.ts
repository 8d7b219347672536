/** Operators of the language that look like a call when a tool has their name. */
const OPERATORS = new Set(['delete', 'typeof', 'void', 'new', 'throw', 'yield', 'await', 'return']);
const RESERVED = new Set(
  [
    'delete typeof void new throw yield await return break case catch class const continue debugger default do else',
    'enum export extends false finally for function if import in instanceof let null super switch this true try var',
    'while with static implements interface package private protected public undefined NaN Infinity globalThis eval',
    'arguments async',
  ]
    .join(' ')
    .split(' '),
);

/** The name of a tool or place as code can write it: `my-tool` is `my_tool`, `delete` is `delete_`. */
export function identifier(name: string): string {
  const written = name.replaceAll(/[^\p{L}\p{N}_$]/gu, '_');
  return RESERVED.has(written) ? `${written}_` : written;
}

/** True for a name that would be understood as an operator: `delete("x")`. */
export function isOperator(name: string): boolean {
  return OPERATORS.has(name);
}
