import { describe, expect, it } from 'vitest';
import { asModelText } from '../protocol/model.ts';
import { parse } from './parse.ts';

function read(text: string) {
  const { calls, runs, problems, prose } = parse(asModelText(text));
  return {
    calls: calls.map(({ verb, arg }) => `${verb} ${arg}`),
    runs,
    problems: problems.map(({ code, line }) => `${code} ${line}`),
    prose,
  };
}

describe('a run block', () => {
  it.each([
    ['Run:\n<run>\n<R:foo.py>\n</run>\nDone.', ['<R:foo.py>'], 'Run:\nDone.'],
    ['<run>1 + 1</run>', ['1 + 1'], ''],
    ['<run>  1 + 1  </run>', ['1 + 1'], ''],
    ['<RUN>\nx\n</Run>', ['x'], ''],
    ['  <run>\n  x\n  </run>', ['x'], ''],
    ['<run>\n  if (a) {\n    b\n  }\n</run>', ['if (a) {\n  b\n}'], ''],
    ['<run>\n\n  a\n \n  b\n\n</run>', ['a\n\nb'], ''],
    ['<run>if x:\n    y()\n</run>', ['if x:\n    y()'], ''],
    ['<run>\n\ta\n\t\tb\n</run>', ['a\n\tb'], ''],
    ['<run>\n\ta\n  b\n</run>', ['\ta\n  b'], ''],
    ['<run>\nx = 1</run>', ['x = 1'], ''],
    ['<run>\nx\n</run> tail', ['x'], 'tail'],
    ['<run>x</run> tail', ['x'], 'tail'],
    ['<run>x</run> tail\nmore\n<run>y</run>', ['x', 'y'], 'tail\nmore'],
    ['<run>1</run> is one.\nWrite <run>code</run>', ['1'], 'is one.\nWrite <run>code</run>'],
    ['<run>a</run> <run>b</run>', ['a', 'b'], ''],
    ['<run>\nprint("</run>")\nx\n</run>', ['print("</run>")\nx'], ''],
    ['<run>print("</run>")\n</run>', ['print("</run>")'], ''],
    ['<run>print("</run>")</run>', ['print("</run>")'], ''],
    ['<run>\n```\n<W:a>\n</run>', ['```\n<W:a>'], ''],
    ['<run></run>', [], ''],
    ['<run>\n \n\n</run>', [], ''],
    ['<run>a</run>\n<run>\nb\n</run>', ['a', 'b'], ''],
    ['text <run>x</run>', [], 'text <run>x</run>'],
    ['- <run>x</run>', [], '- <run>x</run>'],
  ])('is read in %j', (text, runs, prose) => {
    expect(read(text)).toEqual({ calls: [], runs, problems: [], prose });
  });

  it('without a closing tag ends the scan', () => {
    expect(read('a\n<R:z>\n<run>\n<R:b>\nx </run> y')).toEqual({
      calls: ['read z'],
      runs: [],
      problems: ['unclosed-run 3'],
      prose: 'a',
    });
  });

  it('keeps its closing tag in front of a tail that would be a call', () => {
    const { prose } = read('<run>x</run> <R:a>\n<run>\ny\n</run> ```\n<R:b>\n```');
    expect(prose).toBe('</run> <R:a>\n</run> ```\n```');
    expect(read(prose).calls).toEqual([]);
  });

  it('may be empty of calls to a text around it', () => {
    expect(read('<R:a>\n<run>x</run>\n<R:b>')).toEqual({
      calls: ['read a', 'read b'],
      runs: ['x'],
      problems: [],
      prose: '',
    });
  });
});

describe('a fence', () => {
  it.each([
    'Example:\n```\n<R:foo.py>\n```\ndone',
    '~~~\n<R:x>\n~~~',
    '````\n```\n<R:a>\n```\n````',
    '~~~text\n<R:foo.py>\n```\n~~~',
    '```\n~~~\n<R:x>\n```',
    '```py title="x"\n<W:a>\n```',
    '```\n<run>\nboom()\n</run>\n``````',
    '```\n``` js\n<R:a>\n```',
    '- item\n  ```\n<R:x>\n      ```\nend',
    '```\n{"name":"Read","arguments":{"path":"a"}}\n@home()\n</W>\n\\<R:x>\n```',
    '```\n<tool_call>\n<tool_response>\n```',
  ])('hides what is in it: %j', (text) => {
    expect(read(text)).toEqual({ calls: [], runs: [], problems: [], prose: text });
  });

  it('ends, and what follows is executed', () => {
    expect(read('```\n<R:x>\n```  \n<R:y>\n~~~\n~~~\n<run>z</run>')).toMatchObject({ calls: ['read y'], runs: ['z'] });
  });

  it.each(['``\n<R:x>\n``', '```a`b\n<R:x>', '`` ` ``\n<R:x>', '> ```\n<R:x>'])('is not begun by %j', (text) => {
    expect(read(text).calls).toEqual(['read x']);
  });

  it('that never ends hides the rest', () => {
    expect(read('<R:x.py>\n```py\n<R:a.py>\n')).toEqual({
      calls: ['read x.py'],
      runs: [],
      problems: ['unclosed-fence 2'],
      prose: '```py\n<R:a.py>',
    });
  });

  it.each(['<run>', '<W:a>x</W>', '<R:a> <R:b>', '<W:a> <R:b>', ' <E:a>', '@home()', '<tool_call>'])(
    'that never ends is a problem when the rest holds %s',
    (line) => {
      expect(read(`~~~~\nx\n~~~\n${line}`).problems).toEqual(['unclosed-fence 1']);
    },
  );

  it.each(['', 'text <R:a>', '- <run>', '</W>', '~~~', '\\<R:a>'])(
    'that never ends is fine when it holds %j',
    (line) => {
      expect(read(`\`\`\`\n${line}\nend`).problems).toEqual([]);
    },
  );
});
