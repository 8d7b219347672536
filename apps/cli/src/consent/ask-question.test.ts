import { expect, describe, it } from 'vitest';
import { MemoryOutput, openMemoryTerminal } from '../../test/memory-terminal.ts';
import type { ReadLine } from '../terminal/piped-input.ts';
import { askQuestionAtTerminal, readAnswer, type AskQuestion } from './ask-question.ts';

const { signal } = new AbortController();

/** Asks with these lines typed. */
async function ask(fields: Parameters<AskQuestion>[0]['fields'], ...typed: readonly (string | ReadLine)[]) {
  const terminal = openMemoryTerminal({ interactive: true });
  const ahead = [...typed];
  const prompts: string[] = [];
  let interrupts = 0;
  const fresh = async (prompt: string): Promise<ReadLine> => {
    prompts.push(prompt);
    const next = ahead.shift() ?? { kind: 'end' };
    return typeof next === 'string' ? { kind: 'line', text: next } : next;
  };
  const put = askQuestionAtTerminal({ terminal, reader: { fresh, onInterrupt: () => interrupts++ } });
  const answers = await put({ text: 'Where to?\u001B[2J\nSay.', fields, space: 'box', tool: 'book' }, signal);
  return { answers, prompts, interrupts, shown: terminal.out.text };
}

describe('a page that a tool wants opened', () => {
  it.each([
    ['https://docs.example/?at=docs.example', 'https://«docs.example»/?at=docs.example'],
    ['https://bank.example@docs.example:8443/', 'https://bank.example@«docs.example:8443»/'],
  ])('%s is shown whole, with its host marked', async (url, shown) => {
    const terminal = openMemoryTerminal({ interactive: true });
    const fresh = async (): Promise<ReadLine> => ({ kind: 'line', text: 'yes' });
    const out = new MemoryOutput({ color: true });
    const put = askQuestionAtTerminal({
      terminal: { ...terminal, out },
      reader: { fresh, onInterrupt: () => undefined },
    });
    const fields = { accept: { type: 'boolean' } } as const;
    expect(await put({ text: `Open it:\n${url}`, url, fields, space: 'box', tool: 'log_in' }, signal)).toEqual({
      accept: true,
    });
    expect(out.text).toContain(`  ${shown.replace('«', '\u001B[1m').replace('»', '\u001B[0m')}\n`);
  });
});

describe('a question of a tool', () => {
  it('says who asks, shows no codes, and takes the fields one after the other', async () => {
    const { answers, prompts, shown } = await ask(
      {
        city: { type: 'string', oneOf: ['Bern', 'Rome'], description: 'the city' },
        nights: { type: 'integer', default: 2 },
        pets: { type: 'boolean', optional: true },
        quiet: { type: 'boolean', default: false },
        note: { type: 'string' },
      },
      'Paris',
      'Rome',
      '',
      '',
      '',
      '',
      'none',
    );
    expect(shown).toBe(
      '? box (book) asks you:\n  Where to?␛[2J\n  Say.\n  Bern or Rome; - answers nothing.\n  a text; - answers nothing.\n',
    );
    expect(prompts).toEqual([
      'city, the city (Bern or Rome): ',
      'city, the city (Bern or Rome): ',
      'nights (a whole number, Enter for 2): ',
      'pets (yes or no, Enter for none): ',
      'quiet (yes or no, Enter for no): ',
      'note (a text): ',
      'note (a text): ',
    ]);
    expect(answers).toEqual({ city: 'Rome', nights: 2, quiet: false, note: 'none' });
  });

  it('is declined by a lone -, and dismissed by Ctrl-C and Ctrl-D', async () => {
    const fields = { a: { type: 'string' } } as const;
    expect((await ask(fields, '-')).answers).toBeUndefined();
    for (const typed of [{ kind: 'end' }, { kind: 'interrupt', isRepeated: false }] as const)
      await expect(ask(fields, typed)).rejects.toThrow('book asks a question, and the user dismissed it');
  });
});

describe('readAnswer', () => {
  it.each([
    ['yes', 'boolean', true],
    ['N', 'boolean', false],
    ['maybe', 'boolean', undefined],
    ['12', 'integer', 12],
    ['1.5', 'integer', undefined],
    ['1.5', 'number', 1.5],
    ['many', 'number', undefined],
    ['', 'string', undefined],
    ['x', 'string', 'x'],
  ] as const)('takes %j as a %s for %j', (typed, type, answer) => {
    expect(readAnswer(typed, { type })).toBe(answer);
  });
});
