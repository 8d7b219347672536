import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ParamSpec, ToolSpec } from '../protocol/tool-definition.ts';
import { makeExampleTag, makeExampleValue } from './example-tag.ts';

const param = (name: string, type = 'string', more: Partial<ParamSpec> = {}): ParamSpec => ({ name, type, ...more });
const body = (name: string) => param(name, 'string', { body: true });
const spec = (name: string, params: readonly ParamSpec[], more: Partial<ToolSpec> = {}): ToolSpec => ({
  name,
  params,
  ...more,
});
const grep = spec('grep', [param('pattern'), param('path', 'string', { default: '' })]);
const createIssue = spec('create_issue', [param('title'), param('labels', 'json')]);

describe('exampleTag', () => {
  it.each([
    ['the short tag of a verb', spec('read', [param('target', 'string', { default: '' })]), '<R:src/app.ts>'],
    ['only what is required', grep, '<Grep:TODO>'],
    ['a pattern for glob', spec('glob', [param('pattern')]), '<G:src/**/*.ts>'],
    [
      'required keywords',
      spec(
        'edit',
        ['path', 'old', 'new'].map((name) => param(name)),
      ),
      '<E:src/app.ts old="old text" new="new text">',
    ],
    ['a write without a body', spec('write', [param('title')]), '<W:New title></W>'],
    ['an inline body', spec('write', [param('title'), body('content')]), '<W:New title>text</W>'],
    [
      'a range where an edit needs one',
      spec('edit', [param('target'), body('content')], { range: true }),
      '<E:src/app.ts:1-3>text</E>',
    ],
    ['no argument where there is none', spec('done', []), '<done:>'],
    ['only a body', spec('note', [body('text')]), '<note:>text</note>'],
    [
      'a value of each type',
      spec('set', [
        param('id', 'int'),
        param('status', 'open|done'),
        param('pinned', 'boolean'),
        param('score', 'number'),
        param('tags', 'string[]'),
        param('either', 'int|string'),
      ]),
      '<set:1 status=open pinned=true score=1 tags="one, two" either=1>',
    ],
    [
      'its own examples and defaults',
      spec('run', [
        param('task', 'string', { example: 'core#build' }),
        param('mode', 'string', { default: 'fast' }),
        param('who', 'string', { example: 'Ann "A" Lee' }),
      ]),
      String.raw`<run:core#build who="Ann \"A\" Lee">`,
    ],
    ['the default of its argument', spec('run', [param('task', 'string', { default: 'build' })]), '<run:build>'],
  ])('has %s', (_what, tool, tag) => {
    expect(makeExampleTag(tool)).toBe(tag);
  });

  it('has a JSON body for values that cannot stand in a tag', () => {
    expect(makeExampleTag(createIssue)).toBe('<create_issue:New title>\n{"labels":{}}\n</create_issue>');
    const known = { title: 'a <b> "c"', labels: { area: ['ui'] } };
    expect(makeExampleTag(createIssue, known)).toMatchInlineSnapshot(`
      "<create_issue:>
      {"title":"a <b> \\"c\\"","labels":{"area":["ui"]}}
      </create_issue>"
    `);
  });

  it('has a body of several lines on lines of its own', () => {
    const tool = spec('write', [param('target'), param('content', 'string', { body: true, example: 'one\ntwo' })]);
    expect(makeExampleTag(tool)).toBe('<W:src/app.ts>\none\ntwo\n</W>');
  });

  it('labels the close tag when the body has a close tag of its own', () => {
    const tool = spec('write', [param('target'), body('content')]);
    expect(makeExampleTag(tool, { target: 'a.md', content: '</W>' })).toBe('<W:a.md>\n</W>\n</W:a.md>');
  });
});

describe('makeExampleTag, with known arguments', () => {
  it('uses them, optional ones too', () => {
    expect(makeExampleTag(grep, { pattern: 'Array<T>', path: 'src/lib' })).toBe('<Grep:Array<T> path=src/lib>');
    const tool = spec('set', [param('id', 'int'), param('tags', 'string[]'), param('note', 'string', { default: '' })]);
    expect(makeExampleTag(tool, { id: 7, tags: ['a', 'b c'], note: '' })).toBe('<set:7 tags="a, b c" note="">');
  });

  it('replaces what is too long, empty, or impossible in the tag', () => {
    const tool = spec('write', [param('target'), body('content')]);
    expect(makeExampleTag(tool, { target: 'x'.repeat(81), content: 'y'.repeat(81) })).toBe('<W:src/app.ts>text</W>');
    expect(makeExampleTag(tool, { target: ' ', content: '' })).toBe('<W:src/app.ts></W>');
    expect(makeExampleTag(tool, { target: 'a<b', content: 'y' })).toBe('<W:src/app.ts>y</W>');
    expect(makeExampleTag(grep, { pattern: 'a\nb' })).toContain('{"pattern":"a\\nb"}');
  });

  it('lets only read go without its argument', () => {
    expect(makeExampleTag(spec('read', [param('target')]), { target: '' })).toBe('<R:>');
    expect(makeExampleTag(spec('glob', [param('pattern')]), { pattern: '' })).toBe('<G:src/**/*.ts>');
  });

  it('leaves an optional body out where another parameter shows what to change', () => {
    const status = param('status', 'open|done', { default: undefined, example: 'done' });
    const params = [param('id', 'int'), param('title', 'string', { default: undefined }), status];
    const optional = { ...body('text'), default: undefined };
    expect(makeExampleTag(spec('edit', [...params, optional]), { id: 7, title: 'a <b>' })).toBe(
      '<E:7 title="New title" status=done>',
    );
    expect(makeExampleTag(spec('edit', [...params, body('text')]), { id: 7 })).toBe('<E:7>text</E>');
  });

  it('leaves a range alone that is there', () => {
    const edit = spec('edit', [param('target'), body('content')], { range: true });
    expect(makeExampleTag(edit, { target: 'a.ts:7-9', content: 'x' })).toBe('<E:a.ts:7-9>x</E>');
  });
});

it('writes a move as a move is written', () => {
  const go = spec('go', [{ name: 'target', type: 'string', default: '' }]);
  expect(makeExampleTag(go, { target: 'source.meta' })).toBe('@source.meta()');
  expect(makeExampleTag(go)).toBe('@home()');
});

describe('the example of any tool', () => {
  const params = fc.uniqueArray(
    fc.record({
      name: fc.stringMatching(/^[a-z]{1,8}$/),
      type: fc.constantFrom('string', 'int', 'number', 'boolean', 'string[]', 'json', 'open|done'),
      optional: fc.boolean(),
      body: fc.boolean(),
    }),
    { selector: ({ name }) => name, maxLength: 6 },
  );
  const tool = fc.record({ name: fc.constantFrom('read', 'write', 'grep', 'list'), params }).map(({ name, params }) => {
    const place = params.findIndex((one) => one.body);
    const list = params.map(({ name, type, optional }, index): ParamSpec => {
      const more = { ...(optional && { default: '' }), ...(index === place && { body: true }) };
      return { name, type, ...more };
    });
    return { name, params: list };
  });
  const known = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.string());

  it('is one tag line that names all required parameters, and at most one body', () => {
    const property = fc.property(tool, known, (spec, args) => {
      const tag = makeExampleTag(spec, args);
      const [, name, rest] = /^<([A-Za-z]+):([^]*)$/.exec(tag) ?? [];
      expect(['R', 'W', 'Grep', 'list']).toContain(name);
      const [, ...others] = spec.params.filter((one) => one.body !== true);
      for (const one of others.filter((param) => !('default' in param))) {
        expect(rest).toMatch(new RegExp(` ?${one.name}=|"${one.name}":`));
      }
      expect(tag.endsWith('>')).toBe(true);
    });
    fc.assert(property);
  });

  it('has no angle bracket inside a tag, except in a pattern to search for', () => {
    const property = fc.property(tool, known, (spec, args) => {
      if (spec.name === 'grep') return;
      const [line = ''] = makeExampleTag(spec, args).split('\n');
      expect(line).toMatch(/^<[^<>]*>(?:.*<\/[^<>]*>)?$/);
    });
    fc.assert(property);
  });
});

const text = (name: string, tool = 'any') => makeExampleValue({ name, type: 'string' }, tool);

describe('exampleValue', () => {
  it('prefers an example, then a default that says something', () => {
    expect(makeExampleValue({ name: 'x', type: 'string', example: 'e', default: 'd' }, 'any')).toBe('e');
    expect(makeExampleValue({ name: 'x', type: 'int', default: 0 }, 'any')).toBe(0);
    expect(makeExampleValue({ name: 'x', type: 'boolean', default: false }, 'any')).toBe(false);
    expect(makeExampleValue({ name: 'x', type: 'string[]', default: ['a'] }, 'any')).toEqual(['a']);
  });

  it.each([undefined, null, ''])('passes over the empty default %j', (value) => {
    expect(makeExampleValue({ name: 'x', type: 'string', default: value }, 'any')).toBe('text');
  });

  it('passes over empty lists and objects', () => {
    expect(makeExampleValue({ name: 'x', type: 'string[]', default: [] }, 'any')).toEqual(['one', 'two']);
    expect(makeExampleValue({ name: 'x', type: 'json', default: {} }, 'any')).toEqual({});
  });

  it.each([
    ['int', 1],
    ['number', 1],
    ['boolean', true],
    ['string[]', ['one', 'two']],
    ['json', {}],
    ['open|done', 'open'],
    ['only', 'only'],
    ['int|string', 1],
  ])('fits the type %s', (type, value) => {
    expect(makeExampleValue({ name: 'x', type }, 'any')).toEqual(value);
  });

  it.each([
    ['target', 'src/app.ts'],
    ['file_path', 'src/app.ts'],
    ['fileName', 'src/app.ts'],
    ['pattern', 'TODO'],
    ['searchQuery', 'TODO'],
    ['outputDir', 'src'],
    ['title', 'New title'],
    ['task_id', '1'],
    ['url', 'https://example.com'],
    ['dueDate', '2026-01-31'],
    ['username', 'main'],
    ['anything', 'text'],
  ])('fits the name %s', (name, value) => {
    expect(text(name)).toBe(value);
  });

  it('knows what the tools that search are given', () => {
    expect(text('pattern', 'glob')).toBe('src/**/*.ts');
    expect(text('path', 'grep')).toBe('src');
  });
});
