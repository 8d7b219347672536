import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { tool, type ToolParams } from '../decorators/tool.ts';
import type { ToolCall } from '../protocol/tool-call.ts';
import { makeExampleTag } from '../tool-spec/example-tag.ts';
import { bindArguments } from './bind-arguments.ts';
import { bindCall } from './resolve-call.ts';
import { findMeant, type SentArguments } from './split-argument.ts';

const named = (params: ToolParams) => tool('', params, () => '').named('make');
const open = named(z.object({ title: z.string(), limit: z.int().optional() }).catchall(z.any()));
const counts = named(z.object({}).catchall(z.int()));

async function bind(definition: ReturnType<typeof named>, sent: SentArguments): Promise<unknown> {
  const bound = await bindArguments(definition, sent);
  return bound.ok ? bound.params : bound.error.message.split('\n').filter((line) => line.startsWith('- '));
}

/** What is suggested for a call that is refused. */
async function suggest(definition: ReturnType<typeof named>, sent: Partial<ToolCall>, fromCode = false) {
  const call = { verb: 'make', arg: '', line: 1, tag: 'make()', ...sent };
  return bindCall(definition, call, fromCode).then(
    () => 'bound',
    (error: { hints: readonly string[] }) => error.hints[0],
  );
}

describe('names that no parameter has', () => {
  it('are passed on by a tool that is open, though it does not ask for them', async () => {
    expect(open.spec).toMatchObject({ open: true });
    expect(open.spec.rest).toBeUndefined();
    expect(await bind(open, { arg: 'title=a colour=red' })).toEqual({ title: 'a', colour: 'red' });
    expect(await bind(open, { arg: 'a', body: '{"x y":[1]}' })).toEqual({ title: 'a', 'x y': [1] });
  });

  it('are mistakes if they are like those of parameters that have no value', async () => {
    expect(await bind(open, { body: '{"title":"a","limt":1}' })).toEqual([
      '- limt: unknown parameter (did you mean limit?)',
    ]);
    expect(await bind(open, { body: '{"title":"a","limit":2,"limt":1}' })).toEqual({ title: 'a', limit: 2, limt: 1 });
    expect(await bind(open, { body: '{"title":"a","__proto__":1}' })).toEqual(['- __proto__: unknown parameter']);
  });

  it('are mistakes if they are a word of the name of one that is needed', async () => {
    const sheet = named(
      z.object({ file: z.string(), sheetName: z.string(), cell_range: z.string() }).catchall(z.any()),
    );
    expect(await bind(sheet, { body: '{"file":"a","sheet":"One","cell_range":"A1"}' })).toEqual([
      '- sheetName: required',
      '- sheet: unknown parameter (did you mean sheetName?)',
    ]);
    const meant = '<make:a sheetName=One cell_range=A1>';
    expect(await suggest(sheet, { body: '{"file":"a","sheet":"One","cell_range":"A1"}' })).toBe(meant);
    expect(await suggest(sheet, { arg: 'a sheet=One range=A1' })).toBe(meant);
    expect(await bind(sheet, { body: '{"file":"a","sheetName":"One","cell_range":"A1","sheet":2}' })).toEqual({
      file: 'a',
      sheetName: 'One',
      cell_range: 'A1',
      sheet: 2,
    });
  });

  it('stay part of the text of the first parameter', async () => {
    expect(await bind(open, { arg: 'buy milk colour=red' })).toEqual({ title: 'buy milk colour=red' });
  });

  it('have the type that the tool has for them', async () => {
    expect(await bind(counts, { arg: 'a=1 b=2' })).toEqual({ a: 1, b: 2 });
    expect(await bind(counts, { body: '{"a.b":1}' })).toEqual({ 'a.b': 1 });
    expect(await bind(counts, { body: '{"a":"x"}' })).toEqual(['- a: expected int, got "x"']);
  });

  it('are kept in the call that is suggested', async () => {
    expect(await suggest(open, { body: '{"title":"a","colour":"red","x y":"5","limit":"z"}' })).toBe(
      '<make:a limit="…" colour=red>\n{"x y":"5"}\n</make>',
    );
  });

  it('that the tool does not allow are left out of the call that is suggested', async () => {
    const refusing = z.object({ title: z.string() }).catchall(z.any());
    refusing._zod.run = (payload) => {
      const keys = Object.keys(payload.value as object).filter((key) => key !== 'title');
      if (keys.length > 0) payload.issues.push({ code: 'unrecognized_keys', keys, path: [], input: payload.value });
      return payload;
    };
    const definition = named(refusing);
    expect(await bind(definition, { body: '{"title":"a","b":1}' })).toEqual(['- b: not allowed here']);
    expect(await suggest(definition, { body: '{"title":"a","b":1}' })).toBe('<make:a>');
  });
});

describe('values whose types are known', () => {
  const any = named({ id: z.union([z.string(), z.int()]), more: z.any().optional() });

  it('are not converted if the schema accepts them', async () => {
    expect(await bind(any, { body: '{"id":5,"more":"[1]"}' })).toEqual({ id: 5, more: '[1]' });
    expect(await bind(any, { kwargs: { id: '5' }, form: 'json' })).toEqual({ id: '5' });
    expect(await bind(any, { arg: 'more=x', isData: true })).toEqual({ id: 'more=x' });
  });

  it('are converted otherwise', async () => {
    const number = named({ id: z.int() });
    expect(await bind(number, { body: '{"id":"5"}' })).toEqual({ id: 5 });
  });

  it('are found for texts that fit in another way only', async () => {
    const even = named(z.object({ id: z.union([z.string(), z.int()]) }).refine(({ id }) => typeof id === 'number'));
    expect(await bind(even, { arg: '5' })).toEqual({ id: 5 });
    const letters = named({ id: z.union([z.enum(['a', 'b']), z.string()]) });
    expect(await bind(letters, { arg: 'A' })).toEqual({ id: 'A' });
  });
});

describe('a parameter called as a property of every object', () => {
  it('has no value in an example, and is not mistaken for a list of other names', () => {
    const optional = { name: 'constructor', type: 'boolean', default: undefined };
    const spec = { name: 'make', params: [{ name: 'id', type: 'string' }, optional] };
    expect(makeExampleTag(spec, { id: '7' })).toBe('<make:7>');
    expect(findMeant('some_name', ['path', 'constructor'])).toBeUndefined();
  });
});

describe('parameters that do not fit together', () => {
  const either = named(
    z
      .object({ id: z.int(), a: z.int().optional(), b: z.int().optional() })
      .refine(({ a, b }) => a === undefined || b === undefined),
  );

  it('are suggested without one of them', async () => {
    expect(await suggest(either, { body: '{"id":1,"a":2,"b":3}' })).toBe('<make:1 b=3>');
  });
});
