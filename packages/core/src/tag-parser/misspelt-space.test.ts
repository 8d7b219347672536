import { describe, expect, it } from 'vitest';
import { asModelText } from '../protocol/model.ts';
import type { ParseOptions } from './names.ts';
import { parse } from './parse.ts';

const KNOWN: ParseOptions = {
  spaces: new Set(['source', 'tasks']),
  tools: new Set(['done']),
  misspeltSpaces: 'problem',
};

function read(text: string, options: ParseOptions = KNOWN) {
  const { calls, problems, prose } = parse(asModelText(text), options);
  return { calls: calls.map(({ verb, arg }) => `${verb} ${arg}`), problems: problems.map((one) => one.message), prose };
}

describe('a misspelt space', () => {
  it.each([
    ['<sorce.R:math>', "no tool 'sorce.R'. Did you mean source.R? Type <source.R:math>."],
    ['<Source.read:math>', "no tool 'Source.read'. Did you mean source.read? Type <source.read:math>."],
    ['<sorce.tests.G:*.ts>', "no tool 'sorce.tests.G'. Did you mean source.tests.G? Type <source.tests.G:*.ts>."],
    ['<task.done:7>', "no tool 'task.done'. Did you mean tasks.done? Type <tasks.done:7>."],
    ['<sorce.W:a>x</sorce.W>', "no tool 'sorce.W'. Did you mean source.W? Type <source.W:a>."],
  ])('of %s is a problem, and its line stays in the text', (tag, message) => {
    const text = `before\n${tag}\nafter`;
    expect(read(text)).toEqual({ calls: [], problems: [message], prose: text });
  });

  it.each(['sorce', 'hoem', 'task.old'])('of a move is one all the same, which will fail: @%s()', (place) => {
    for (const after of ['', '\n', '\n<R:a>', '\n\nand so on'])
      expect(read(`before\n@${place}()${after}`).calls[0]).toBe(`go ${place}`);
  });

  it('keeps what stands up to the closing tag from being executed', () => {
    expect(read('<sorce.W:a>\n<R:inside>\n</sorce.W>\n<R:after>')).toMatchObject({ calls: ['read after'], prose: '' });
  });

  it.each([
    'I would use <sorce.R:math> here',
    '- <sorce.R:math>',
    '```\n<sorce.R:math>\n```',
    '\\<sorce.R:math>',
    '<other.R:math>',
    '<sorce.raed:math>',
    '<sorce.frobnicate:math>',
    '<sorce..R:math>',
    '<.R:math>',
    'first @sorce() then',
    '```\n@sorce()\n```',
    '@property()',
    '@sorce()\nclass A {}',
    '@sorce()\n  @tasc()\ndef a():',
    '@sorce',
    '@sorce(1)',
    '@.sorce()',
  ])('is not seen in %j', (text) => {
    expect(read(`<R:z>\n${text}`)).toMatchObject({ calls: ['read z'], problems: [], prose: text.replace(/^\\/, '') });
  });

  it('is prose unless the option makes it a problem', () => {
    const { spaces = [], tools = [] } = KNOWN;
    const known = { spaces: new Set(spaces), tools: new Set(tools) };
    for (const options of [known, { ...known, misspeltSpaces: 'prose' as const }])
      for (const prose of ['<sorce.R:math>', '@sorce()'])
        expect(read(`<R:z>\n${prose}`, options)).toEqual({ calls: ['read z'], problems: [], prose });
  });
});
