import { describe, expect, it } from 'vitest';
import { MemoryTerminal } from '../../test/memory-terminal.ts';
import { sampleRequest, secretRequest } from '../../test/sample-request.ts';
import { LineReader } from '../terminal/line-reader.ts';
import type { ReadLine } from '../terminal/line-source.ts';
import { askAtTerminal } from './ask-at-terminal.ts';

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
  const reply = (request = sampleRequest()) => ask(request, new AbortController().signal);
  return { terminal, prompts, interrupts: () => interrupts, reply };
}

describe('askAtTerminal', () => {
  it('shows what is to be run and takes one of its answers', async () => {
    const { terminal, prompts, reply } = setUp('y', 'a', 'n');
    expect([await reply(), await reply(), await reply()]).toEqual([
      { decision: 'allow' },
      { decision: 'allow', remember: 'tool' },
      { decision: 'deny' },
    ]);
    expect(terminal.out.text.split('\n').slice(0, 2)).toEqual([
      '? <W:a.txt> in home changes something here:',
      '  path: a.txt',
    ]);
    expect(prompts[0]).toBe('run it? y = yes, a = always write in home, n = no: ');
  });

  it('offers the folder where the file is in one', async () => {
    const { prompts, reply } = setUp('f', ' FOLDER ');
    const inFolder = sampleRequest({ target: 'docs/guide/a.md' });
    expect([await reply(inFolder), await reply(inFolder)]).toEqual([
      { decision: 'allow', remember: 'target' },
      { decision: 'allow', remember: 'target' },
    ]);
    expect(prompts[0]).toBe('run it? y = yes, a = always write in home, f = always write below docs/guide/, n = no: ');
  });

  it('takes f for an answer only where it is one', async () => {
    const { prompts, reply } = setUp('f', 'n');
    expect(await reply()).toEqual({ decision: 'deny' });
    expect(prompts).toHaveLength(2);
  });

  it('remembers a secret for its file only', async () => {
    const { prompts, reply } = setUp('a', 'f', 'n');
    const secret = secretRequest({ target: 'deploy/.env' });
    expect(await reply(secret)).toEqual({ decision: 'allow', remember: 'target' });
    expect(await reply(secret)).toEqual({ decision: 'deny' });
    expect(prompts[0]).toBe('run it? y = yes, a = always for deploy/.env, n = no: ');
  });

  it('shows the whole change for d, and asks again', async () => {
    const { terminal, prompts, reply } = setUp('d', 'y');
    const diff = Array.from({ length: 40 }, (_, index) => `+line ${index + 1}`).join('\n');
    expect(await reply(sampleRequest({ preview: async () => diff }))).toEqual({ decision: 'allow' });
    expect(prompts).toEqual(Array(2).fill('run it? y = yes, a = always write in home, n = no, d = the whole change: '));
    const lines = terminal.out.text.trimEnd().split('\n');
    expect([lines[20], lines[21], lines[22], lines.at(-1)]).toEqual([
      '  +line 20',
      '  … 20 more lines',
      '  +line 1',
      '  +line 40',
    ]);
  });

  it('asks although the tool cannot show what would change', async () => {
    const { terminal, reply } = setUp('y');
    const preview = () => Promise.reject(new RangeError('a.txt has 1 line.'));
    expect(await reply(sampleRequest({ preview }))).toEqual({ decision: 'allow' });
    expect(terminal.out.text).toContain('  it would fail: RangeError: a.txt has 1 line.\n');
  });

  it('asks again until it understands', async () => {
    const { prompts, reply } = setUp('', 'sure', 'ja', 'yes');
    expect(await reply()).toEqual({ decision: 'allow' });
    expect(prompts).toHaveLength(4);
  });

  it('takes the end of the input for no', async () => {
    const { interrupts, reply } = setUp({ kind: 'end' });
    expect(await reply()).toEqual({ decision: 'deny' });
    expect(interrupts()).toBe(0);
  });

  it('takes Ctrl-C for no, and for stopping everything', async () => {
    const { interrupts, reply } = setUp({ kind: 'interrupt' });
    expect(await reply()).toEqual({ decision: 'deny' });
    expect(interrupts()).toBe(1);
  });

  it('gives the question up when the turn is cancelled', async () => {
    const terminal = new MemoryTerminal({ interactive: true });
    const reader = new LineReader(terminal);
    const ask = askAtTerminal({ terminal, reader, onInterrupt: () => undefined });
    const turn = new AbortController();
    const reply = ask(sampleRequest(), turn.signal);
    await expect.poll(() => terminal.out.text).toContain('? <W:a.txt>');
    turn.abort();
    expect(await reply).toEqual({ decision: 'deny' });
    reader.close();
  });

  it('does not ask any more when the turn was cancelled while it looked at the change', async () => {
    const { terminal, prompts } = setUp('y');
    const turn = new AbortController();
    const ask = askAtTerminal({ terminal, reader: { fresh: async () => ({ kind: 'end' }) }, onInterrupt() {} });
    const preview = async () => {
      turn.abort();
      return '+x';
    };
    expect(await ask(sampleRequest({ preview }), turn.signal)).toEqual({ decision: 'deny' });
    expect([terminal.out.text, prompts]).toEqual(['', []]);
  });
});
