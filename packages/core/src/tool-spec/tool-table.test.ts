import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ParamSpec, ToolSpec } from '../protocol/tool-definition.ts';
import { renderExampleLine, renderToolHelp, sortToolNames, renderToolSpecs, type ToolSpecs } from './tool-table.ts';

const text = (name: string) => ({ name, type: 'string' });
const home: ToolSpecs = {
  grep: {
    doc: 'Matching lines as path:line: text.',
    params: [text('pattern'), { ...text('path'), default: '' }, { name: 'all', type: 'boolean', default: false }],
  },
  archive: { name: 'archive', doc: '', params: [{ name: 'state', type: 'open|done' }] },
  glob: { doc: 'Paths of files, sorted.', params: [text('pattern')] },
  edit: { doc: 'What changed.', params: [text('target'), { ...text('content'), body: true }], range: true },
  write: { doc: '\n  Size of the file.\n  More.', params: [text('target'), { ...text('content'), body: true }] },
  read: { doc: 'Content of a file | folder.', params: [{ ...text('target'), default: '' }] },
};

const param = (name: string, type = 'string', more: Partial<ParamSpec> = {}): ParamSpec => ({ name, type, ...more });
const body = (name: string) => param(name, 'string', { body: true });
const spec = (name: string, params: readonly ParamSpec[], more: Partial<ToolSpec> = {}): ToolSpec => ({
  name,
  params,
  ...more,
});
const grep = spec('grep', [param('pattern'), param('path', 'string', { default: '' })]);
const createIssue = spec('create_issue', [param('title'), param('labels', 'json')]);

describe('toolTable', () => {
  it('is one tag per line in their fixed order, with the beginning of a description', () => {
    const long = { doc: `${'word '.repeat(20)}end.`, params: [] };
    expect(renderToolSpecs({ ...home, zip: long }, { style: 'tag' })).toMatchInlineSnapshot(`
      "<R:target>  -- Content of a file | folder.
      <W:target>content</W>  -- Size of the file.
      <E:target>content</E>  -- What changed.
      <G:pattern>  -- Paths of files, sorted.
      <Grep:pattern> [path all:boolean]  -- Matching lines as path:line: text.
      <archive:state=open|done>
      <zip:>  -- word word word word word word word word word word word…"
    `);
  });

  it('is one call per line, with a description where there is one', () => {
    expect(renderToolSpecs(home, { style: 'call' })).toMatchInlineSnapshot(`
      "read(target: string = "")  -- Content of a file | folder.
      write(target: string, content: string)  -- Size of the file.
      edit(target: string, content: string)  -- What changed.
      glob(pattern: string)  -- Paths of files, sorted.
      grep(pattern: string, path: string = "", all: boolean = false)  -- Matching lines as path:line: text.
      archive(state: open|done)"
    `);
  });

  it('wraps calls for narrow displays', () => {
    const { grep } = home;
    expect(renderToolSpecs({ grep: grep! }, { style: 'call', wrap: 40 })).toBe(
      'grep(\n  pattern: string,\n  path: string = "",\n  all: boolean = false,\n)  -- Matching lines as path:line: text.',
    );
  });

  it('takes at most 900 characters for five tools', () => {
    const { archive, ...five } = home;
    expect(archive).toBeDefined();
    expect(renderToolSpecs(five, { style: 'tag' }).length).toBeLessThanOrEqual(900);
    expect(renderToolSpecs(five, { style: 'call' }).length).toBeLessThanOrEqual(900);
  });

  it('is nothing without tools', () => {
    expect(renderToolSpecs({}, { style: 'tag' })).toBe('');
    expect(renderToolSpecs({}, { style: 'call' })).toBe('');
  });
});

describe('sortToolNames', () => {
  it('lists the five verbs first, then the others by alphabet', () => {
    const names = ['undo', 'grep', 'Zoo', 'add', 'glob', 'edit', 'write', 'read', 'add_2'];
    expect(sortToolNames(names)).toEqual(['read', 'write', 'edit', 'glob', 'grep', 'Zoo', 'add', 'add_2', 'undo']);
  });

  it('does not depend on the order it is given', () => {
    const names = fc.uniqueArray(fc.oneof(fc.string(), fc.constantFrom('read', 'grep', 'write')));
    const shuffled = names.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    );
    const property = fc.property(shuffled, ([list, other]) => {
      expect(sortToolNames(other)).toEqual(sortToolNames(list));
    });
    fc.assert(property);
  });
});

describe('renderExampleLine', () => {
  it('shows a search with a keyword', () => {
    expect(renderExampleLine({ read: spec('read', [param('target')]), grep })).toBe('Example: <Grep:TODO path=src>');
  });

  it('shows the first of what there is: reading, writing, other tools', () => {
    const write = spec('write', [param('title'), body('content')]);
    const { name: _name, ...nameless } = createIssue;
    expect(renderExampleLine({ write, read: spec('read', [param('id', 'int')]) })).toBe('Example: <R:1>');
    expect(renderExampleLine({ write, create_issue: createIssue })).toBe('Example: <W:New title>text</W>');
    expect(renderExampleLine({ zip: spec('zip', []), create_issue: nameless })).toContain(
      'Example: <create_issue:New title>',
    );
    expect(renderExampleLine({})).toBe('');
  });

  it('shows a keyword that has an example', () => {
    const list = spec('list', [param('state', 'open|done'), param('label', 'string', { default: '', example: 'bug' })]);
    expect(renderExampleLine({ list })).toBe('Example: <list:open label=bug>');
  });

  it('shows no keyword whose example is the empty text: it means more without', () => {
    const label = param('label', 'string', { default: '', example: 'bug' });
    const path = param('path', 'string', { default: undefined, example: '' });
    expect(renderExampleLine({ grep: spec('grep', [param('pattern'), path]) })).toBe('Example: <Grep:TODO>');
    expect(renderExampleLine({ grep: spec('grep', [param('pattern'), path, label]) })).toBe(
      'Example: <Grep:TODO label=bug>',
    );
  });
});

describe('renderToolHelp', () => {
  it('says everything about one tool', () => {
    const tool = spec('grep', [param('pattern', 'string', { doc: 'Regular\nexpression' }), ...grep.params.slice(1)], {
      doc: '\n  Matching lines.\n\n  At most 50.\n',
    });
    expect(renderToolHelp(tool)).toMatchInlineSnapshot(`
      "grep(pattern: string, path: string = "")
      <Grep:pattern> [path]
      Matching lines.

      At most 50.
      - pattern: Regular expression
      Example: <Grep:TODO>"
    `);
  });

  it('does without a description', () => {
    expect(renderToolHelp(spec('now', []))).toBe('now()\n<now:>\nExample: <now:>');
  });
});
