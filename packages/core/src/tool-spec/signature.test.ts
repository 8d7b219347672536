import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ParamSpec, ToolSpec } from '../protocol/tool-definition.ts';
import { renderSignature } from './signature.ts';

const param = (name: string, type = 'string', more: Partial<ParamSpec> = {}): ParamSpec => ({ name, type, ...more });
const spec = (name: string, params: readonly ParamSpec[], more: Partial<ToolSpec> = {}): ToolSpec => ({
  name,
  params,
  ...more,
});
const write = spec('write', [
  param('title'),
  param('body', 'string', { default: '', body: true }),
  param('priority', 'string', { default: '0.0.0' }),
  param('tags', 'string[]', { default: [] }),
]);

describe('signature, as a tag', () => {
  it.each<readonly [ToolSpec, string]>([
    [spec('read', [param('target')]), '<R:target>'],
    [spec('read', [param('target', 'string', { default: 'x' }), param('n', 'int')]), '<R:target n=int>'],
    [
      spec(
        'edit',
        ['path', 'old', 'new'].map((name) => param(name)),
      ),
      '<E:path old="" new="">',
    ],
    [write, '<W:title>body</W> [priority tags:string[]]'],
    [spec('write', [param('title')]), '<W:title></W>'],
    [spec('note', [param('text', 'string', { body: true })]), '<note:>text</note>'],
    [spec('create_issue', [param('state', 'open|done')]), '<create_issue:state=open|done>'],
    [spec('list', [param('state', 'open|done', { default: 'open' })]), '<list:state=open|done>'],
    [spec('list', [param('id', 'string|int')]), '<list:id>'],
    [spec('list', [param('state', Array.from({ length: 20 }, (_, at) => `choice${at}`).join('|'))]), '<list:state>'],
    [spec('done', []), '<done:>'],
    [
      spec('link', [param('from', 'int'), param('to', 'int'), param('hard', 'boolean'), param('tags', 'string[]')]),
      '<link:from to=int hard=true|false tags=a,b>',
    ],
    [
      spec('create_issue', [param('title'), param('labels', 'json'), param('meta', 'json', { default: {} })]),
      '<create_issue:title>{"labels":…}</create_issue> [meta:json]',
    ],
    [
      spec('put', [param('at'), param('meta', 'json'), param('text', 'string', { body: true })]),
      '<put:at meta={…}>text</put>',
    ],
    [spec('edit', [param('id')], { rest: true }), '<E:id> […fields]'],
  ])('is $1', (tool, text) => {
    expect(renderSignature(tool, { style: 'tag' })).toBe(text);
  });

  it('never wraps', () => {
    expect(renderSignature(write, { style: 'tag', wrap: 10 })).not.toContain('\n');
  });
});

describe('signature, as a call', () => {
  it.each<readonly [ToolSpec, string]>([
    [
      spec('read', [param('target', 'string', { default: '' }), param('line', 'int', { default: 0 })]),
      'read(target: string = "", line: int = 0)',
    ],
    [spec('edit', [param('id')], { rest: true }), 'edit(id: string, ...fields)'],
    [spec('set', [], { rest: true }), 'set(...fields)'],
    [spec('now', []), 'now()'],
    [spec('find', [param('path', 'string', { default: undefined })]), 'find(path?: string)'],
    [spec('find', [param('path', 'json', { default: null })]), 'find(path: json = null)'],
    [spec('find', [param('big', 'json', { default: 10n })]), 'find(big: json = "10")'],
    [
      spec('find', [param('deep', 'json', { default: { a: [1, 'x'] } }), param('on', 'boolean', { default: false })]),
      'find(deep: json = {"a":[1,"x"]}, on: boolean = false)',
    ],
  ])('is $1', (tool, text) => {
    expect(renderSignature(tool, { style: 'call' })).toBe(text);
  });

  it('has one parameter per line when it is longer than the given width', () => {
    expect(renderSignature({ ...write, rest: true }, { style: 'call', wrap: 40 })).toMatchInlineSnapshot(`
      "write(
        title: string,
        body: string = "",
        priority: string = "0.0.0",
        tags: string[] = [],
        ...fields,
      )"
    `);
  });

  it('stays on one line when it is exactly as long, or has nothing to wrap', () => {
    const tool = spec('read', [param('target'), param('n', 'int')]);
    expect(renderSignature(tool, { style: 'call', wrap: 28 })).toBe('read(target: string, n: int)');
    expect(renderSignature(tool, { style: 'call', wrap: 27 })).toBe('read(\n  target: string,\n  n: int,\n)');
    expect(renderSignature(spec('a_tool_without_parameters', []), { style: 'call', wrap: 5 })).toBe(
      'a_tool_without_parameters()',
    );
  });

  it('shows line breaks and colour codes of foreign specs as harmless text', () => {
    const tool = spec('find', [param('a\nb', '\u001B[31mred\u001B[0m|x', { default: 'one\ntwo\u001B[1m\u009B' })]);
    expect(renderSignature(tool, { style: 'call' })).toBe(String.raw`find(a b: red|x = "one\ntwo\u001b[1m ")`);
    expect(renderSignature(tool, { style: 'tag' })).toBe('<find:a b>');
  });
});

describe('the signature of any tool', () => {
  const params = fc.array(
    fc.oneof(
      fc.record({ name: fc.string({ unit: 'binary' }), type: fc.string({ unit: 'binary' }) }),
      fc.record({ name: fc.string(), type: fc.string(), default: fc.jsonValue() }),
      fc.record({ name: fc.string(), type: fc.string(), body: fc.constant(true) }),
    ),
  );

  it.each(['tag', 'call'] as const)('is one line without control characters, as a %s', (style) => {
    const property = fc.property(params, (list) => {
      expect(renderSignature(spec('find', list), { style })).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
    });
    fc.assert(property);
  });

  it('says the same wrapped as on one line', () => {
    const property = fc.property(params, (list) => {
      const call = (wrap: number) => renderSignature(spec('find', list), { style: 'call', wrap });
      const line = call(Infinity);
      expect(call(line.length)).toBe(line);
      const joined = call(0)
        .replace(/^find\(\n {2}/, 'find(')
        .replaceAll(',\n  ', ', ')
        .replace(/,\n\)$/, ')');
      expect(joined).toBe(line);
    });
    fc.assert(property);
  });
});
