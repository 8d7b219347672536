import { describe, expect, it } from 'vitest';
import { asModelText } from '../../protocol/model.ts';
import type { ToolCall } from '../../protocol/tool-call.ts';
import { parse } from '../parse.ts';

const KNOWN = { spaces: new Set(['source']), tools: new Set(['create_issue']) };

/** What a text says, without the texts of the calls. */
function read(text: string) {
  const parsed = parse(asModelText(text), KNOWN);
  return { ...parsed, calls: parsed.calls.map((call) => ({ ...call, source: undefined })) };
}

it('a call keeps the text that it was written in, without what is around it', () => {
  const line = '{"name":"Read","arguments":{"file_path":"a.py"}}';
  const [invoke, element] = [
    '<invoke name="read"><parameter name="path">a.py</parameter></invoke>',
    '<read path="a.py"/>',
  ];
  const python = 'read(path="a.py")';
  const [fence, wrapped] = [
    `\`\`\`tool_code\nx = ${python}\nprint(${python})\n\`\`\``,
    `<tool_call>\n${line}\n</tool_call>`,
  ];
  const text = [
    `[${line}]`,
    wrapped,
    `<function_calls>\n${invoke}${invoke}\n</function_calls>`,
    fence,
    element,
    '<R:b.py>',
  ];
  const { calls } = parse(asModelText(`Text.\n${text.join('\n')}\n`), KNOWN);
  const json = '"Read","arguments":{"file_path":"a.py"}}';
  const sources = [json, json, invoke, invoke, python, python, element, undefined];
  expect(calls.map(({ source }) => source)).toEqual(sources);
});

function json(name: string, args: Record<string, unknown>): string {
  return JSON.stringify({ name, arguments: args });
}

describe('a line of JSON', () => {
  it.each<[string, Record<string, unknown>, Omit<ToolCall, 'line'>]>([
    ['Read', { file_path: 'a.py' }, { verb: 'read', arg: 'a.py', tag: '<R:a.py>' }],
    ['Read', { file_path: 'a.py', offset: 10, limit: 5 }, { verb: 'read', arg: 'a.py:10-14', tag: '<R:a.py:10-14>' }],
    ['read', { path: 'a.py', offset: 10 }, { verb: 'read', arg: 'a.py:10-', tag: '<R:a.py:10->' }],
    ['R', { target: 'a.py', limit: 5 }, { verb: 'read', arg: 'a.py:1-5', tag: '<R:a.py:1-5>' }],
    ['Read', { target: 7 }, { verb: 'read', arg: '7', tag: '<R:7>' }],
    ['Read', {}, { verb: 'read', arg: '', tag: '<R:>' }],
    ['Read', { path: 'a', offset: 'x' }, { verb: 'read', arg: 'a', kwargs: { offset: 'x' }, tag: '<R:a>' }],
    ['Read', { target: 'a', path: 'b' }, { verb: 'read', arg: 'a', kwargs: { path: 'b' }, tag: '<R:a>' }],
    ['Write', { file_path: 'a', content: 'x\ny' }, { verb: 'write', arg: 'a', body: 'x\ny', tag: '<W:a>' }],
    ['Write', { path: 'a', content: '' }, { verb: 'write', arg: 'a', body: '', tag: '<W:a>' }],
    [
      'Write',
      { path: 'a', content: { b: 1 } },
      { verb: 'write', arg: 'a', kwargs: { content: { b: 1 } }, tag: '<W:a>' },
    ],
    [
      'Edit',
      { file_path: 'a', old_string: 'x', new_string: 'y', replace_all: true },
      { verb: 'edit', arg: 'a', kwargs: { old: 'x', new: 'y', every: true }, tag: '<E:a>' },
    ],
    ['Glob', { pattern: '*.ts', path: 'src' }, { verb: 'glob', arg: 'src/*.ts', tag: '<G:src/*.ts>' }],
    ['Glob', { pattern: '*.ts', path: 'src/' }, { verb: 'glob', arg: 'src/*.ts', tag: '<G:src/*.ts>' }],
    ['Glob', { pattern: '*.ts' }, { verb: 'glob', arg: '*.ts', tag: '<G:*.ts>' }],
    ['Grep', { pattern: 'a b', path: 'src' }, { verb: 'grep', arg: 'a b', kwargs: { path: 'src' }, tag: '<Grep:a b>' }],
    [
      'create_issue',
      { title: 'x', labels: ['a'] },
      { verb: 'create_issue', arg: '', kwargs: { title: 'x', labels: ['a'] }, tag: '<create_issue:>' },
    ],
    [
      'create_issue',
      { target: 'x', labels: ['a'] },
      { verb: 'create_issue', arg: '', kwargs: { target: 'x', labels: ['a'] }, tag: '<create_issue:x>' },
    ],
    [
      'create_issue',
      { target: 'x\n#2 1 <R:> [home] ok' },
      { verb: 'create_issue', arg: '', kwargs: { target: 'x\n#2 1 <R:> [home] ok' }, tag: '<create_issue:>' },
    ],
    ['source.read', { target: 'core' }, { verb: 'read', arg: 'core', space: 'source', tag: '<source.R:core>' }],
  ])('calling %s with %j is a call', (name, args, call) => {
    expect(read(`Look:\n ${json(name, args)} \nbye`)).toEqual({
      calls: [{ ...call, form: 'json', line: 2 }],
      runs: [],
      problems: [],
      prose: 'Look:\nbye',
    });
  });

  it.each([
    '{"name":"Read"}',
    '{"arguments":{},"name":1}',
    '{"name":"Read","arguments":[]}',
    '{"name":"Read","arguments":"x"}',
    '{"name":"Read","arguments":{}',
    '{"name":"Read","arguments":{},}',
    `text ${json('Read', { path: 'a' })}`,
    `${json('Read', { path: 'a' })} text`,
  ])('that is not a call is prose: %s', (text) => {
    expect(read(text)).toEqual({ calls: [], runs: [], problems: [], prose: text });
  });

  it('is not a call where it quotes the definition of a tool', () => {
    const definition = { name: 'create_issue', parameters: { type: 'object', properties: { title: {} } } };
    expect(read(JSON.stringify(definition)).calls).toEqual([]);
    expect(read(JSON.stringify([{ type: 'function', function: definition }])).calls).toEqual([]);
    expect(read(JSON.stringify({ name: 'create_issue', parameters: { type: 'object' } })).calls).toHaveLength(1);
  });

  it('without the argument that a tag needs is a call, which is answered in JSON', () => {
    expect(read(json('Write', { content: 'x' })).calls).toMatchObject([{ verb: 'write', arg: '', body: 'x' }]);
    expect(read(json('Grep', {})).calls).toMatchObject([{ verb: 'grep', arg: '' }]);
    expect(read(json('Edit', { id: 3 })).calls).toMatchObject([{ verb: 'edit', arg: '', kwargs: { id: 3 } }]);
  });

  it('cannot smuggle in a prototype', () => {
    const [call] = read('{"name":"Edit","arguments":{"path":"a","__proto__":{"x":1}}}').calls;
    expect(Object.getPrototypeOf(call?.kwargs)).toBe(Object.prototype);
    expect(call?.kwargs).not.toHaveProperty('x');
  });
});

describe('<tool_call>', () => {
  it.each([
    `<tool_call>${json('Read', { path: 'a' })}</tool_call>`,
    `<tool_call>\n${json('Read', { path: 'a' })}\n</tool_call>`,
    '<tool_call>\n{\n  "name": "Read",\n\n  "arguments": { "path": "a" }\n}\n</tool_call>',
    `  <tool_call> ${json('Read', { path: 'a' })} </tool_call>  `,
  ])('holds a call in %j', (text) => {
    expect(read(`Hi\n${text}\nbye`)).toMatchObject({
      calls: [{ verb: 'read', arg: 'a', line: 2 }],
      problems: [],
      prose: 'Hi\nbye',
    });
  });

  it('may follow another on its line', () => {
    const one = `<tool_call>${json('Read', { path: 'a' })}</tool_call>`;
    const two = `<tool_call>\n${json('Read', { path: 'b' })}\n</tool_call>`;
    expect(read(`${one}${two} ${one} tail\n<R:c>`)).toMatchObject({
      calls: [
        { arg: 'a', line: 1 },
        { arg: 'b', line: 1 },
        { arg: 'a', line: 3 },
        { arg: 'c', line: 4 },
      ],
      prose: 'tail',
    });
  });

  it('is not ended by a closing tag in a string', () => {
    const call = json('Write', { path: 'a', content: 'say "</tool_call>"\n<R:x>' });
    expect(read(`<tool_call>\n${call}\n</tool_call>`).calls).toMatchObject([{ body: 'say "</tool_call>"\n<R:x>' }]);
  });

  it.each([
    '<tool_call>nope</tool_call>',
    '<tool_call>\n{"name": "Read", "arguments": {"path": "a}\n<R:inside>\n</tool_call>',
    '<tool_call></tool_call>',
    '<tool_call>{"name":"Write","arguments":{"path":"a","content":"one\n</tool_call>\n<R:inside>"}}</tool_call>',
    `<tool_call>[${json('Read', { path: 'a' })}, 1]</tool_call>`,
    `<tool_call>${json('Bash', { command: 'ls' })}</tool_call>`,
    '<tool_call>{"name":"Read"}</tool_call>',
  ])('without a call is a problem: %j', (text) => {
    expect(read(`${text}\n<R:after>`)).toMatchObject({
      calls: [{ arg: 'after' }],
      problems: [{ code: 'bad-tool-call', line: 1 }],
      prose: '',
    });
  });

  it('that never ends ends the scan', () => {
    expect(read(`Hi\n<tool_call>\n${json('Read', { path: 'a' })}\n<R:b>`)).toMatchObject({
      calls: [],
      problems: [{ code: 'bad-tool-call', line: 2 }],
      prose: 'Hi',
    });
  });

  it('in running text is prose', () => {
    const text = `see <tool_call>${json('Read', { path: 'a' })}</tool_call>`;
    expect(read(text)).toMatchObject({ calls: [], prose: text });
  });
});

describe('made-up output', () => {
  it.each([
    '<tool_response>\n<R:x>\n<run>y</run>\n</tool_response>',
    '<tool_response>ok</tool_response>',
    '<tool_response id="1">\n```\n</tool_response>',
    '<tool_use>\n{"name":"Read"}\n</tool_use>',
    '<tool_use name="Read" />',
  ])('is left out: %j', (text) => {
    expect(read(`Hi\n${text}\nbye`)).toMatchObject({
      calls: [],
      runs: [],
      problems: [{ code: 'fabricated-output', line: 2 }],
      prose: 'Hi\nbye',
    });
  });

  it('that never ends ends the scan', () => {
    expect(read('<R:a>\n<tool_response>\n<R:b>')).toMatchObject({
      calls: [{ arg: 'a' }],
      problems: [{ code: 'fabricated-output', line: 2 }],
      prose: '',
    });
  });

  it('leaves what follows it on its line', () => {
    expect(read('<tool_response>ok</tool_response> fine\n<R:a>')).toMatchObject({
      calls: [{ arg: 'a' }],
      prose: 'fine',
    });
    expect(read('<tool_response>\n</tool_response> <R:x>')).toMatchObject({
      calls: [],
      prose: '</tool_response> <R:x>',
    });
  });

  it.each(['<tool_responses>', '<tool_user>x', '<tool_used />'])('is not seen in %s', (text) => {
    expect(read(text)).toMatchObject({ problems: [], prose: text });
  });
});

it('an element of a custom tool may have no arguments, where they are written as JSON', () => {
  expect(read('<create_issue>{}</create_issue>').calls).toMatchObject([{ verb: 'create_issue', arg: '' }]);
  expect(read('<create_issue></create_issue>').calls).toEqual([]);
});

it('an element of a custom tool may hold its text, but not one of a verb', () => {
  expect(read('<create_issue>Login fails</create_issue>\n<R:a>').calls).toMatchObject([
    { verb: 'create_issue', arg: '', body: 'Login fails' },
    { verb: 'read' },
  ]);
  expect(read('<create_issue>\none\n\ntwo <R:b>\n</create_issue>').calls).toMatchObject([
    { body: 'one\n\ntwo <R:b>', block: true },
  ]);
  for (const text of ['<read>a.ts</read>', 'As <create_issue>x</create_issue>', '<create_issue>x'])
    expect(read(text).calls).toEqual([]);
});

it('an element of a custom tool with attributes may hold JSON, which the router reads', () => {
  expect(read('<create_issue title="a">{"labels":["b"]}</create_issue>').calls).toMatchObject([
    { verb: 'create_issue', kwargs: { title: 'a' }, body: '{"labels":["b"]}' },
  ]);
  expect(read('<write path="a.json">{"b":1}</write>').calls).toMatchObject([{ verb: 'write', body: '{"b":1}' }]);
});

it('a tool that edits texts is understood with all its commands, and one with a list of edits', () => {
  const write = (name: string, args: object) => read(JSON.stringify({ name, arguments: args })).calls;
  const editor = (args: object) => write('str_replace_based_edit_tool', { path: 'a.py', ...args });
  expect(editor({ command: 'insert', insert_line: 2, insert_text: 'x' })).toMatchObject([
    { verb: 'edit', arg: 'a.py:2', kwargs: { after: true, content: 'x' } },
  ]);
  expect(editor({ command: 'insert', insert_line: 0, new_str: 'x' })).toMatchObject([
    { verb: 'edit', arg: 'a.py:1', kwargs: { before: true, content: 'x' } },
  ]);
  const edits = [
    { old_string: 'a', new_string: 'b' },
    { old_string: 'c', new_string: 'd', replace_all: true },
  ];
  expect(write('MultiEdit', { file_path: 'a.py', edits })).toMatchObject([
    { verb: 'edit', arg: 'a.py', kwargs: { old: 'a', new: 'b' } },
    { verb: 'edit', arg: 'a.py', kwargs: { old: 'c', new: 'd', every: true } },
  ]);
});
