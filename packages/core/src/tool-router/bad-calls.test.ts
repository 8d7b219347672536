import { isDeepStrictEqual } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineResourcespace } from '../decorators/resourcespace.ts';
import { tool } from '../decorators/tool.ts';
import { asModelText } from '../protocol/model.ts';
import type { ToolDefinition } from '../protocol/tool-definition.ts';
import { structuralPruner } from '../pruner/structural-pruner.ts';
import { Registry } from '../registry/registry.ts';
import { createMemoryResults } from '../results/kept-results.ts';
import { parse } from '../tag-parser/parse.ts';
import { renderSignature } from '../tool-spec/signature.ts';
import { bindArguments } from './bind-arguments.ts';
import type { SentArguments } from './split-argument.ts';
import { ToolRouter, type ToolRouterPorts } from './tool-router.ts';

/** A parameter type: values that fit, with what they become, and values that do not. */
interface Kind {
  readonly schema: z.ZodType;
  readonly wanted: string;
  readonly good: readonly (readonly [sent: unknown, bound: unknown])[];
  readonly bad: readonly unknown[];
}

const KINDS: readonly Kind[] = [
  {
    schema: z.string(),
    wanted: 'string',
    good: [
      ['text', 'text'],
      [7, '7'],
    ],
    bad: [{ a: 1 }, null],
  },
  {
    schema: z.int(),
    wanted: 'int',
    good: [
      ['12', 12],
      [-3, -3],
    ],
    bad: ['ten', '1.5', 0.5, false, 'x'.repeat(200)],
  },
  {
    schema: z.number(),
    wanted: 'number',
    good: [
      ['.5', 0.5],
      [1e3, 1000],
    ],
    bad: ['much', '1e999', [1]],
  },
  {
    schema: z.boolean(),
    wanted: 'boolean',
    good: [
      ['Yes', true],
      [0, false],
    ],
    bad: ['maybe', 2],
  },
  {
    schema: z.array(z.string()),
    wanted: 'string[]',
    good: [
      ['a, b', ['a', 'b']],
      [[], []],
    ],
    bad: [5, [{}]],
  },
  { schema: z.enum(['open', 'done']), wanted: 'one of open, done', good: [['DONE', 'done']], bad: ['opne', 'zzz', 1] },
  { schema: z.string().min(3), wanted: 'at least 3 characters', good: [['long', 'long']], bad: ['ab', ''] },
  { schema: z.int().max(9), wanted: 'at most 9', good: [['9', 9]], bad: ['10', 11] },
  { schema: z.strictObject({ n: z.int() }), wanted: 'required', good: [['{"n":1}', { n: 1 }]], bad: [{}] },
];

/** One parameter and what a call says about it. */
interface Part {
  readonly name: string;
  readonly kind: Kind;
  readonly optional: boolean;
  /** How the value is chosen: from the good ones, from the bad ones, or not at all. */
  readonly fate: 'good' | 'bad' | 'absent';
  readonly pick: number;
}

const NAMES = ['target', 'limit', 'status', 'labels', 'priority'];
const UNKNOWN = { lmit: 'limit', statsu: 'status', prioritty: 'priority', zzzzz: undefined, qqq: undefined } as const;

const part = fc.record({
  kind: fc.constantFrom(...KINDS),
  optional: fc.boolean(),
  fate: fc.constantFrom('good', 'good', 'bad', 'absent'),
  pick: fc.nat(),
});

const callOf = fc.record({
  parts: fc.uniqueArray(fc.constantFrom(...NAMES), { maxLength: NAMES.length }).chain((names) => {
    const parts = names.map((name) => part.map((rest): Part => ({ name, ...rest })));
    return fc.tuple(...parts);
  }),
  unknown: fc.uniqueArray(fc.constantFrom(...Object.keys(UNKNOWN)), { maxLength: 2 }),
  asBody: fc.boolean(),
});

type RandomCall = typeof callOf extends fc.Arbitrary<infer T> ? T : never;

function pickFrom<T>(values: readonly T[], pick: number): T {
  return values[pick % values.length] as T;
}

function definitionOf({ parts }: RandomCall): ToolDefinition {
  const shape = parts.map(({ name, kind, optional }) => [name, optional ? kind.schema.optional() : kind.schema]);
  return tool('What it does.', Object.fromEntries(shape), () => 'ran', { effect: 'read' }).named('act');
}

function sentBy({ parts, unknown, asBody }: RandomCall): SentArguments {
  const entries: [string, unknown][] = unknown.map((name) => [name, 1]);
  for (const { name, kind, fate, pick } of parts) {
    if (fate === 'good') entries.push([name, pickFrom(kind.good, pick)[0]]);
    if (fate === 'bad') entries.push([name, pickFrom(kind.bad, pick)]);
  }
  const kwargs = Object.fromEntries(entries);
  return asBody ? { body: JSON.stringify(kwargs) } : { kwargs };
}

function escaped(text: string): string {
  return text.replaceAll(/[^\w ]/g, String.raw`\$&`);
}

function isFaulty({ fate, optional }: Part): boolean {
  return fate === 'bad' || (fate === 'absent' && !optional);
}

/** The lines that have to be in the error: who is at fault, what was expected, what was sent, what was meant. */
function requiredLines({ parts, unknown }: RandomCall): readonly RegExp[] {
  const faulty = parts.filter(isFaulty).map(({ name, kind, fate, pick }) => {
    if (fate === 'absent') return new RegExp(`^- ${name}: required$`, 'm');
    const sent = JSON.stringify(pickFrom(kind.bad, pick)).slice(0, 40);
    if (kind.wanted === 'required') return new RegExp(`^- ${name}\\.n: required$`, 'm');
    return new RegExp(`^- ${name}: expected (${escaped(kind.wanted)}|int|string)[,;] got ${escaped(sent)}`, 'm');
  });
  const strangers = unknown.map((name) => {
    const meant = UNKNOWN[name as keyof typeof UNKNOWN];
    const near = parts.some((part) => part.name === meant) ? ` \\(did you mean ${meant}\\?\\)` : '';
    return new RegExp(`^- ${name}: unknown parameter${near}`, 'm');
  });
  return [...faulty, ...strangers];
}

/** The call that a model makes when it copies the tag of the last line. */
function copied(text: string): SentArguments {
  const tag = text.slice(text.lastIndexOf('\nTry: ') + '\nTry: '.length);
  const { calls, problems } = parse(asModelText(tag), { tools: new Set(['act']) });
  if (calls.length !== 1 || problems.length > 0) throw new Error(`no single call in: ${tag}`);
  return calls[0] as SentArguments;
}

function routerWith(act: ToolDefinition): ToolRouter {
  const tree = new Registry(defineResourcespace({ name: 'files', description: 'Files.', tools: { act } }));
  const host = {
    clock: performance,
    entropy: crypto,
    timers: globalThis as unknown as ToolRouterPorts['host']['timers'],
  };
  const approver = { approve: () => ({ allow: true }) as const };
  return new ToolRouter({ tree, approver, results: createMemoryResults(), host, pruner: structuralPruner, cap: 2000 });
}

function dispatch(act: ToolDefinition, sent: SentArguments) {
  const call = { verb: 'act', line: 1, tag: '<act:>', ...sent, arg: String(sent.arg ?? '') };
  const { signal } = new AbortController();
  return routerWith(act).dispatch(call as never, [], { signal, session: { id: 's', seen: new Map() } });
}

/** True when a call binds once good values stand in place of its placeholders, and has kept every good one. */
async function works(call: RandomCall, sent: SentArguments): Promise<boolean> {
  const definition = definitionOf(call);
  const bound = await bindArguments(definition, sent);
  const good = call.parts
    .filter(({ fate }) => fate === 'good')
    .map(({ name, kind, pick }) => [name, pickFrom(kind.good, pick)[1]]);
  const kept = bound.ok ? bound.params : bound.known;
  if (!good.every(([name, value]) => isDeepStrictEqual(kept[name as string], value))) return false;
  if (bound.ok) return true;
  const filled = bound.unfilled.map((name) => [name, call.parts.find((one) => one.name === name)!.kind.good[0]![0]]);
  const isOnlyUnfilled = bound.summary?.startsWith('fill in ') === true;
  return (
    isOnlyUnfilled &&
    (await bindArguments(definition, { kwargs: { ...bound.known, ...Object.fromEntries(filled) } })).ok
  );
}

describe('binding random calls of random tools', () => {
  it('gives typed arguments or an error that names every bad one, never both', async () => {
    await fc.assert(
      fc.asyncProperty(callOf, async (call) => {
        const bound = await bindArguments(definitionOf(call), sentBy(call));
        const required = requiredLines(call);
        expect(bound.ok).toBe(required.length === 0);
        if (bound.ok) {
          const expected = call.parts.filter(({ fate }) => fate === 'good');
          const entries = expected.map(({ name, kind, pick }) => [name, pickFrom(kind.good, pick)[1]]);
          expect(bound.params).toEqual(Object.fromEntries(entries));
          return;
        }
        for (const line of required) expect(bound.text).toMatch(line);
        expect(bound.text.match(/^- /gm)).toHaveLength(required.length);
        expect(bound.text).toContain(`parameter error (${required.length} problem`);
      }),
      { numRuns: 500 },
    );
  });
});

describe('errors of random bad calls', () => {
  const judgeErrors = async (numRuns: number): Promise<void> => {
    const calls = fc.sample(
      callOf.filter((call) => requiredLines(call).length > 0),
      { numRuns, seed: 7 },
    );
    const sizes: number[] = [];
    const failures: string[] = [];
    let complete = 0;
    for (const call of calls) {
      const definition = definitionOf(call);
      const { ok, ran, text } = await dispatch(definition, sentBy(call));
      expect([ok, ran]).toEqual([false, false]);
      sizes.push(text.length / 4);
      const [firstLine = ''] = text.split('\n', 1);
      const missing = call.parts.filter((part) => isFaulty(part) && part.fate === 'absent').map(({ name }) => name);
      const isNamed = firstLine.startsWith('ParameterError: act needs ')
        ? missing.every((name) => firstLine.includes(name))
        : text.includes(`\nUsage: ${renderSignature(definition.spec, { style: 'call' })}\n`) &&
          requiredLines(call).every((line) => line.test(text));
      if (isNamed && (await works(call, copied(text)))) complete++;
      else failures.push(text);
    }
    expect(failures.slice(0, complete / calls.length >= 0.99 ? 0 : 5)).toEqual([]);
    expect(complete / calls.length).toBeGreaterThanOrEqual(0.99);
    expect(sizes.toSorted((a, b) => a - b)[sizes.length >> 1]).toBeLessThanOrEqual(60);
  };
  const WHAT =
    'name the problem, the expected and the received value, the likely intention, the usage and what to type';
  it(WHAT, () => judgeErrors(300));
  it(`${WHAT}, 1500 times`, { tags: ['long'] }, () => judgeErrors(1500));
});
