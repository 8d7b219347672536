import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { coerce } from './check-arguments.ts';

describe('coerce', () => {
  it.each([
    ['string', 'text', 'text'],
    ['string', '', ''],
    ['string', 1, '1'],
    ['string', true, 'true'],
    ['int', 7, 7],
    ['int', '7', 7],
    ['int', '+7', 7],
    ['int', '-0', 0],
    ['int', '007', 7],
    ['number', 0.5, 0.5],
    ['number', '.5', 0.5],
    ['number', '5.', 5],
    ['number', '-1e3', -1000],
    ['number', '+2.5E-1', 0.25],
    ['boolean', 'Yes', true],
    ['boolean', 'ON', true],
    ['boolean', 'true', true],
    ['boolean', '1', true],
    ['boolean', 1, true],
    ['boolean', 'no', false],
    ['boolean', 'Off', false],
    ['boolean', 'FALSE', false],
    ['boolean', 0, false],
    ['boolean', false, false],
    ['open|in_progress|done', 'IN_Progress', 'in_progress'],
    ['a|A', 'A', 'A'],
    ['true|false', true, 'true'],
    ['string[]', 'auth, ui ,,', ['auth', 'ui']],
    ['string[]', '', []],
    ['string[]', ['a', 2, true], ['a', '2', 'true']],
    ['string[]', '["a, b","c"]', ['a, b', 'c']],
    ['auto|int', 'AUTO', 'auto'],
    ['auto|int', '12', 12],
    ['json', '{"a":[1]}', { a: [1] }],
    ['json', 'not json', 'not json'],
    ['json', [1, null], [1, null]],
    ['json', null, null],
    ['json', 'null', null],
  ])('makes %s of %j', async (type, value, expected) => {
    expect(await coerce(value, { type })).toEqual({ ok: true, value: expected });
  });

  it.each([
    ['int', 'x', 'expected int, got "x"'],
    ['int', '7.0', 'expected int, got "7.0"'],
    ['int', ' 7', 'expected int, got " 7"'],
    ['int', '7\n', 'expected int, got "7\\n"'],
    ['int', '', 'expected int, got ""'],
    ['int', 7.5, 'expected int, got 7.5'],
    ['int', Number.NaN, 'expected int, got NaN'],
    ['int', '99999999999999999999', 'expected int, got "99999999999999999999"'],
    ['int', true, 'expected int, got true'],
    ['int', null, 'expected int, got null'],
    ['number', Number.POSITIVE_INFINITY, 'expected number, got Infinity'],
    ['number', '1e999', 'expected number, got "1e999"'],
    ['number', 'NaN', 'expected number, got "NaN"'],
    ['number', '0x10', 'expected number, got "0x10"'],
    ['number', '.', 'expected number, got "."'],
    ['boolean', 'maybe', 'expected boolean, got "maybe"'],
    ['boolean', 2, 'expected boolean, got 2'],
    ['boolean', 'constructor', 'expected boolean, got "constructor"'],
    ['string', { a: 1 }, 'expected string, got {"a":1}'],
    ['string', null, 'expected string, got null'],
    ['string', undefined, 'expected string, got undefined'],
    ['string[]', 5, 'expected string[], got 5'],
    ['string[]', ['a', {}], 'expected string[], got ["a",{}]'],
    ['open|done', 'opne', 'expected one of open, done; got "opne" (did you mean open?)'],
    ['open|done', 'zzz', 'expected one of open, done; got "zzz"'],
    ['open|done', ['open'], 'expected one of open, done; got ["open"]'],
    ['only', 'other', 'expected only; got "other"'],
    ['auto|int', '1.5', 'expected one of auto, int; got "1.5"'],
  ])('refuses to make %s of %j', async (type, value, problem) => {
    expect(await coerce(value, { type })).toMatchObject({ ok: false, problem });
  });

  it('clips what was sent', async () => {
    const result = await coerce('日'.repeat(1000), { type: 'int' });
    expect(result).toEqual({ ok: false, problem: `expected int, got "${'日'.repeat(19)}…` });
  });

  it('counts the choices of a very long list', async () => {
    const type = Array.from({ length: 30 }, (_, place) => `choice${place}`).join('|');
    const { problem } = (await coerce('zzzzzzzzzz', { type })) as { problem: string };
    expect(problem).toMatch(/choice18, choice19, … \(10 more\); got "zzzzzzzzzz"$/);
  });

  it('gives the real values of literals that are no text', async () => {
    const schema = z.union([z.literal(1), z.literal(true), z.literal('x')]);
    const target = { type: '1|true|x', schema };
    expect(await coerce('1', target)).toEqual({ ok: true, value: 1 });
    expect(await coerce('TRUE', target)).toEqual({ ok: true, value: true });
    expect(await coerce('X', target)).toEqual({ ok: true, value: 'x' });
  });

  it('takes choices that are named like types for choices', async () => {
    const target = { type: 'string|int', schema: z.enum(['string', 'int']) };
    expect(await coerce('INT', target)).toEqual({ ok: true, value: 'int' });
    expect(await coerce('strin', target)).toMatchObject({ ok: false });
  });

  it('accepts null only where the schema does', async () => {
    expect(await coerce(null, { type: 'int', schema: z.int().nullable() })).toEqual({ ok: true, value: null });
    expect(await coerce(null, { type: 'int', schema: z.int() })).toMatchObject({ ok: false });
  });

  it('leaves text as text where the schema wants no other value', async () => {
    const schema = z.union([z.string(), z.object({ a: z.number() })]);
    expect(await coerce('123', { type: 'json', schema })).toEqual({ ok: true, value: '123' });
    expect(await coerce('{"a":1}', { type: 'json', schema })).toEqual({ ok: true, value: { a: 1 } });
  });

  it('waits for an asynchronous schema, and survives one that throws', async () => {
    const schema = z.union([z.string(), z.array(z.int())]).refine(async (value) => typeof value === 'string');
    expect(await coerce('[1]', { type: 'json', schema })).toEqual({ ok: true, value: '[1]' });
    const broken = z.any().refine(() => Promise.reject(new Error('database is down')));
    expect(await coerce('[1]', { type: 'json', schema: broken })).toEqual({ ok: true, value: [1] });
  });

  it('always gives a value of the type, or none', async () => {
    const fits: Readonly<Record<string, (value: unknown) => boolean>> = {
      string: (value) => typeof value === 'string',
      int: (value) => Number.isSafeInteger(value),
      number: (value) => Number.isFinite(value),
      boolean: (value) => typeof value === 'boolean',
      'string[]': (value) => Array.isArray(value) && value.every((item) => typeof item === 'string'),
      'a|b': (value) => value === 'a' || value === 'b',
    };
    const anything = fc.oneof(
      fc.anything(),
      fc.double().map(String),
      fc.integer().map(String),
      fc.constantFrom('A', 'on'),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...Object.keys(fits)), anything, async (type, value) => {
        const result = await coerce(value, { type });
        expect(result.ok ? fits[type]?.(result.value) : result.problem.startsWith('expected ')).toBe(true);
      }),
    );
  });
});
