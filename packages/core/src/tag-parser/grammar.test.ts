import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { asModelText } from '../protocol/model.ts';
import type { ParsedText } from '../protocol/tool-call.ts';
import { parse } from './parse.ts';

const ARROW = '  =>  ';
const LINES = readFileSync(new URL('grammar.md', import.meta.url), 'utf8').split('\n');
const EXAMPLES = LINES.filter((line) => line.includes(ARROW)).map((line) => line.split(ARROW) as [string, string]);

describe('grammar.md', () => {
  it('holds examples', () => {
    expect(EXAMPLES.length).toBeGreaterThan(12);
  });

  it.each(EXAMPLES)('reads %s as %s', (text, meaning) => {
    const options = { spaces: new Set(['tasks']), tools: new Set(['done']) };
    expect(describeParsed(parse(asModelText(text.replaceAll('⏎', '\n')), options))).toBe(meaning);
  });
});

function describeParsed({ calls, runs, problems }: ParsedText): string {
  const parts = [
    ...calls.map(({ verb, arg, body, space }) =>
      [space, verb, arg, body === undefined ? undefined : quote(body)].filter((part) => part !== undefined).join(' '),
    ),
    ...runs.map((code) => `run ${quote(code)}`),
    ...problems.map(({ code, line }) => `${code} ${line}`),
  ];
  return parts.join('; ') || 'prose';
}

function quote(text: string): string {
  return `"${text.replaceAll('\n', '⏎')}"`;
}
