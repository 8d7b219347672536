import type { Token } from 'acorn';
import { CodeError } from './code-error.ts';

/**
 * Texts and remarks, which are passed over, or the beginning of a namespace.
 *
 * What stands in front of one is looked at last, since it may be a long stretch of blanks.
 */
const SCANNED =
  /"(?:[^"\\\n]|\\[^])*"?|'(?:[^'\\\n]|\\[^])*'?|`(?:[^`\\]|\\[^])*`?|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)|((?=namespace|module)(?<![\w$.]|declare\s+)(?:namespace|module)[ \t]+[\w$]+(?:\.[\w$]+)*\s*\{)/g;

/**
 * Namespaces go with the types, whatever they hold; those that are declared hold nothing else.
 *
 * @param plain the code without types
 * @throws CodeError at the first that is lost
 */
export function refuseNamespaces(code: string, plain: string): void {
  if (!/\b(?:namespace|module)\b/.test(code)) return;
  const kept = namespacesOf(plain);
  for (const [count, { text, index }] of namespacesOf(code).entries()) {
    if (text === kept[count]?.text) continue;
    throw new CodeError('namespaces are not supported here: use an object', code.slice(0, index).split('\n').length);
  }
}

function namespacesOf(code: string): readonly { readonly text: string; readonly index: number }[] {
  return Array.from(code.matchAll(SCANNED)).flatMap(({ 1: text, index }) =>
    text === undefined ? [] : [{ text, index }],
  );
}

/**
 * `delete("x")` would be the operator, which does nothing and says nothing.
 *
 * @param operators names of tools that are operators of the language
 * @throws CodeError at the first that looks like a call of one
 */
export function refuseOperators(tokens: readonly Token[], operators: readonly string[]): void {
  if (operators.length === 0) return;
  for (const [index, { type, loc }] of tokens.entries()) {
    const name = type.keyword ?? '';
    const before = tokens[index - 1]?.type.label;
    if (!operators.includes(name) || before === '.' || before === '?.' || !isCall(tokens, index + 1)) continue;
    throw new CodeError(`${name} is an operator of the language; the tool is called ${name}_(…)`, loc?.start.line ?? 1);
  }
}

/** True for parentheses with nothing behind them that would make them the beginning of an operand: `(a).b`. */
function isCall(tokens: readonly Token[], open: number): boolean {
  if (tokens[open]?.type.label !== '(') return false;
  let depth = 0;
  for (let index = open; index < tokens.length; index++) {
    const { label } = tokens[index]!.type;
    depth += Number(label === '(') - Number(label === ')');
    if (depth === 0) return !['.', '?.', '['].includes(tokens[index + 1]?.type.label ?? '');
  }
  return true;
}
