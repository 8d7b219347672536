import { tokenizer } from 'acorn';

const CLOSED_BY: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}', '${': '}' };

interface Opened {
  readonly sign: string;
  readonly line: number;
}

/**
 * What code has opened and never closed, the innermost: `{ of line 3`. Undefined where that cannot be told, or where
 * everything is closed.
 */
export function openEnd(code: string): string | undefined {
  const open: Opened[] = [];
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
    return open.at(-1)?.sign === '`' || isComment(error) ? worded(open.at(-1), error) : undefined;
  }
  return worded(open.at(-1));
}

function isComment(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('Unterminated comment');
}

function worded(last: Opened | undefined, error?: unknown): string | undefined {
  if (isComment(error)) return `/* of line ${(error as { readonly loc?: { readonly line: number } }).loc?.line ?? 1}`;
  return last === undefined ? undefined : `${last.sign} of line ${last.line}`;
}
