import { describe, expect, it } from 'vitest';
import { asModelText } from '../protocol/model.ts';
import type { ParseOptions } from './names.ts';
import { parse } from './parse.ts';

const KNOWN: ParseOptions = {
  spaces: new Set(['source', 'tasks', 'github']),
  tools: new Set(['done', 'create_issue', 'search']),
};

/** The calls of a text as `verb arg`, with the space in front of a qualified one. */
function callsOf(text: string, options: ParseOptions = KNOWN): string[] {
  const { calls } = parse(asModelText(text), options);
  return calls.map(({ verb, arg, space }) => (space === undefined ? `${verb} ${arg}` : `${space}.${verb} ${arg}`));
}

function problemsOf(text: string): string[] {
  return parse(asModelText(text), KNOWN).problems.map(({ code, line }) => `${code} ${line}`);
}

describe('names of tags', () => {
  it.each([
    ['<R:a>', 'read a'],
    ['<read:a>', 'read a'],
    ['<READ:a>', 'read a'],
    ['<W:a></W>', 'write a'],
    ['<Write:a></w>', 'write a'],
    ['<e:a>', 'edit a'],
    ['<Edit:a>', 'edit a'],
    ['<g:a>', 'glob a'],
    ['<GLOB:src/**/*.ts>', 'glob src/**/*.ts'],
    ['<grep:a>', 'grep a'],
    ['<done:7>', 'done 7'],
    ['<Done:7>', 'done 7'],
    ['<Create_issue:x>', 'create_issue x'],
    ['<source.read:core.router>', 'source.read core.router'],
    ['<tasks.R:7>', 'tasks.read 7'],
    ['<source.meta.Grep:a b>', 'source.meta.grep a b'],
    ['<github.create_issue:x>', 'github.create_issue x'],
    ['<source.frobnicate:x>', 'source.frobnicate x'],
    ['<github.Create_issue:x>', 'github.create_issue x'],
    ['<github.search>', 'github.search '],
    ['<github.search>\n\nThat is all.', 'github.search '],
    ['<source.read>\n<target>core</target>\n</source.read>', 'source.read core'],
    ['<R>', 'read '],
  ])('reads %s as %s', (text, call) => {
    expect(callsOf(text)).toEqual([call]);
  });

  it.each([
    '<Result: 42>',
    '<Reader:x>',
    '<Gr:y>',
    '<foo.read:x>',
    '<.read:x>',
    '<source..read:x>',
    '<constructor:x>',
    '<toString:x>',
    '<source.md>',
    '<foo.search>',
    'as <github.search> does',
    '< R:a>',
    '<R :a>',
    '<:a>',
    '<div class="a:b">',
  ])('takes %s for prose', (text) => {
    expect(parse(asModelText(`<R:a>\n${text}`), KNOWN)).toMatchObject({
      calls: [{ arg: 'a' }],
      runs: [],
      problems: [],
      prose: text,
    });
  });

  it.each([
    ['<search>', '<search:>'],
    ['<done>', '<done:>'],
    ['<Read>', '<R:src/app.ts>'],
  ])('says next to calls that %s is none', (text, tag) => {
    const { calls, problems, prose } = parse(asModelText(`<R:a>\n${text}`), KNOWN);
    expect(calls).toHaveLength(1);
    expect(problems).toMatchObject([{ line: 2, message: expect.stringContaining(`has no colon`) }]);
    expect(problems[0]!.message).toContain(`Write ${tag}.`);
    expect(prose).toBe(text);
  });

  it('takes elements that are closed, and those in code, for what they are', () => {
    for (const text of ['<search>\nwords\n</search>', '```html\n<search>\n```', 'a <search> of all'])
      expect(parse(asModelText(`<R:a>\n${text}`), KNOWN).problems).toEqual([]);
  });

  it('knows no custom tool and no space by default', () => {
    expect(callsOf('<done:7>\n<source.read:a>\n@source()', {})).toEqual([]);
  });

  it('asks for known names without listing them', () => {
    const asked: string[] = [];
    const tools = {
      has: (name: string) => asked.push(name) > 0 && name === 'done',
      [Symbol.iterator]: (): Iterator<string> => {
        throw new Error('listed');
      },
    };
    expect(callsOf('<done:1>\n<done:2>\n<R:x>', { tools })).toEqual(['done 1', 'done 2', 'read x']);
    expect(asked).toEqual(['done']);
  });
});

describe('misspelt names', () => {
  it('are not looked for when they are longer than any name', () => {
    const asked: string[] = [];
    const tools = { has: (name: string) => asked.push(name) < 0, *[Symbol.iterator]() {} };
    parse(asModelText(`<${'a'.repeat(300)}:x>\n<b:x>`), { tools });
    expect(asked.filter((name) => name.length > 256)).toEqual([]);
  });

  it('names the tool that was meant', () => {
    expect(parse(asModelText('ok\n<serch:foo>\nbye'), KNOWN)).toEqual({
      calls: [],
      runs: [],
      problems: [
        { code: 'unknown-tool', line: 2, message: "no tool 'serch'. Did you mean search? Type <search:foo>." },
      ],
      prose: 'ok\n<serch:foo>\nbye',
    });
  });

  it.each(['<serach:foo>', '<DONE:7>', '<Wirte:a>', '<github.create_isue:x>', '<serach:a>text</serach>'])(
    'reports %s',
    (text) => {
      expect(problemsOf(text)).toEqual(['unknown-tool 1']);
    },
  );

  it('executes nothing between a misspelt tag and its closing tag', () => {
    expect(callsOf('<Wirte:a>\n<R:inside>\n</Wirte>\n<R:after>')).toEqual(['read after']);
  });

  it('compares only so many names of one text', () => {
    let listed = 0;
    const tools = {
      has: () => false,
      *[Symbol.iterator]() {
        listed++;
        yield 'search';
      },
    };
    const text = Array.from({ length: 500 }, (_, index) => `<name${index}:x>`).join('\n');
    parse(asModelText(text), { tools });
    expect(listed).toBe(64);
  });
});

describe('a tag on its line', () => {
  it('may have blanks around it', () => {
    expect(callsOf('\t <R:a.py>  \n\n\n   <G:*.md>')).toEqual(['read a.py', 'glob *.md']);
  });

  it.each([
    'some text <R:foo.py> more text',
    '- <R:a.py>',
    '> <R:b.py>',
    '1. <G:*.ts>',
    '`<R:c.py>`',
    '| <R:a> | <R:b> |',
    '<R:a.py> see <b>',
    '<E:a.py> see <b>',
    '<R:a>b>',
    '<R:a>text</R>',
    '<W:a> is how a file is written',
    '\u00a0<R:a>',
  ])('is prose in %j', (text) => {
    expect(parse(asModelText(`<R:z>\n${text}`), KNOWN)).toMatchObject({
      calls: [{ arg: 'z' }],
      runs: [],
      problems: [],
      prose: text,
    });
  });

  it.each(['<R:a<b>', '<R:a\nb.py>', '<E:a.ts old="x', '<G:src/**'])('without an end is a problem in %j', (text) => {
    expect(problemsOf(text)).toEqual(['bad-arg 1']);
  });

  it.each([
    ['<Grep:Array<T>>', ['grep Array<T>']],
    ['<Grep:a->b>', ['grep a->b']],
    ['<Grep:(x) => x >= y>', ['grep (x) => x >= y']],
    ['<Grep:<div>>', ['grep <div>']],
    ['<Grep:<R:a> <R:b>>', ['grep <R:a> <R:b>']],
    ['<tasks.grep:a<b>', ['tasks.grep a<b']],
    ['<Grep:Array<T>></Grep>', ['grep Array<T>']],
    ['<Grep:x></grep>', ['grep x']],
  ])('lets the pattern of %s run to the last >', (text, calls) => {
    expect(callsOf(text)).toEqual(calls);
  });

  it.each([
    ['<R:a.py> <R:b.py>', ['read a.py', 'read b.py']],
    ['<R:a.py><Grep:def main><E:c.py:1-3>', ['read a.py', 'grep def main', 'edit c.py:1-3']],
    ['<R:a>\t<Grep:x<y>', ['read a', 'grep x<y']],
    ['<Grep:a><Grep:b<c>>', ['grep a', 'grep b<c>']],
    ['<Grep:x><R:b> c>', ['grep x><R:b> c']],
    ['<R:a></R> <R:b></R>', ['read a', 'read b']],
    ['<done:7> <done:8>', ['done 7', 'done 8']],
    ['<E:a:1-5></E> <R:b>', ['edit a:1-5', 'read b']],
  ])('may share it with other tags: %s', (text, calls) => {
    expect(callsOf(text)).toEqual(calls);
  });

  it('has its line and its spelling', () => {
    const { calls } = parse(asModelText('one\n <Write:notes.md>\nx\n</W>\n<R:b.py /> <R:c>'));
    expect(calls.map(({ line, tag }) => [line, tag])).toEqual([
      [2, '<Write:notes.md>'],
      [5, '<R:b.py />'],
      [5, '<R:c>'],
    ]);
  });
});

describe('arguments', () => {
  it.each([
    ['<R:"my file.txt">', 'read my file.txt'],
    ["<R:'a b'>", 'read a b'],
    ['<R:`a b`>', 'read a b'],
    ['<R:"a" "b">', 'read "a" "b"'],
    ['<R:">', 'read "'],
    ['<R:b.py />', 'read b.py'],
    ['<R:"b.py" />', 'read b.py'],
    ['<R:src/>', 'read src/'],
    ['<R:  a.py\t>', 'read a.py'],
    ['<R:>', 'read '],
    ['<R: >', 'read '],
    ['<done:>', 'done '],
    ['<source.read:>', 'source.read '],
    ['<Grep:"naïve 😀">', 'grep "naïve 😀"'],
    ['<Grep: "a" src />', 'grep "a" src /'],
    ['<R:dócs/日本語.md>', 'read dócs/日本語.md'],
    ['<R:a></R>', 'read a'],
    ['<create_issue:title="Login fails">', 'create_issue title="Login fails"'],
  ])('are cleaned in %s', (text, call) => {
    expect(callsOf(text)).toEqual([call]);
  });

  it.each(['<G: >', '<Grep:>', '<E:>', '<W:></W>', '<G:"">'])('may not be missing in %s', (text) => {
    expect(problemsOf(`${text}\n<R:a>`)).toEqual(['empty-arg 1']);
    expect(callsOf(`${text}\n<R:a>`)).toEqual(['read a']);
  });
});

describe('moves', () => {
  it('are mentions of a known place alone on a line', () => {
    const text = '@source.meta()\n @home()\n@back()\n@up()\n@nav()';
    expect(callsOf(text)).toEqual(['go source.meta', 'go home', 'go back', 'go up', 'go nav']);
    expect(parse(asModelText('@source.meta()'), KNOWN).calls[0]?.tag).toBe('@source.meta()');
  });

  it('may be in angle brackets', () => {
    expect(callsOf('<@source>\n<R:a>\n<@source.meta()>\n<@home()>')).toEqual([
      'go source',
      'read a',
      'go source.meta',
      'go home',
    ]);
  });

  it.each([
    '<@sourcex()>',
    '<@property>',
    '@property()',
    'source()',
    '@source',
    '@source() now',
    'see @source()',
    '@source.()',
    '@sourcex()',
    '@()',
  ])('are not seen in %s', (text) => {
    expect(parse(asModelText(`<R:z>\n${text}`), KNOWN)).toMatchObject({
      calls: [{ arg: 'z' }],
      problems: [],
      prose: text,
    });
  });

  it('to a place that does not exist are moves that fail when a call follows', () => {
    expect(callsOf('@billing()\n<W:x>\na\n</W>')).toEqual(['go billing', 'write x']);
    expect(callsOf('<R:a>\n@billing()')).toEqual(['read a']);
    expect(callsOf('@Injectable()\nexport class A {}\n<R:a>')).toEqual(['read a']);
    expect(problemsOf('@billing()')).toEqual(['looks-like-call 1']);
  });
});

describe('lines', () => {
  it('may end with a carriage return, which is dropped', () => {
    expect(parse(asModelText('\uFEFFHi\r\n<R:a>\r\n<W:b>\r\nx\r\n\r\ny\r\n</W>\r\nbye\r'))).toMatchObject({
      calls: [{ arg: 'a' }, { arg: 'b', body: 'x\n\ny' }],
      prose: 'Hi\nbye',
    });
  });

  it('beginning with \\< are prose without the backslash', () => {
    expect(parse(asModelText('\\<R:a.py>\n  \\<b>\nx \\<R:b>'))).toMatchObject({
      calls: [],
      prose: '<R:a.py>\n  <b>\nx \\<R:b>',
    });
  });
});

describe('prose', () => {
  it.each([
    ['First.\n<R:a.py>\nthen\n<W:b.txt>\nx\n</W>\n<R:b.txt>', 'First.\nthen'],
    ['First.\n\n<R:a>\n\nthen', 'First.\n\nthen'],
    ['a\n\n\n\nb\n  \n \t\nc\n \nd', 'a\n\nb\n\nc\n \nd'],
    ['\n\n  a\n\n', 'a'],
    ['<R:a>\n\n\n<R:b>', ''],
    ['a\n</R>\n</W:x>\n</done>\n</tasks.W>\n</run>\nb', 'a\nb'],
    ['a\n</div>\nb', 'a\n</div>\nb'],
    ['```\na\n\n\nb\n```', '```\na\n\nb\n```'],
    ['', ''],
  ])('of %j is %j', (text, prose) => {
    expect(parse(asModelText(text), KNOWN).prose).toBe(prose);
  });

  it('finds nothing in nothing', () => {
    expect(parse(asModelText(''))).toEqual({ calls: [], runs: [], problems: [], prose: '' });
  });
});

describe('a shell command in a tag', () => {
  const read = (text: string) => parse(asModelText(text), { tools: new Set(['sh', 'exec', 'note']) });

  it.each([
    ['<sh:npm test 2>&1 | tail -n 25></sh>', 'npm test 2>&1 | tail -n 25'],
    ['<sh:ls > out.txt></sh>', 'ls > out.txt'],
    ['<sh:ls >> out.txt timeout=5></sh>', 'ls >> out.txt timeout=5'],
    ['<exec:npm test 2>&1>', 'npm test 2>&1'],
    ['<sh:echo two > a.txt; sort < a.txt >> b.txt>', 'echo two > a.txt; sort < a.txt >> b.txt'],
    ['<exec:node -e "[1, 2].filter((a) => a > 1 && a < 3)">', 'node -e "[1, 2].filter((a) => a > 1 && a < 3)"'],
    ["<note:say 'a -> b'>", "say 'a -> b'"],
    ['<sh:ls | wc -l></sh> timeout=300', 'ls | wc -l timeout=300'],
    ['<sh:ls></sh> timeout=300 folder="my src"', 'ls timeout=300 folder="my src"'],
  ])('may redirect, and have its options behind it: %s', (text, arg) => {
    expect(read(text)).toMatchObject({ calls: [{ arg }], problems: [] });
    expect(read(`Run it.\n${text}\n<R:a.ts>`).calls.map((call) => call.arg)).toEqual([arg, 'a.ts']);
  });

  it('has a body if a later line closes it, and other tags beside it', () => {
    const [only, ...others] = read('<sh:cat > a.txt>\n<R:inside>\n</sh>').calls;
    expect(only).toMatchObject({ arg: 'cat > a.txt', body: '<R:inside>' });
    expect(others).toEqual([]);
    expect(read('<exec:echo "a"> <exec:echo "b">').calls.map(({ arg }) => arg)).toEqual(['echo "a"', 'echo "b"']);
    expect(read('<note:a > b>').problems).toMatchObject([
      { code: 'bad-arg', message: expect.stringContaining('lines of its own: <note:>, the text, and </note>.') },
    ]);
  });

  it.each([
    ['<note:title>text > more</note>', 'title', 'text > more'],
    ['<note:title>a <b></note>', 'title', 'a <b>'],
  ])('is not every text with a bracket: %s', (text, arg, body) => {
    expect(read(text).calls).toMatchObject([{ arg, body }]);
  });
});
