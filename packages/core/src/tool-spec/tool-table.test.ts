import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { docLine } from './doc-line.ts';
import { inToolOrder } from './tool-order.ts';
import { toolTable, type ToolSpecs } from './tool-table.ts';

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

describe('toolTable', () => {
  it('is a Markdown table of tags in their fixed order', () => {
    expect(toolTable(home, { style: 'tag' })).toMatchInlineSnapshot(`
      "| Tool | Signature | Description |
      |------|-----------|-------------|
      | read | <Read:target:string> | Content of a file \\| folder. |
      | write | <Write:target:string>content</Write> | Size of the file. |
      | edit | <Edit:target:string>content</Edit> | What changed. |
      | glob | <Glob:pattern:string> | Paths of files, sorted. |
      | grep | <Grep:pattern:string, path:string, all:boolean> | Matching lines as path:line: text. |
      | archive | <Archive:state:open\\|done> |  |"
    `);
  });

  it('is one call per line, with a description where there is one', () => {
    expect(toolTable(home, { style: 'call' })).toMatchInlineSnapshot(`
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
    expect(toolTable({ grep: grep! }, { style: 'call', wrap: 40 })).toBe(
      'grep(\n  pattern: string,\n  path: string = "",\n  all: boolean = false,\n)  -- Matching lines as path:line: text.',
    );
  });

  it('takes at most 900 characters for five tools', () => {
    const { archive, ...five } = home;
    expect(archive).toBeDefined();
    expect(toolTable(five, { style: 'tag' }).length).toBeLessThanOrEqual(900);
    expect(toolTable(five, { style: 'call' }).length).toBeLessThanOrEqual(900);
  });

  it('is just its head, or nothing, without tools', () => {
    expect(toolTable({}, { style: 'tag' }).split('\n')).toHaveLength(2);
    expect(toolTable({}, { style: 'call' })).toBe('');
  });
});

describe('inToolOrder', () => {
  it('lists the five verbs first, then the others by alphabet', () => {
    const names = ['undo', 'grep', 'Zoo', 'add', 'glob', 'edit', 'write', 'read', 'add_2'];
    expect(inToolOrder(names)).toEqual(['read', 'write', 'edit', 'glob', 'grep', 'Zoo', 'add', 'add_2', 'undo']);
  });

  it('does not depend on the order it is given', () => {
    const names = fc.uniqueArray(fc.oneof(fc.string(), fc.constantFrom('read', 'grep', 'write')));
    const shuffled = names.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    );
    const property = fc.property(shuffled, ([list, other]) => {
      expect(inToolOrder(other)).toEqual(inToolOrder(list));
    });
    fc.assert(property);
  });
});

describe('docLine', () => {
  it.each([
    ['One line.', 'One line.'],
    ['\n\n  \t Indented. \r\n more', 'Indented.'],
    [undefined, ''],
    [' \n ', ''],
    ['\u001B[1mBold\u001B[0m\u0007 and\u2028more', 'Bold  and more'],
    ['\u001B[0m\nsecond', 'second'],
  ])('makes of %j: %j', (doc, line) => {
    expect(docLine(doc)).toBe(line);
  });
});
