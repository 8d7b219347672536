import { describe, expect, it } from 'vitest';
import { asModelText } from '../protocol/model.ts';
import type { ParsedText, ToolCall } from '../protocol/tool-call.ts';
import { parse } from './parse.ts';

const KNOWN = { spaces: new Set(['source', 'tasks', 'github']), tools: new Set(['done', 'create_issue', 'run']) };

function read(text: string): ParsedText {
  return parse(asModelText(text), KNOWN);
}

function callsOf(text: string): Omit<ToolCall, 'line' | 'tag'>[] {
  return read(text).calls.map(({ line: _line, tag: _tag, ...call }) => call);
}

describe('a body on lines of its own', () => {
  it.each([
    ['<W:out.txt>\nhello world\n</W>', 'hello world'],
    ['<W:a.md>\n\nline\n\n</W>', '\nline\n'],
    ['<W:a>\n  x  \n\ty\n</W>', '  x  \n\ty'],
    ['<W:empty.txt>\n</W>', ''],
    ['<W:a>\n\n</W>', ''],
    ['<W:a>\nx\n</write>', 'x'],
    ['<write:a>\nx\n</WRITE>', 'x'],
    ['  <W:a>\nx\n\t</W>  ', 'x'],
    ['<W:a>\n# T\n```py\nx = 1\n```\n<run>\ny\n</run>\nend\n</W>', '# T\n```py\nx = 1\n```\n<run>\ny\n</run>\nend'],
    ['<W:x>\n<R:b.py>\n<E:y:1-2>\nq\n</E>\n</W>', '<R:b.py>\n<E:y:1-2>\nq\n</E>'],
    [
      '<W:x>\n{"name":"Read","arguments":{}}\n@home()\n\\<R:a>\n</W>',
      '{"name":"Read","arguments":{}}\n@home()\n\\<R:a>',
    ],
    ['<W:x>\n```\n</W>', '```'],
    ['<W:x>\n<run>\n</W>', '<run>'],
    ['<W:x>\n<tool_call>\n</W>', '<tool_call>'],
    ['<W:x>\nuse </W> here\n </W> and here\n</W>', 'use </W> here\n </W> and here'],
  ])('is exact in %j', (text, body) => {
    expect(callsOf(text)).toMatchObject([{ verb: 'write', body, block: true }]);
    expect(read(text)).toMatchObject({ runs: [], problems: [], prose: '' });
  });

  it.each([
    ['<W:a>\n\n</W>', true],
    ['<E:a:3>\r\n\r\n</E>', true],
    ['<W:a>\n\n</W:a>', true],
    ['<W:a>\n</W>', undefined],
    ['<W:a></W>', undefined],
    ['<W:a>\n\n\n</W>', undefined],
    ['<W:a>\n \n</W>', undefined],
  ])('tells one empty line from none in %j', (text, isEmptyLine) => {
    expect(callsOf(text).map((call) => call.isEmptyLine)).toEqual([isEmptyLine]);
  });

  it('ends where tags of the same verb are balanced', () => {
    expect(callsOf('<W:a>\n<W:b>\nx\n</W>\n</W>\n<R:c>')).toEqual([
      { verb: 'write', arg: 'a', body: '<W:b>\nx\n</W>', block: true },
      { verb: 'read', arg: 'c' },
    ]);
  });

  it('counts only tags alone on their line', () => {
    const body = '<W:b> opens\n<W:c>x</W>\n- <W:d>\n<W:e> <R:f>\ntext </W>';
    expect(callsOf(`<W:a>\n${body}\n</W>`)).toEqual([{ verb: 'write', arg: 'a', body, block: true }]);
  });

  it('continues after the closing tag', () => {
    expect(callsOf('<W:a>\nx\n</W>\n<W:b>\ny\n</W>')).toMatchObject([{ body: 'x' }, { body: 'y' }]);
  });
});

describe('a labelled closing tag', () => {
  it.each([
    ['<W:doc.md>\nuse\n</W>\nto close\n</W:doc.md>', 'use\n</W>\nto close'],
    ['<W:doc.md>\n<W:x>\n</W:doc.md>', '<W:x>'],
    ['<W:"my doc.md">\n</W>\n</write:my doc.md>', '</W>'],
    ['<W:doc.md>\n</W:other>\n</W>\n</W: doc.md >', '</W:other>\n</W>'],
    ['<W:doc.md>\na\n</W:doc.md>\n</W:doc.md>', 'a'],
    ['<W:doc.md>\n```\n</W:doc.md>', '```'],
  ])('closes its own tag in %j', (text, body) => {
    expect(callsOf(text)).toMatchObject([{ verb: 'write', body, block: true }]);
    expect(read(text)).toMatchObject({ problems: [], prose: '' });
  });

  it('counts as one with its tag inside another body', () => {
    const inner = '<W:b>\n</W>\n</W>\n</W:b>';
    expect(callsOf(`<W:a>\n${inner}\n</W>`)).toEqual([{ verb: 'write', arg: 'a', body: inner, block: true }]);
  });

  it('closes no other tag', () => {
    expect(read('<W:a>\nx\n</W:b>')).toMatchObject({ calls: [], problems: [{ code: 'unclosed-body', line: 1 }] });
    expect(callsOf('<W:a>\nx\n</W:b>\ny\n</W>')).toMatchObject([{ body: 'x\n</W:b>\ny' }]);
  });

  it('without a label is a plain one', () => {
    expect(callsOf('<W:a>\nx\n</W:>')).toMatchObject([{ body: 'x' }]);
  });
});

describe('a body on one line', () => {
  it.each([
    ['<W:out.txt>hello</W>', 'hello'],
    ['<W:a></W>', ''],
    ['<W:a> hi </Write>', ' hi '],
    ['<Write:a>a < b > c</w>', 'a < b > c'],
    ['<W:a><b>x</b></W>', '<b>x</b>'],
    ['<W:a>x</W:a>', 'x'],
    ['<W:a>see </W> here</W:a>', 'see </W> here'],
    ['<W:a><R:b></W>', '<R:b>'],
    ['<W:a></E></W>', '</E>'],
  ])('is exact in %s', (text, body) => {
    expect(callsOf(text)).toMatchObject([{ verb: 'write', body, block: false }]);
    expect(read(text)).toMatchObject({ problems: [], prose: '' });
  });

  it.each([
    '<R:a.py> <W:b.py>',
    '<W:a> <W:b>',
    '<R:a> <tasks.W:b>',
    '<W:a>x</W> <R:b>',
    '<W:a>x</W><W:b>y</W>',
    '<R:a> <W:b>x</W>',
    '<W:a>x</W> and </W>',
    '<E:a:1-2>x</E> <E:b:1-2>y</E>',
    '<done:7>x</done> <done:8>',
  ])('shares its line with nothing: %s', (line) => {
    expect(read(`<R:before>\n${line}\n<R:secret>\n</W>\n<R:more>`)).toMatchObject({
      calls: [{ verb: 'read', arg: 'before' }],
      problems: [{ code: 'write-not-alone', line: 2 }],
      prose: '',
    });
  });

  it.each<[string, string]>([
    ['<W:a># Title\n<W:secret>\nx\n</W>\n</W>', '# Title\n<W:secret>\nx\n</W>'],
    ['<E:a:1-2>new\nlines\n</E:a:1-2>', 'new\nlines'],
    ['<W:a>one\ntwo</W>', 'one\ntwo'],
    ['<W:a>one\ntwo</W:a>', 'one\ntwo'],
    ['<done:7>one\ntwo</done>', 'one\ntwo'],
  ])('may begin behind its tag and go on below it: %j', (text, body) => {
    expect(read(`Look:\n${text}\n<R:b>`)).toMatchObject({
      calls: [{ body, block: false }, { arg: 'b' }],
      problems: [],
      prose: 'Look:',
    });
  });

  it('may end behind its last line', () => {
    expect(read('<W:a>\none\ntwo</W>\n\n<R:b>')).toMatchObject({
      calls: [{ body: 'one\ntwo', block: true }, { arg: 'b' }],
    });
  });

  it.each([
    ['<W:a>one\ntwo</W> three', 'prose'],
    ['<W:a>one\ntwo</W>\nthree', 'prose'],
    ['<W:a>\none\n<W:b>bye</W>\n<R:x>', 'unclosed-body'],
    ['<W:a>\none\n<W:b>\nbye</W>\n<R:x>', 'unclosed-body'],
    ['<W:a>\none</W:b>\n<R:x>', 'unclosed-body'],
  ])('does not end where its closing tag may be text: %j', (text, code) => {
    const { calls, problems } = read(text);
    expect(calls.filter(({ arg }) => arg === 'a')).toEqual([]);
    expect(problems[0]?.code ?? 'prose').toBe(code);
  });

  it('is not begun by a mention whose closing tag belongs to another', () => {
    expect(read('<W:a> opens a file.\n<W:b>\nx\n</W>')).toMatchObject({
      calls: [{ arg: 'b' }],
      problems: [],
      prose: '<W:a> opens a file.',
    });
  });
});

describe('a broken write', () => {
  it.each([
    ['<R:z>\n<W:a>\nhello\n\n<W:b>\nbye\n</W>\n<R:q>', 'unclosed-body'],
    ['<R:z>\n<W:a>\n<R:q>', 'unclosed-body'],
    ['<R:z>\n<W:a>\ntext</W> and more\n<R:q>', 'unclosed-body'],
    ['<R:z>\n<tasks.W:a>\n<R:q>', 'unclosed-body'],
    ['<R:z>\n<W:>\n<R:q>', 'empty-arg'],
    ['<R:z>\n<W:a<b>>\n<R:q>', 'bad-arg'],
    ['<R:z>\n<W:a>b>\n<R:q>', 'bad-arg'],
  ])('ends the scan: %j', (text, code) => {
    expect(read(`Hi\n${text}`)).toMatchObject({ calls: [{ arg: 'z' }], problems: [{ code, line: 3 }], prose: 'Hi' });
  });

  it.each([
    ['<W:>\nx\n<R:a>\n</W>', 'empty-arg'],
    ['<W:""></W>', 'empty-arg'],
    ['<W:a<b>>\nx\n<R:a>\n</W>', 'bad-arg'],
    ['<W:a<b>>text</W>', 'bad-arg'],
  ])('that is closed is left out, and the scan continues: %j', (text, code) => {
    expect(read(`${text}\n<R:q>`)).toMatchObject({ calls: [{ arg: 'q' }], problems: [{ code, line: 1 }], prose: '' });
  });

  it('inside another body is text', () => {
    const body = '<W:a<b>>\n<W:x';
    expect(callsOf(`<W:a>\n${body}\n</W>`)).toMatchObject([{ body }]);
  });
});

describe('an edit', () => {
  it('without a closing tag only looks', () => {
    expect(callsOf('<E:a.py>\n<E:a.py:1-5>')).toEqual([
      { verb: 'edit', arg: 'a.py' },
      { verb: 'edit', arg: 'a.py:1-5' },
    ]);
  });

  it('with one changes', () => {
    expect(callsOf('<E:f.py:10-15>\nnew stuff\n</E>')).toMatchObject([
      { arg: 'f.py:10-15', body: 'new stuff', block: true },
    ]);
    expect(callsOf('<E:lib.core.a>\ncode\n</E>')).toMatchObject([{ arg: 'lib.core.a', body: 'code' }]);
    expect(callsOf('<E:a:1-5>\n</E>')).toMatchObject([{ body: '', block: true }]);
    expect(callsOf('<E:a:1-5>new</E>')).toMatchObject([{ body: 'new', block: false }]);
  });

  it('with an empty body on its line only looks', () => {
    expect(callsOf('<E:a:1-5></E>')).toEqual([{ verb: 'edit', arg: 'a:1-5' }]);
    expect(read('<E:a:1-5></E>').problems).toMatchObject([
      {
        code: 'empty-arg',
        message:
          '<E:a:1-5> with an empty body on its line only shows these lines; nothing was changed. To delete them, put </E> on a line of its own below the tag.',
      },
    ]);
    expect(read('<E:a></E>\n<E:a old="x" new=""></E>\n<E:a:1-5>').problems).toEqual([]);
  });

  it('that looks stays one in front of an edit that changes', () => {
    expect(read('<E:a.py:1-5>\n\nsome prose\n<E:b.py:1-2>\nnew\n</E>')).toMatchObject({
      calls: [{ arg: 'a.py:1-5' }, { arg: 'b.py:1-2', body: 'new' }],
      prose: 'some prose',
    });
    expect(callsOf('<E:a.py:1-5>')[0]).not.toHaveProperty('body');
  });

  it('that looks is not closed by the labelled closing tag of another', () => {
    expect(callsOf('<E:a:1-5>\n<E:b:1-2>\nuse </E>\n</E>\nx\n</E:b:1-2>')).toEqual([
      { verb: 'edit', arg: 'a:1-5' },
      { verb: 'edit', arg: 'b:1-2', body: 'use </E>\n</E>\nx', block: true },
    ]);
  });

  it('without an argument is left out with its body', () => {
    expect(read('<E:>\n<R:x>\n</E>\n<R:b>')).toMatchObject({
      calls: [{ arg: 'b' }],
      problems: [{ code: 'empty-arg', line: 1 }],
    });
  });
});

describe('a custom tool', () => {
  it('takes a body of either form, or none', () => {
    expect(callsOf('<create_issue:title="Login fails">\n{"labels":["a"]}\n</create_issue>')).toEqual([
      { verb: 'create_issue', arg: 'title="Login fails"', body: '{"labels":["a"]}', block: true },
    ]);
    expect(callsOf('<done:7>all of it</done>')).toEqual([{ verb: 'done', arg: '7', body: 'all of it', block: false }]);
    expect(callsOf('<done:7>\ntext\n<Done:8>\nbody\n</Done>')).toEqual([
      { verb: 'done', arg: '7' },
      { verb: 'done', arg: '8', body: 'body', block: true },
    ]);
  });

  it('is closed by its own closing tag alone', () => {
    expect(callsOf('<done:7>\n</W>\n<create_issue:x>\n</create_issue>\n</done:7>')).toEqual([
      { verb: 'done', arg: '7', body: '</W>\n<create_issue:x>\n</create_issue>', block: true },
    ]);
  });

  it('may be called like the run block', () => {
    expect(read('<run:tests>\nbody\n</run>\n<run>1</run>')).toMatchObject({
      calls: [{ verb: 'run', arg: 'tests', body: 'body' }],
      runs: ['1'],
    });
  });

  it('is a problem when its argument has < or > in it', () => {
    const text = '<create_issue:title=a > b>\n<R:inside>\n</create_issue>\n<R:after>';
    expect(read(text)).toMatchObject({ calls: [{ arg: 'after' }], problems: [{ code: 'bad-arg', line: 1 }] });
    expect(read('<done:a->b>\n<R:after>')).toMatchObject({
      calls: [{ arg: 'after' }],
      problems: [{ code: 'bad-arg' }],
    });
  });
});

describe('a qualified name', () => {
  it.each(['</W>', '</write>', '</tasks.W>', '</tasks.write>', '</tasks.W:x>', '</W:x>'])(
    'is closed by %s',
    (closing) => {
      expect(callsOf(`<tasks.write:x>\nbody\n${closing}`)).toEqual([
        { verb: 'write', arg: 'x', body: 'body', block: true, space: 'tasks' },
      ]);
    },
  );

  it('nests with plain names of its verb', () => {
    expect(callsOf('<W:a>\n<tasks.W:b>\nx\n</W>\n</W>')).toMatchObject([{ arg: 'a', body: '<tasks.W:b>\nx\n</W>' }]);
  });

  it('may name a custom tool', () => {
    expect(callsOf('<github.create_issue:x>\nb\n</github.create_issue>')).toEqual([
      { verb: 'create_issue', arg: 'x', body: 'b', block: true, space: 'github' },
    ]);
  });
});

describe('a closing tag with the path of its tag alone', () => {
  it.each([
    ['<E:a.md:2>x</E:a.md>', 'a.md:2', 'x'],
    ['<E:a.md:2-3>\nx\ny\n</E:a.md>', 'a.md:2-3', 'x\ny'],
    ['<E:a.md:2>x\ny</E:a.md>', 'a.md:2', 'x\ny'],
    ['<E:a.md old="b">\nc\n</E:a.md>', 'a.md old="b"', 'c'],
  ])('closes %j', (text, arg, body) => {
    expect(parse(asModelText(text))).toMatchObject({ calls: [{ arg, body }], problems: [], prose: '' });
  });

  it('closes only the nearest tag, and no view before it', () => {
    const { calls } = parse(asModelText('<E:a.md:5>\n<E:a.md:2>\nx\n</E:a.md>\n<E:b.md:1>\ny\n</E>'));
    expect(calls.map(({ arg, body }) => [arg, body])).toEqual([
      ['a.md:5', undefined],
      ['a.md:2', 'x'],
      ['b.md:1', 'y'],
    ]);
  });

  it('is text where a closing tag without a label follows', () => {
    const { calls } = parse(asModelText('<E:a.md:2>\nx\n</E:a.md>\ny\n</E>'));
    expect(calls).toMatchObject([{ body: 'x\n</E:a.md>\ny' }]);
  });

  it.each(['<E:a.md:2>x</E:b.md>', '<E:a.md:2>x</E:2>'])('is asked for where another stands: %j', (text) => {
    const { calls, problems } = parse(asModelText(`<R:a.md>\n${text}\n<R:b.md>`));
    expect(calls.map(({ arg }) => arg)).toEqual(['a.md']);
    expect(problems).toMatchObject([{ code: 'unclosed-body', line: 2 }]);
  });
});
