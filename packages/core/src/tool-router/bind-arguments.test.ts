import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { tool, type ToolParams } from '../decorators/tool.ts';
import { bindArguments } from './bind-arguments.ts';
import { checkArguments } from './check-arguments.ts';

const read = tool(
  '\n  Read a module or symbol.\n  More.',
  { target: z.string().default(''), line: z.int().default(0) },
  () => '',
).named('read');
const grep = named('grep', { pattern: z.string(), path: z.string().default(''), limit: z.int().default(50) });
const write = tool(
  'Create a task.',
  { title: z.string(), body: z.string().default(''), tags: z.array(z.string()).default([]) },
  () => '',
  { body: 'body' },
).named('write');
const update = named('edit', z.looseObject({ task_id: z.string() }));
const now = named('now', {});
const save = named('write', { target: z.string(), content: z.string() });
const create = named('create', {
  title: z.string().min(3).max(20),
  count: z.int().min(1).default(1),
  filter: z.strictObject({ state: z.enum(['open', 'closed']), since: z.string().optional() }).optional(),
});

function named(name: string, params: ToolParams) {
  return tool('', params, () => '').named(name);
}

async function refusal(...[definition, sent]: Parameters<typeof bindArguments>): Promise<string> {
  const bound = await bindArguments(definition, sent);
  if (bound.ok) throw new Error(`bound to ${JSON.stringify(bound.params)}`);
  return bound.text;
}

describe('JSON between XML tags', () => {
  const sent = (body: string) => ({ kwargs: { title: 'a' }, body, source: `<note title="a">${body}</note>` });
  const note = tool('', { title: z.string(), text: z.string().default(''), count: z.int().default(1) }, () => '', {
    body: 'text',
  }).named('note');

  it.each([
    ['{"count": 3}', { title: 'a', text: '', count: 3 }],
    ['{"text": "x", "count": 3}', { title: 'a', text: 'x', count: 3 }],
    ['{"other": 3}', { title: 'a', text: '{"other": 3}', count: 1 }],
    ['{}', { title: 'a', text: '{}', count: 1 }],
    ['plain', { title: 'a', text: 'plain', count: 1 }],
  ])('is arguments if all of it is: %s', async (body, params) => {
    expect(await bindArguments(note, sent(body))).toEqual({ ok: true, params });
  });

  it('is the text of a file, and of a tag of our own', async () => {
    const body = '{"count": 3}';
    const { source: _, ...tag } = sent(body);
    expect(await bindArguments(note, tag)).toMatchObject({ params: { text: body } });
    const written = { arg: 'a.json', body: '{"content":"x"}', source: '<write path="a.json">{"content":"x"}</write>' };
    const file = tool('', { target: z.string(), content: z.string() }, () => '', { body: 'content' }).named('write');
    expect(await bindArguments(file, written)).toMatchObject({ params: { content: '{"content":"x"}' } });
  });
});

describe('names and values of an argument', () => {
  const params = {
    title: z.string(),
    labels: z.array(z.string()).default([]),
    meta: z.object({ a: z.int() }).optional(),
  };
  const issue = named('create_issue', params);
  const note = named('note', { title: z.string(), content: z.string().default(''), limit: z.int().default(5) });
  const edit = named('edit', { target: z.string(), old: z.string().default(''), new: z.string().default('') });

  it.each([
    ['title="Login fails" labels=a,b', issue, { title: 'Login fails', labels: ['a', 'b'] }],
    ['title=Login labels=a', issue, { title: 'Login', labels: ['a'] }],
    ['labels=a title="Login fails"', issue, { title: 'Login fails', labels: ['a'] }],
    ['title: Login fails', issue, { title: 'Login fails', labels: [] }],
    ['Login fails meta={"a": 1}', issue, { title: 'Login fails', labels: [], meta: { a: 1 } }],
    ['TODO, path: src', grep, { pattern: 'TODO', path: 'src', limit: 50 }],
    ['TODO, path: "src lib", limit: 3', grep, { pattern: 'TODO', path: 'src lib', limit: 3 }],
    ['a, b: c path=src', grep, { pattern: 'a, b: c', path: 'src', limit: 50 }],
    ['pattern = x', grep, { pattern: 'pattern = x', path: '', limit: 50 }],
    ['TODO: path: src', grep, { pattern: 'TODO: path: src', path: '', limit: 50 }],
    ['a b=c', grep, { pattern: 'a b=c', path: '', limit: 50 }],
    [
      String.raw`a.ts old="join('\n')" new="say(\"x\")"`,
      edit,
      { target: 'a.ts', old: String.raw`join('\n')`, new: 'say("x")' },
    ],
    // Quotes inside that are not escaped.
    [
      'a.ts old="if (x === "(") {" new="// the "at" sign"',
      edit,
      { target: 'a.ts', old: 'if (x === "(") {', new: '// the "at" sign' },
    ],
    ["a.ts new='it's' old='x='1''", edit, { target: 'a.ts', old: "x='1'", new: "it's" }],
    ['the "a" old="b"', note, { title: 'the "a" old="b"', content: '', limit: 5 }],
  ])('are read in %s', async (arg, definition, expected) => {
    expect(await bindArguments(definition, { arg })).toEqual({ ok: true, params: expected });
  });

  it.each([
    ['TODO pth=src', grep, '- pth: unknown parameter (did you mean path?)'],
    ['TODO dir=src', grep, '- dir: unknown parameter (did you mean path?)'],
    ['TODO max=10', grep, '- max: unknown parameter (did you mean limit?)'],
    ['TODO, pth: src', grep, '- pth: unknown parameter (did you mean path?)'],
    ['TODO dir=src limit=x', grep, '- limit: expected int, got "x"'],
    ['a=b path=src context=2', grep, '- context: unknown parameter'],
    ['x body=y', note, '- body: unknown parameter (did you mean content?)'],
    ['title=Login fails', issue, '- title: quote a value of several words: title="…"'],
  ])('are an error in %s', async (arg, definition, line) => {
    expect((await refusal(definition, { arg })).split('\n')).toContain(line);
  });
});

describe('bindArguments', () => {
  it.each([
    ['the argument to the first parameter', read, { arg: ' bae.repl ' }, { target: 'bae.repl', line: 0 }],
    ['no argument to the default', read, { arg: '  ' }, { target: '', line: 0 }],
    ['nothing at all to the defaults', read, {}, { target: '', line: 0 }],
    ['a number to text', read, { arg: 1 }, { target: '1', line: 0 }],
    ['keywords alone when the first parameter has a default', read, { arg: 'line=5' }, { target: '', line: 5 }],
    ['what only looks like a keyword to the argument', grep, { arg: 'a=b' }, { pattern: 'a=b', path: '', limit: 50 }],
    [
      'what looks like keywords but follows none to the argument',
      grep,
      { arg: 'a context=2' },
      { pattern: 'a context=2', path: '', limit: 50 },
    ],
    ['a keyword alone to a required argument', grep, { arg: 'limit=5' }, { pattern: 'limit=5', path: '', limit: 50 }],
    ['the first parameter by keyword', grep, { kwargs: { pattern: 'x' } }, { pattern: 'x', path: '', limit: 50 }],
    [
      'the first parameter never from a suffix',
      grep,
      { arg: 'x pattern=y' },
      { pattern: 'x pattern=y', path: '', limit: 50 },
    ],
    [
      'a suffix only while the name is free',
      grep,
      { arg: 'x limit=1', kwargs: { limit: 2 } },
      { pattern: 'x limit=1', path: '', limit: 2 },
    ],
    [
      'a body, exactly',
      write,
      { arg: 'A', body: '\n{"title":"B"}\n' },
      { title: 'A', body: '\n{"title":"B"}\n', tags: [] },
    ],
    ['a body by keyword', write, { arg: 'A', kwargs: { body: 'x' } }, { title: 'A', body: 'x', tags: [] }],
    ['no body from a suffix', write, { arg: 'A body=x' }, { title: 'A body=x', body: '', tags: [] }],
    [
      'open keywords',
      update,
      { arg: '12 status=in_progress', kwargs: { note: 1 } },
      { task_id: '12', status: 'in_progress', note: 1 },
    ],
    [
      'a JSON body by name',
      create,
      { arg: 'Login', body: '{"count":"3","filter":{"state":"open"}}' },
      { title: 'Login', count: 3, filter: { state: 'open' } },
    ],
    [
      'keywords that are undefined to nothing',
      grep,
      { arg: 'x', kwargs: { path: undefined } },
      { pattern: 'x', path: '', limit: 50 },
    ],
    ['a named and quoted argument', create, { arg: 'title="Login fails" count=2' }, { title: 'Login fails', count: 2 }],
    ['a name without quotes to the argument', grep, { arg: 'pattern=y' }, { pattern: 'y', path: '', limit: 50 }],
    [
      'what JSON calls content to a parameter of that name',
      save,
      { arg: 'a.json', body: '{"content":1}', form: 'json' as const },
      { target: 'a.json', content: '{"content":1}' },
    ],
    [
      'keywords alone when a body gives the first parameter',
      create,
      { arg: 'count=2', body: '{"title":"Login"}' },
      { title: 'Login', count: 2 },
    ],
  ])('binds %s', async (_what, definition, sent, params) => {
    expect(await bindArguments(definition, sent)).toEqual({ ok: true, params });
  });

  it('reports every problem at once: parameters in order, unknown names, then misuse', async () => {
    const set = named('set', {
      id: z.int(),
      status: z.enum(['open', 'in_progress', 'done']),
      pinned: z.boolean().default(false),
      score: z.number().default(0),
    });
    const sent = { arg: 'x', kwargs: { status: 'opne', scor: 1, colour: 'red', score: Number.NaN }, body: '[]' };
    expect(await refusal(set, sent)).toMatchInlineSnapshot(`
      "ParameterError: tool 'set' parameter error (6 problems)
      - id: expected int, got "x"
      - status: expected one of open, in_progress, done; got "opne" (did you mean open?)
      - score: expected number, got NaN
      - colour: unknown parameter
      - scor: unknown parameter (did you mean score?)
      - body: this tool takes no body
      Usage: set(id: int, status: open|in_progress|done, pinned: boolean = false, score: number = 0)"
    `);
  });

  it('shows the first sentence of the description below the signature', async () => {
    expect(await refusal(read, { arg: 'x', kwargs: { line: 'not_a_number' } })).toMatchInlineSnapshot(`
      "ParameterError: tool 'read' parameter error (1 problem)
      - line: expected int, got "not_a_number"
      Usage: read(target: string = "", line: int = 0)
        Read a module or symbol."
    `);
  });

  it('names what is missing', async () => {
    expect(await refusal(grep, { arg: ' ' })).toContain(
      '(1 problem)\n- pattern: required\nUsage: grep(pattern: string,',
    );
  });

  it('finds a placeholder inside a value, and names where it is', async () => {
    const move = named('move', { parent: z.object({ page: z.uuid() }), note: z.string() });
    const bound = await bindArguments(move, { kwargs: { parent: { page: '…' } } });
    expect(bound).toMatchObject({ summary: 'move needs note; fill in parent.page.', unfilled: ['parent', 'note'] });
  });

  it('gives a named value to the parameter of that name, and `target` to the first one only where none has it', async () => {
    const checkout = named('checkout', { path: z.string().default('.'), target: z.string() });
    const bound = await bindArguments(checkout, { kwargs: { target: 'main' }, form: 'json' });
    expect(bound).toMatchObject({ ok: true, params: { path: '.', target: 'main' } });
    expect(await bindArguments(grep, { kwargs: { target: 'x' }, form: 'json' })).toMatchObject({
      ok: true,
      params: { pattern: 'x' },
    });
  });

  it('names an unknown keyword at the end, and binds those before it', async () => {
    const text = await refusal(create, { arg: 'title="A title" count=2 extra=1' });
    expect(text).toContain('(1 problem)');
    expect(text).toContain('- extra: unknown parameter');
  });

  it('takes the only unknown name for what the target is called, and suggests it', async () => {
    const show = named('show', { target: z.string().default('HEAD'), path: z.string().default('') });
    const send = (kwargs: object) => bindArguments(show, { kwargs: { ...kwargs }, form: 'json' });
    expect(await send({ commit: 'HEAD~1' })).toMatchObject({
      known: { target: 'HEAD~1' },
      text: expect.stringContaining('- commit: unknown parameter (did you mean target?)'),
    });
    for (const kwargs of [{ commit: 'a', stat: 'b' }, { commit: 'a', target: 'b' }, { commit: 2 }, { paht: 'a' }]) {
      const bound = await send(kwargs);
      expect(bound).not.toMatchObject({ known: { target: 'a' } });
      expect(bound).toMatchObject({ text: expect.not.stringContaining('did you mean target') });
    }
    // Other names say what they take.
    expect(await refusal(named('tell', { question: z.string() }), { kwargs: { body: 'x' } })).toContain(
      '- body: unknown parameter\n',
    );
  });

  it('refuses an argument that no parameter takes', async () => {
    expect(await refusal(now, { arg: 'x', body: 'y' })).toMatchInlineSnapshot(`
      "ParameterError: tool 'now' parameter error (2 problems)
      - arg: this tool takes no argument
      - body: this tool takes no body
      Usage: now()"
    `);
  });

  it.each([
    ['tag and body', create, { arg: 'Login', body: '{"title":"Logout"}' }, 'title'],
    ['tag and body', grep, { arg: 'x limit=1', body: '{"limit":2}' }, 'limit'],
    ['tag and keyword', grep, { arg: 'x', kwargs: { pattern: 'y' } }, 'pattern'],
    ['keyword and body', write, { arg: 'A', kwargs: { body: 'x' }, body: 'y' }, 'body'],
  ])('refuses a value given by %s', async (origins, definition, sent, name) => {
    expect(await refusal(definition, sent)).toContain(`(1 problem)\n- ${name}: given twice (${origins})\nUsage:`);
  });

  it('takes an empty body for none', async () => {
    expect(await bindArguments(grep, { arg: 'x', body: ' \n' })).toMatchObject({ ok: true, params: { pattern: 'x' } });
  });

  it('takes a body for the parameter that may be one, unless it is JSON with the arguments', async () => {
    const params = { title: z.string(), note: z.string(), pages: z.int().default(1) };
    const post = tool('', params, () => '', { mayBeBody: () => 'note' }).named('post');
    const all = { title: 'a b', note: 'some\ntext', pages: 1 };
    expect(await bindArguments(post, { arg: 'a b', body: 'some\ntext' })).toMatchObject({ ok: true, params: all });
    expect(await bindArguments(post, { arg: 'a b note="some\ntext"' })).toMatchObject({ ok: true, params: all });
    expect(await bindArguments(post, { kwargs: { title: 'a b', content: 'some\ntext' } })).toMatchObject({
      params: all,
    });
    expect(await bindArguments(post, { arg: 'a b', body: '{"note":"x","pages":2}' })).toMatchObject({
      params: { note: 'x', pages: 2 },
    });
    expect(await refusal(post, { arg: 'a', kwargs: { note: 'x' }, body: 'y' })).toContain(
      '- note: given twice (keyword and body)',
    );
  });

  it.each(['text', '[1]', '"x"', 'null', '{"a":'])('refuses the body %j where none is taken', async (body) => {
    expect(await refusal(grep, { arg: 'x', body })).toContain('(1 problem)\n- body: this tool takes no body\n');
  });

  it('puts what a schema objects to into the same words', async () => {
    const body = '{"count":0,"filter":{"state":"opened","sinc":"x"}}';
    expect(await refusal(create, { arg: 'ab', body })).toMatchInlineSnapshot(`
      "ParameterError: tool 'create' parameter error (4 problems)
      - title: expected at least 3 characters, got "ab"
      - count: expected at least 1, got 0
      - filter.state: expected one of open, closed; got "opened"
      - filter: unknown key sinc (did you mean since?)
      Usage: create(title: string, count: int = 1, filter?: json)"
    `);
  });

  it('quotes what was sent, not what it was turned into', async () => {
    expect(await refusal(create, { arg: 'Login', kwargs: { count: '0' } })).toContain(
      '- count: expected at least 1, got "0"',
    );
  });

  it('checks the other parameters even when one cannot be read', async () => {
    const text = await refusal(create, { arg: 'ab', kwargs: { count: 'x' } });
    expect(text).toContain(
      '(2 problems)\n- title: expected at least 3 characters, got "ab"\n- count: expected int, got "x"\n',
    );
  });

  it("keeps an author's own words, and what concerns all arguments together", async () => {
    const params = z
      .object({ from: z.int().refine((line) => line > 0, 'lines count from 1'), to: z.int() })
      .refine(({ from, to }) => from <= to, 'from must not be after to');
    const move = named('move', params);
    expect(await refusal(move, { arg: '0 to=1' })).toContain('- from: lines count from 1, got "0"\nUsage');
    expect(await refusal(move, { arg: '2 to=1' })).toContain('- arguments: from must not be after to\nUsage');
  });

  it('waits for checks that take time', async () => {
    const params = { name: z.string().refine(async (name) => name !== 'taken', 'taken already') };
    expect(await refusal(named('add', params), { arg: 'taken' })).toContain('- name: taken already, got "taken"');
  });

  it('keeps the values that are good, typed, for an example', async () => {
    const bound = await bindArguments(grep, { arg: 'x limit=7', kwargs: { path: {} } });
    expect(bound).toMatchObject({ ok: false, known: { pattern: 'x', limit: 7 } });
  });

  it('cannot be made to change a prototype or break a line by a name', async () => {
    const text = await refusal(update, { arg: '12', body: '{"__proto__":{"admin":true},"a\\nb":1}' });
    expect(text).toContain('(2 problems)\n- __proto__: unknown parameter\n- "a\\nb": unknown parameter\nUsage');
    const bound = await bindArguments(update, { arg: '12 __proto__=x constructor=y' });
    expect(bound).toMatchObject({ ok: true, params: { task_id: '12 __proto__=x', constructor: 'y' } });
    expect(Object.getPrototypeOf(bound)).toBe(Object.prototype);
  });
});

/** What is said of one value of one schema. */
async function said(schema: z.ZodType, value: unknown): Promise<readonly string[]> {
  const checked = await checkArguments(z.object({ x: schema }), { x: value }, new Map([['x', value]]));
  return checked.ok ? [] : checked.issues.map(({ path, text }) => `${path}: ${text}`);
}

describe('checkArguments', () => {
  it('fills in defaults and leaves the rest alone', async () => {
    const schema = z.looseObject({ a: z.int().default(3), b: z.string() });
    expect(await checkArguments(schema, { b: 'x', c: 1 }, new Map())).toEqual({
      ok: true,
      params: { a: 3, b: 'x', c: 1 },
    });
  });

  it.each([
    ['a length', z.string().length(1), 'ab', 'expected exactly 1 character, got "ab"'],
    ['a shortest length', z.string().min(3), 'ab', 'expected at least 3 characters, got "ab"'],
    ['a longest list', z.array(z.int()).max(1), [1, 2], 'expected at most 1 item, got [1,2]'],
    [
      'a size',
      z.map(z.string(), z.int()).refine(() => false, { error: 'expected two entries' }),
      new Map(),
      'expected two entries, got {}',
    ],
    ['a least number', z.number().min(1), 0, 'expected at least 1, got 0'],
    ['a number that is too little', z.number().gt(1), 1, 'expected more than 1, got 1'],
    ['a number that is too much', z.number().lt(1), 1, 'expected less than 1, got 1'],
    ['a divisor', z.int().multipleOf(5), 7, 'expected a multiple of 5, got 7'],
    ['a format', z.email(), 'me', 'expected email, got "me"'],
    ['a pattern', z.string().regex(/^a+$/), 'b', 'expected text matching /^a+$/, got "b"'],
    ['a beginning', z.string().startsWith('src/'), 'x', 'expected text that starts with "src/", got "x"'],
    ['an end', z.string().endsWith('.ts'), 'x', 'expected text that ends with ".ts", got "x"'],
    ['a part', z.string().includes('='), 'x', 'expected text that contains "=", got "x"'],
    ['another type', z.record(z.string(), z.int()), 'x', 'expected object, got "x"'],
    ['another value', z.literal('on'), 'off', 'expected on, got "off"'],
    ['other values', z.literal(['on', 'off']), 'no', 'expected one of on, off; got "no"'],
    ['none of several', z.union([z.int(), z.array(z.string())]), {}, 'expected int or array, got {}'],
    [
      'no kind',
      z.discriminatedUnion('kind', [z.object({ kind: z.literal('a') })]),
      { kind: 'b' },
      'expected kind one of a, got {"kind":"b"}',
    ],
    ['a bad key', z.record(z.string().min(2), z.int()), { a: 1 }, 'expected at least 2 characters, got "a"'],
    ['no reason', z.string().refine(() => false), 'x', 'expected another value, got "x"'],
    ["the author's words", z.string().min(3, 'Say more, please'), 'x', 'Say more, please; got "x"'],
  ])('describes %s', async (_what, schema, value, text) => {
    const [line] = await said(schema, value);
    expect(line?.replace(/^x(\.\w+)?: /, '')).toBe(text);
  });

  it('names the part of a value that is wrong', async () => {
    const schema = z.object({ list: z.array(z.object({ id: z.int() })) });
    expect(await said(schema, { list: [{ id: 1 }, { id: 'x' }, {}] })).toEqual([
      'x.list.1.id: expected int, got "x"',
      'x.list.2.id: required',
    ]);
  });

  it('names unknown keys, and the nearest known one', async () => {
    const schema = z.strictObject({ state: z.string().optional() });
    expect(await said(schema, { stat: 1, qqqqqqqq: 2 })).toEqual([
      'x: unknown key stat (did you mean state?); unknown key qqqqqqqq',
    ]);
  });

  it('quotes the value as it was sent', async () => {
    const checked = await checkArguments(z.object({ x: z.int().min(5) }), { x: 3 }, new Map([['x', '3']]));
    expect(checked).toEqual({ ok: false, issues: [{ name: 'x', path: 'x', text: 'expected at least 5, got "3"' }] });
  });

  it('leaves the name out of what concerns all arguments', async () => {
    const schema = z.object({ x: z.int() }).refine(() => false, 'nothing fits');
    expect(await checkArguments(schema, { x: 1 }, new Map())).toEqual({
      ok: false,
      issues: [{ name: undefined, path: '', text: 'nothing fits' }],
    });
  });
});
