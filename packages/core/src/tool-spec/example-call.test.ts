import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { deriveSpec } from './derive-spec.ts';
import { findExample, makeExampleCall } from './example-call.ts';

function tagOf(name: string, shape: Record<string, z.ZodType>, known: Readonly<Record<string, unknown>> = {}): string {
  const params = z.object(shape);
  return makeExampleCall({
    definition: { spec: deriveSpec({ name, description: '', params, body: undefined, range: false }), params },
    known,
  });
}

describe('makeExampleCall', () => {
  it('takes up the values that are good', () => {
    const params = { pattern: z.string(), path: z.string().default(''), limit: z.int().default(50) };
    expect(tagOf('grep', params, { pattern: 'TODO', limit: 5 })).toBe('<Grep:TODO limit=5>');
  });

  it('finds values that the schema takes where the usual ones would not do', () => {
    const params = {
      email: z.email(),
      count: z.int().min(10),
      state: z.object({ open: z.boolean() }),
      note: z.string().min(90).optional(),
    };
    expect(tagOf('invite', params)).toBe('<invite:me@example.com count=10>\n{"state":{"open":true}}\n</invite>');
  });

  it('changes the values until they fit together', () => {
    const one = z.object({ a: z.int().optional(), b: z.int().optional(), kind: z.string() });
    const wants = one.check(({ value, issues }) => {
      const missing = { code: 'invalid_type' as const, expected: 'int' as const, input: undefined, path: ['b'] };
      if (value.b === undefined) issues.push(missing);
      if (value.kind !== 'x') issues.push({ code: 'invalid_value', values: ['x'], input: value.kind, path: ['kind'] });
    });
    const spec = deriveSpec({ name: 'make', description: '', params: wants, body: undefined, range: false });
    expect(makeExampleCall({ definition: { spec, params: wants }, known: {} })).toBe('<make:1 b=1 kind=x>');
    const some = one.partial().check(({ value, issues }) => {
      const size = { code: 'too_small' as const, origin: 'map' as const, minimum: 2, input: value, path: [] };
      if (Object.keys(value).length < 2) issues.push(size);
    });
    expect(
      makeExampleCall({
        definition: {
          spec: deriveSpec({ name: 'make', description: '', params: some, body: undefined, range: false }),
          params: some,
        },
        known: {},
      }),
    ).toBe('<make:1 b=1>');
  });

  it('writes a list of anything but texts as JSON', () => {
    expect(tagOf('box', { corners: z.array(z.array(z.number())) })).toBe('<box:[[1]]>');
    expect(tagOf('lint', { files: z.array(z.string()) })).toBe('<lint:one, two>');
  });

  it('keeps fields that a valid value has to have, however many', () => {
    const names = ['environmentName', 'componentName', 'currentVersion', 'targetVersion', 'namespace'];
    const params = z.object(Object.fromEntries(names.map((name) => [name, z.string()])));
    const fields = Object.fromEntries(names.map((name) => [name, 'text']));
    expect(tagOf('roll_back', { params })).toBe(`<roll_back:>\n${JSON.stringify({ params: fields })}\n</roll_back>`);
  });
});

interface Tree {
  readonly children: readonly Tree[];
}
const tree: z.ZodType<Tree> = z.lazy(() => z.object({ children: z.array(tree) }));

describe('findExample', () => {
  it.each([
    ['text', z.string(), 'text'],
    ['text of some length', z.string().min(20), 'a text that is as long as it has to be here'],
    ['an address', z.email(), 'me@example.com'],
    ['a date', z.iso.date(), '2026-01-31'],
    ['an identifier', z.uuid(), '00000000-0000-4000-8000-000000000000'],
    ['a number', z.number(), 1],
    ['a number above others', z.int().min(30).multipleOf(10), 50],
    ['a boolean', z.literal(false), false],
    ['a choice', z.enum(['open', 'done']), 'open'],
    ['a list', z.array(z.enum(['a'])), ['a']],
    ['a list of two', z.array(z.int()).length(2), [1, 1]],
    ['a list of at least three', z.array(z.int()).min(3), [1, 1, 1, 1]],
    [
      'an object',
      z.object({ a: z.int(), b: z.string().optional(), c: z.object({ d: z.boolean() }) }),
      { a: 1, c: { d: true } },
    ],
    ['a record', z.record(z.string(), z.int()), {}],
    ['a record that has a field', z.record(z.string(), z.int()).refine((all) => 'name' in all), { name: 1 }],
    [
      'an object that needs more fields than it says',
      z.object({ a: z.int().optional() }).refine(({ a }) => a !== undefined),
      { a: 1 },
    ],
    ['a value of any kind', z.any().refine((value) => Array.isArray(value)), []],
    [
      'an example of its own',
      z
        .string()
        .regex(/^ticket-\d$/)
        .meta({ examples: ['x', 'ticket-7'] }),
      'ticket-7',
    ],
    ['a union', z.union([z.object({ kind: z.literal('x') }), z.int()]), { kind: 'x' }],
    ['a long text', z.string().min(90), expect.stringMatching(/^a text .{83}$/)],
    ['a number far from others', z.int().min(2001).max(2005), 2001],
    ['a number above a bound', z.int().gt(2000).lt(2002), 2001],
    ['a multiple', z.int().min(30).multipleOf(7), 35],
    ['a fraction between bounds', z.number().gt(0.5).lt(0.75), 0.625],
    ['a number below zero', z.int().max(-30), -30],
    ['a list of seven', z.array(z.int()).min(7), [1, 1, 1, 1, 1, 1, 1]],
    ['a tuple', z.tuple([z.string(), z.int().min(3000), z.enum(['a'])]), ['text', 3000, 'a']],
    [
      'all of several',
      z.intersection(z.object({ a: z.int() }), z.object({ b: z.array(z.literal('x')).min(2) })),
      { a: 1, b: ['x', 'x'] },
    ],
    ['a wrapped value', z.int().nullable().readonly(), 1],
    ['a transformed value', z.string().transform((text) => text.length), 'text'],
  ])('finds %s', (_what, schema, example) => {
    expect(findExample(schema)).toEqual(example);
  });

  it('ends on schemas that contain themselves', () => {
    expect(tree.safeParse(findExample(tree)).success).toBe(true);
  });

  it('gives up where nothing it tries is accepted', () => {
    expect(findExample(z.string().regex(/^ticket-\d{5}$/))).toBeUndefined();
    expect(findExample(z.never())).toBeUndefined();
  });
});
