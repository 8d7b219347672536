/** Words of the language that look like a call when a tool has their name. */
const OPERATORS = new Set(['delete', 'typeof', 'void', 'new', 'throw', 'yield', 'await', 'return']);

/** True for a name that would be understood as an operator: `delete("x")`. */
export function isOperator(name: string): boolean {
  return OPERATORS.has(name);
}
