import { tokenizer, type Token } from 'acorn';

export class CodeError extends Error {
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

const TOO_DEEP = 'the code is nested too deeply';
/** Parser messages that do not fit code that stands alone. */
const REWORDED: Readonly<Record<string, string>> = {
  'Not enough stack space to parse input': TOO_DEEP,
  "'return' outside of function": 'return outside of a function: the value of the last line is shown by itself',
};
const NO_ASYNC = 'await in a function that is not async: write async before it, or a for (… of …) in its place';
const NO_PARENTHESES = 'put parentheses around what stands before <: (value as Type) < other';

/**
 * Converts a parser's error to a CodeError. Both parsers end their messages with `(line:column)`; one gives a position.
 */
export function toCodeError(error: unknown, code: string): CodeError {
  if (error instanceof RangeError) return new CodeError(TOO_DEEP, 1);
  const { message: text, pos = 0 } = error as Error & { readonly pos?: number };
  const [, message = text, at = '1'] = /^(?:Error transforming[^:]*: )?(.*?),? \((\d+):\d+\)$/s.exec(text) ?? [];
  const line = Number(at);
  return new CodeError(REWORDED[message] ?? guessCause(code, line, pos) ?? addUnclosed(message, code, pos), line);
}

/** Guesses the cause of an error at the place where a parser stopped. */
function guessCause(code: string, line: number, position: number): string | undefined {
  const isAwaited = /\bawait\s{1,9}$/.test(code.slice(Math.max(0, position - 20), position));
  if (isAwaited && /[\w$"'`[{]/.test(code[position] ?? '')) return NO_ASYNC;
  return /\sas\s+\w+\s*<[^>]*$/.test((code.split('\n')[line - 1] ?? '').slice(0, 500)) ? NO_PARENTHESES : undefined;
}

/** Adds the unclosed bracket to a message: because of it, a parser may stop long before the end. */
function addUnclosed(message: string, code: string, position: number): string {
  const open = findUnclosed(code);
  if (open === undefined) return message;
  const isAtEnd = position >= code.trimEnd().length || message.startsWith('Unterminated');
  return isAtEnd ? `the code ends before the ${open} is closed` : `${message}; the ${open} is not closed`;
}

const CLOSED_BY: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '${': '}' };

/**
 * Finds the innermost bracket, template or comment that is never closed, `{ of line 3`; returns undefined if there is
 * none.
 */
function findUnclosed(code: string): string | undefined {
  const open: { readonly sign: string; readonly line: number }[] = [];
  try {
    for (const { type, loc } of tokenizer(code, { ecmaVersion: 'latest', locations: true })) {
      const { label } = type;
      const last = open.at(-1);
      if (Object.hasOwn(CLOSED_BY, label) || (label === '`' && last?.sign !== '`'))
        open.push({ sign: label, line: loc?.start.line ?? 1 });
      else if (/^[)\]}`]$/.test(label)) {
        if (last === undefined || (CLOSED_BY[last.sign] ?? '`') !== label) return undefined;
        open.pop();
      }
    }
  } catch (error) {
    const { message, loc } = error as Error & { readonly loc?: { readonly line: number } };
    if (message.startsWith('Unterminated comment')) return `/* of line ${loc?.line ?? 1}`;
    if (open.at(-1)?.sign !== '`') return undefined;
  }
  const last = open.at(-1);
  return last && `${last.sign} of line ${last.line}`;
}

/**
 * Matches texts and comments, which are skipped, or the beginning of a namespace. The text before it, which may be many
 * blanks, is checked last.
 */
const NAMESPACE =
  /"(?:[^"\\\n]|\\[^])*"?|'(?:[^'\\\n]|\\[^])*'?|`(?:[^`\\]|\\[^])*`?|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)|((?=namespace|module)(?<![\w$.]|declare\s+)(?:namespace|module)[ \t]+[\w$]+(?:\.[\w$]+)*\s*\{)/g;

/**
 * Refuses namespaces that were removed with the types although they contain code. @throws CodeError at the first one
 */
export function refuseNamespaces(code: string, plain: string): void {
  if (!/\b(?:namespace|module)\b/.test(code)) return;
  const kept = findNamespaces(plain);
  for (const [count, { 1: text, index }] of findNamespaces(code).entries()) {
    if (text === kept[count]?.[1]) continue;
    throw new CodeError('namespaces are not supported here: use an object', code.slice(0, index).split('\n').length);
  }
}

function findNamespaces(code: string): readonly RegExpExecArray[] {
  return Array.from(code.matchAll(NAMESPACE)).filter(([, text]) => text !== undefined);
}

/** Refuses operators that look like calls of tools: `delete("x")` would do nothing. @throws CodeError at the first one */
export function refuseOperators(tokens: readonly Token[], operators: readonly string[]): void {
  if (operators.length === 0) return;
  for (const [index, { type, loc }] of tokens.entries()) {
    const name = type.keyword ?? '';
    const before = tokens[index - 1]?.type.label;
    if (!operators.includes(name) || before === '.' || before === '?.' || !isCall(tokens, index + 1)) continue;
    throw new CodeError(`${name} is an operator of the language; the tool is called ${name}_(…)`, loc?.start.line ?? 1);
  }
}

/** Returns true for parentheses that do not begin an operand, as in `(a).b`. */
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
