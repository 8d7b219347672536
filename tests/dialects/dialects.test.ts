import { asModelText } from '@bae/core';
import { parse } from '@bae/core/pipeline';
import { describe, expect, it } from 'vitest';
import { DIALECTS } from './dialects.ts';
import { ANSWERED_TEXTS, ANSWERS, WRITTEN_CALLS } from './written-calls.ts';
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

const PLACES = { spaces: KNOWN.spaces, tools: new Set([...KNOWN.tools, 'exec']) };

function describeCalls(text: string): readonly string[] {
  return parse(asModelText(text), PLACES).calls.map(({ verb, arg, body, kwargs, space }) => {
    const name = space === undefined ? verb : `${space}.${verb}`;
    const rest = [body, kwargs].filter((one) => one !== undefined).map((one) => ` ${JSON.stringify(one)}`);
    return `${name} ${arg}${rest.join('')}`;
  });
}

describe('a call written by hand', () => {
  it.each(WRITTEN_CALLS)('%j', (text, ...calls) => {
    expect(describeCalls(text)).toEqual(calls);
    expect(describeCalls(`I will look at it now.\n\n${text}\n`)).toEqual(calls);
    expect(describeCalls(text.replaceAll('\n', '\r\n'))).toEqual(calls);
  });

  it.each(ANSWERED_TEXTS)('is answered where it cannot run: %j', (text, tag) => {
    const { calls, problems } = parse(asModelText(text), PLACES);
    const [{ code, message } = { code: '', message: '' }] = problems;
    expect([calls, code]).toEqual([[], 'looks-like-call']);
    const [, ofLine, ofLines] = /Write (?:(.*) alone on its line\.|this instead:\n([^]*))$/.exec(message) ?? [];
    expect(ofLine ?? ofLines ?? 'help').toBe(tag);
  });

  it.each([
    '<mime-type type="text/x-go">\n  <comment>Go</comment>\n  <glob pattern="*.go"/>\n</mime-type>',
    '<?xml version="1.0"?>\n<mime-info>\n  <mime-type>\n    <glob pattern="*.go"/>\n  </mime-type>\n</mime-info>',
    '<site>\n  <tool name="read">a.ts</tool>\n</site>',
  ])('is not what a document of XML holds: %j', (text) => {
    const { calls, problems } = parse(asModelText(text), PLACES);
    expect([calls, problems]).toEqual([[], []]);
  });

  it.each(ANSWERS)('is none in an answer: %j', (text) => {
    const { calls, problems, prose } = parse(asModelText(text), PLACES);
    expect([calls, problems, prose]).toEqual([[], [], text]);
  });

  it.each(['<go:billing>', '<cd:billing>'])('does not run where %s was meant', (entry) => {
    const verbs = parse(asModelText(`${entry}\n<W:a.md>\nx\n</W>`), PLACES).calls.map(
      ({ verb, arg }) => `${verb} ${arg}`,
    );
    expect(verbs).toEqual([`go ${/\w{3,}/.exec(entry)![0]}`, 'write a.md']);
  });
});
