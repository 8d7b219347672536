import { asModelText } from '@bae/core';
import { parse } from '@bae/core/pipeline';
import { describe, expect, it } from 'vitest';
import { DIALECTS } from './dialects.ts';
import { SAMPLE_CALLS, type SampleResult } from './sample-calls.ts';

const KNOWN = { spaces: new Set(['source', 'github']), tools: new Set(['create_issue', 'list_tables', 'query']) };

/** What a text is parsed into, with values as text: some syntaxes have no other. */
function readCalls(text: string): readonly SampleResult[] {
  return parse(asModelText(text), KNOWN).calls.map(({ verb, arg, body, kwargs, space }) =>
    normalize({
      verb,
      arg,
      ...(body !== undefined && { body }),
      ...(kwargs !== undefined && { kwargs }),
      ...(space !== undefined && { space }),
    }),
  );
}

function normalize({ kwargs, ...result }: SampleResult): SampleResult {
  if (kwargs === undefined) return result;
  return { ...result, kwargs: Object.fromEntries(Object.entries(kwargs).map(([key, value]) => [key, String(value)])) };
}

describe.each(Object.entries(DIALECTS))('%s', (_, write) => {
  it.each(SAMPLE_CALLS)('calls $name with $args', (call) => {
    expect(readCalls(write(call))).toEqual([normalize(call.expected)]);
    expect(readCalls(`Let me see.\n\n${write(call)}\n\nThen I go on.`)).toEqual([normalize(call.expected)]);
  });

  it('is followed by nothing that the model made up', () => {
    const text = `${write({ name: 'read', args: { path: 'a.ts' } })}\nObservation: fine\n<R:b.ts>`;
    const { calls, problems } = parse(asModelText(text), KNOWN);
    expect([calls.map(({ arg }) => arg), problems.map(({ code }) => code)]).toEqual([['a.ts'], ['fabricated-output']]);
  });
});

it('holds six hundred samples', () => {
  expect(Object.keys(DIALECTS).length * SAMPLE_CALLS.length).toBeGreaterThanOrEqual(600);
});
