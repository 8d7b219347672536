import type { ApprovalRequest } from '@bae/core';
import { describe, expect, it } from 'vitest';
import { MemoryTerminal } from '../../test/memory-terminal.ts';
import type { ReadLine } from '../terminal/line-source.ts';
import { askAtTerminal } from './ask-at-terminal.ts';

const REQUEST: ApprovalRequest = {
  space: 'home',
  tool: 'write',
  effect: 'write',
  tag: '<W:a.txt>',
  args: { path: 'a.txt' },
};

function setUp(...answers: readonly (string | ReadLine)[]) {
  const ahead = answers.map((answer): ReadLine =>
    typeof answer === 'string' ? { kind: 'line', text: answer } : answer,
  );
  const prompts: string[] = [];
  const terminal = new MemoryTerminal({ interactive: true });
  let interrupts = 0;
  const fresh = async (prompt: string): Promise<ReadLine> => {
    prompts.push(prompt);
    return ahead.shift() ?? { kind: 'end' };
  };
  const ask = askAtTerminal({ terminal, reader: { fresh }, onInterrupt: () => interrupts++ });
  return { terminal, prompts, interrupts: () => interrupts, consent: () => ask(REQUEST, new AbortController().signal) };
}

describe('askAtTerminal', () => {
  it('shows what is to be run and takes one of three answers', async () => {
    const { terminal, prompts, consent } = setUp('y', 'a', 'n');
    expect([await consent(), await consent(), await consent()]).toEqual(['once', 'always', 'no']);
    expect(terminal.out.text.split('\n').slice(0, 2)).toEqual([
      '? <W:a.txt> in home changes something here:',
      '  path: a.txt',
    ]);
    expect(prompts[0]).toBe('run it? y = yes, a = always write in home, n = no: ');
  });

  it('asks again until it understands', async () => {
    const { prompts, consent } = setUp('', 'sure', 'ja', 'yes');
    expect(await consent()).toBe('once');
    expect(prompts).toHaveLength(4);
  });

  it('takes the end of the input for no', async () => {
    const { interrupts, consent } = setUp({ kind: 'end' });
    expect(await consent()).toBe('no');
    expect(interrupts()).toBe(0);
  });

  it('takes Ctrl-C for no, and for stopping everything', async () => {
    const { interrupts, consent } = setUp({ kind: 'interrupt' });
    expect(await consent()).toBe('no');
    expect(interrupts()).toBe(1);
  });
});
