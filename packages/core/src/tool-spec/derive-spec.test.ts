import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { InvalidSpaceError } from '../errors/bae-error.ts';
import { deriveParam, deriveSpec } from './derive-spec.ts';

describe('deriveParam, for the type', () => {
  it.each([
    ['text', z.string(), 'string'],
    ['text of a form', z.email(), 'string'],
    ['text with a fixed beginning', z.templateLiteral(['v', z.string()]), 'string'],
    ['a number', z.number().min(1), 'number'],
    ['an integer', z.int(), 'int'],
    ['an integer by check', z.number().int().max(9), 'int'],
    ['a converted number', z.coerce.number(), 'number'],
    ['a boolean', z.boolean(), 'boolean'],
    ['an enum', z.enum(['open', 'done']), 'open|done'],
    ['an enum of numbers', z.enum({ A: 1, B: 2, 1: 'A', 2: 'B' } as const), '1|2'],
    ['literals', z.literal(['a', 'b']), 'a|b'],
    ['a list of texts', z.array(z.string()), 'string[]'],
    ['a list of enum members', z.array(z.enum(['a', 'b'])).readonly(), 'string[]'],
    ['a list of numbers', z.array(z.number()), 'json'],
    ['a union of literals', z.union([z.literal('a'), z.enum(['b', 'c'])]), 'a|b|c'],
    ['a union of types', z.union([z.string(), z.int(), z.email()]), 'string|int'],
    ['a union with null', z.union([z.string(), z.null()]), 'string'],
    ['a union with an object', z.union([z.string(), z.object({})]), 'json'],
    ['an object', z.object({}), 'json'],
    ['anything', z.unknown(), 'json'],
    ['a date', z.date(), 'json'],
    ['what may be null', z.string().nullable(), 'string'],
    ['what is transformed', z.string().transform(Number), 'string'],
    ['what is preprocessed', z.preprocess(String, z.int()), 'int'],
    ['what is named later', z.lazy(() => z.boolean()), 'boolean'],
  ])('names %s', (_what, schema, type) => {
    expect(deriveParam('x', schema)).toMatchObject({ name: 'x', type });
  });

  it.each([
    [z.object({ a: z.string(), b: z.number().optional() }), '{"a":…}'],
    [z.array(z.object({ a: z.string(), b: z.array(z.string()) })).optional(), '[{"a":…,"b":…}]'],
    [z.object({ a: z.string().optional() }), '{"a":…}'],
  ])('outlines the fields of %#', (schema, shape) => {
    expect(deriveParam('x', schema)).toMatchObject({ type: 'json', shape });
  });

  it('shows that a value is a list or an object, where its fields are unknown or many', () => {
    const many = z.object(Object.fromEntries(Array.from({ length: 7 }, (_, index) => [`f${index}`, z.string()])));
    const outline = (schema: z.ZodType) => deriveParam('x', schema).shape;
    expect(outline(many)).toBe('{…}');
    expect(outline(z.record(z.string(), z.number()))).toBe('{…}');
    expect(outline(z.array(z.array(z.any())))).toBe('[[…]]');
    expect(outline(z.array(z.string()))).toBe('x,…');
    expect(outline(z.union([z.object({ a: z.int() }), z.object({ b: z.int() })]))).toBe('{"a":…}');
    expect(outline(z.union([z.string(), z.object({ a: z.int() })]))).toBe('{"a":…}');
    expect(outline(z.any())).toBeUndefined();
  });
});

describe('deriveParam, for a schema that contains itself', () => {
  it('has an end', () => {
    const tree: z.ZodType = z.lazy(() => z.union([z.string(), z.array(tree)]));
    expect(deriveParam('x', tree).type).toBe('json');
    expect(deriveParam('x', z.json()).type).toBe('json');
    const itself: z.ZodType = z.lazy(() => itself);
    expect(deriveParam('x', itself).type).toBe('json');
  });
});

describe('deriveParam, for the default', () => {
  it.each([
    ['a default', z.string().default('a'), 'a'],
    ['a value put in before', z.string().prefault('a'), 'a'],
    ['a default below an option', z.string().default('a').optional(), 'a'],
    ['an option below a default', z.string().optional().default('a'), 'a'],
    ['no value for an option', z.string().optional(), undefined],
    ['no value for a caught one', z.string().catch('a'), undefined],
    ['null', z.string().nullable().default(null), null],
  ])('finds %s', (_what, schema, value) => {
    const spec = deriveParam('x', schema);
    expect('default' in spec).toBe(true);
    expect(spec.default).toBe(value);
  });

  it.each([
    ['required', z.string()],
    ['required again', z.string().optional().nonoptional()],
    ['perhaps null', z.string().nullable()],
  ])('finds none for what is %s', (_what, schema) => {
    expect('default' in deriveParam('x', schema)).toBe(false);
  });
});

describe('deriveParam, for descriptions and examples', () => {
  it('takes the outermost', () => {
    const inner = z.string().meta({ description: 'inner', examples: ['a'] });
    expect(deriveParam('x', inner.optional())).toEqual({
      name: 'x',
      type: 'string',
      default: undefined,
      doc: 'inner',
      example: 'a',
    });
    expect(deriveParam('x', inner.optional().describe('outer')).doc).toBe('outer');
  });
});

describe('deriveSpec', () => {
  const source = { name: 'add', description: 'A task.', body: undefined, range: undefined };

  it('lists the parameters in the order of the schema, and marks the body', () => {
    const params = z.object({ title: z.string(), text: z.string().default('') });
    expect(deriveSpec({ ...source, params, body: 'text' })).toEqual({
      name: 'add',
      doc: 'A task.',
      params: [
        { name: 'title', type: 'string' },
        { name: 'text', type: 'string', default: '', body: true },
      ],
    });
  });

  it('knows whether other keywords and ranges are accepted', () => {
    const rest = (params: z.ZodObject) => deriveSpec({ ...source, params }).rest;
    expect(rest(z.looseObject({}))).toBe(true);
    expect(rest(z.object({}).catchall(z.string()))).toBe(true);
    expect(rest(z.object({}))).toBeUndefined();
    expect(rest(z.strictObject({}))).toBeUndefined();
    expect(deriveSpec({ ...source, params: z.object({}), range: true }).range).toBe(true);
    expect(deriveSpec({ ...source, params: z.object({}), range: false }).range).toBeUndefined();
  });

  it('refuses a body that is no parameter', () => {
    const broken = { ...source, params: z.object({ title: z.string() }), body: 'txt' };
    expect(() => deriveSpec(broken)).toThrow(InvalidSpaceError);
    expect(() => deriveSpec(broken)).toThrow(
      "tool 'add': body names the parameter 'txt', but its parameters are title.",
    );
  });
});
