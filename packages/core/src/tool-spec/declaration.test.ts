import { describe, expect, it } from 'vitest';
import type { ParamSpec, ToolSpec } from '../protocol/tool-definition.ts';
import { toCodeName, renderDeclaration, renderDocumentedDeclaration, renderShortDeclaration } from './declaration.ts';

const text = (name: string, more: Partial<ParamSpec> = {}): ParamSpec => ({ name, type: 'string', ...more });
const of = (params: readonly ParamSpec[], more: Partial<ToolSpec> = {}): string =>
  renderDeclaration({ name: 'tool', params, ...more });

describe('the declaration of a tool for code', () => {
  it.each<readonly [params: readonly ParamSpec[], inside: string]>([
    [[], ''],
    [[text('target')], 'target: string'],
    [[text('target', { default: '' })], 'target?: string'],
    [[text('target'), text('content', { body: true })], 'target: string, content: string'],
    [[text('pattern'), text('path', { default: '.' })], 'pattern: string, o?: {path?: string}'],
    [
      [text('target', { default: '' }), text('limit', { type: 'int', default: 9 })],
      'target?: string, o?: {limit?: int}',
    ],
    [
      [text('target'), text('old', { default: undefined }), text('new', { type: 'json' })],
      'target: string, new_: unknown, o?: {old?: string}',
    ],
  ])('has first what must be given, then one object: %j', (params, inside) => {
    expect(of(params)).toBe(`tool(${inside}): Answer`);
  });

  it.each([
    ['int', 'int'],
    ['number', 'number'],
    ['boolean', 'boolean'],
    ['string[]', 'string[]'],
    ['json', 'unknown'],
    ['open|done', '"open" | "done"'],
    ['string|int', 'string | int'],
    ['constructor', '"constructor"'],
  ])('has %s as %s', (type, written) => {
    expect(of([text('x', { type })])).toBe(`tool(x: ${written}): Answer`);
  });

  it('says when any field is taken, and quotes names that are none in code', () => {
    expect(of([text('id')], { rest: true })).toBe('tool(id: string, o?: {[field: string]: unknown}): Answer');
    expect(of([text('my-name'), text('max-size', { default: '' })])).toBe(
      'tool(my_name: string, o?: {"max-size"?: string}): Answer',
    );
    expect(renderDeclaration({ name: 'delete', params: [] })).toBe('delete_(): Answer');
  });

  it('leaves nothing out before what must be given, as TypeScript asks', () => {
    expect(of([text('target', { default: '' }), text('to'), text('why', { default: '' })])).toBe(
      'tool(target: string | undefined, o: {to: string; why?: string}): Answer',
    );
  });

  it('is shorter where Text stands for what it answers', () => {
    expect(renderShortDeclaration({ name: 'delete', params: [text('id'), text('path', { default: '' })] })).toBe(
      'delete_: (id: string, o?: {path?: string}) => Answer',
    );
  });

  it('says what it is for, in one line', () => {
    const spec = { name: 'read', doc: 'One task.\nMore.', params: [] };
    expect(renderDocumentedDeclaration(spec)).toBe('read(): Answer; // One task.');
    expect(renderDocumentedDeclaration({ name: 'read', params: [] }, 'read_')).toBe('read_(): Answer;');
  });
});

it.each([
  ['read', 'read'],
  ['my-tool', 'my_tool'],
  ['my-notes', 'my_notes'],
  ['été', 'été'],
  ['größe', 'größe'],
  ['a.b c', 'a_b_c'],
  ['let', 'let_'],
  ['delete', 'delete_'],
  ['new', 'new_'],
  ['undefined', 'undefined_'],
  ['$x', '$x'],
  ['console', 'console_'],
  ['JSON', 'JSON_'],
])('calls %s %s', (name, called) => {
  expect(toCodeName(name)).toBe(called);
});
