import { openEnd } from './open-end.ts';

/** Code that cannot be read. */
export class CodeError extends Error {
  /** Line of the code, from 1. */
  readonly line: number;

  constructor(message: string, line: number) {
    super(message);
    this.line = line;
  }
}

/** What a parser says too briefly for whoever expects a function or a module around the code. */
const REWORDED: Readonly<Record<string, string>> = {
  'Not enough stack space to parse input': 'the code is nested too deeply',
  "'return' outside of function": 'return outside of a function: the value of the last line is shown by itself',
};
const NO_ASYNC = 'await in a function that is not async: write async before it, or a for (… of …) in its place';
const NO_PARENTHESES = 'put parentheses around what stands before <: (value as Type) < other';

/** A parser's error in other words. Both parsers end their messages in `(line:column)`; one says where that is. */
export function codeErrorOf(error: unknown, code: string): CodeError {
  if (error instanceof RangeError) return new CodeError('the code is nested too deeply', 1);
  const text = error instanceof Error ? error.message : String(error);
  const [, message = text, at = '1'] = /^(?:Error transforming[^:]*: )?(.*?),? \((\d+):\d+\)$/s.exec(text) ?? [];
  const line = Number(at);
  const position = positionOf(error);
  return new CodeError(REWORDED[message] ?? hintAt(code, line, position) ?? withOpenEnd(message, code, position), line);
}

/** A parser may stop long before the end for what is missing there. */
function withOpenEnd(message: string, code: string, position: number): string {
  const open = openEnd(code);
  if (open === undefined) return message;
  const isAtEnd = position >= code.trimEnd().length || message.startsWith('Unterminated');
  return isAtEnd ? `the code ends before the ${open} is closed` : `${message}; the ${open} is not closed`;
}

function positionOf(error: unknown): number {
  const { pos = 0 } = error as { readonly pos?: number };
  return pos;
}

/** What was probably meant where a parser stopped. */
function hintAt(code: string, line: number, position: number): string | undefined {
  const isAwaited = /\bawait\s{1,9}$/.test(code.slice(Math.max(0, position - 20), position));
  if (isAwaited && /[\w$"'`[{]/.test(code[position] ?? '')) return NO_ASYNC;
  return /\sas\s+\w+\s*<[^>]*$/.test((code.split('\n')[line - 1] ?? '').slice(0, 500)) ? NO_PARENTHESES : undefined;
}
