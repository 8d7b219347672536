import { setImmediate as untilNextTurn } from 'node:timers/promises';
import { createAgent, type AgentEvent, type AgentOptions, type Model } from '@bae/core';
import { ScriptedModel } from '@bae/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openMemoryTerminal, type MemoryTerminal } from '../../test/memory-terminal.ts';
import { INTERRUPT, lines, type TypedLines } from '../../test/typed-lines.ts';
import { sampleHome, sampleSpaces } from '../../test/sample-spaces.ts';
import type { CommandContext } from '../command-line/command.ts';
import { parseArguments } from '../command-line/options.ts';
import { createApprover } from '../consent/approver.ts';
import { askAtTerminal } from '../consent/ask-approval.ts';
import { openLineReader } from '../terminal/line-reader.ts';
import { runShellLoop } from './shell.ts';

const opened: Bench[] = [];
// What comes together is a paste: the clock of the line editor stands still until the test moves it.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(async () => {
  vi.useRealTimers();
  for (const bench of opened.splice(0)) await bench.end();
  vi.restoreAllMocks();
});

describe('runShellLoop', () => {
  it('moves, and shows where it is in the prompt', async () => {
    const bench = open();
    await bench.type('source()');
    await bench.shows('Entering source');
    await bench.type('meta()');
    await bench.prompts('home > source > meta> ');
    await bench.type('back');
    await bench.prompts('home > source> ');
  });

  it('shows the whole result of a typed tag, and one line for each call of the model', async () => {
    const bench = open({ model: new ScriptedModel(['I look.\n<R:b.txt>', 'It says **b**.']) });
    await bench.type('<R:a.txt>');
    await bench.shows('read a.txt\n');
    await bench.type('What is in b.txt?');
    await bench.shows('[ai:1] It says b.\n');
    expect(bench.terminal.out.text).toBe('read a.txt\n◆ read(b.txt) -> string (1 line)\n[ai:1] It says b.\n');
  });

  it.each([
    ['the model', 'word '.repeat(5000)],
    ['calls', '<R:b.txt>\n'.repeat(500)],
  ])('shows a key that is pressed before 50 more events of a flood of %s', async (_name, text) => {
    let [events, seenAfter] = [0, Infinity];
    const bench = open({
      model: new ScriptedModel([text, 'Done.'], { chunk: 5 }),
      onEvent: () => {
        if (++events === 100) setImmediate(() => void bench.press('x'));
        if (bench.terminal.transcript.text.includes('home> x')) seenAfter = Math.min(seenAfter, events);
      },
    });
    await bench.type('Go on');
    await bench.shows('[ai:1]');
    expect(seenAfter).toBeLessThan(150);
  });

  it('polls the keyboard after at most two events that each take long, as on a slow disk', async () => {
    const eventsByTurn: number[] = [0];
    const countTurn = (): void => {
      eventsByTurn.push(0);
      counting = setImmediate(countTurn);
    };
    let counting = setImmediate(countTurn);
    const bench = open({
      model: new ScriptedModel(['<R:b.txt>\n'.repeat(50), 'Done.']),
      log: { append: () => void vi.advanceTimersByTime(5) },
      onEvent: () => void eventsByTurn[eventsByTurn.length - 1]!++,
    });
    await bench.type('Go on');
    await bench.shows('[ai:1]');
    clearImmediate(counting);
    expect(Math.max(...eventsByTurn)).toBeLessThanOrEqual(2);
    expect(eventsByTurn.reduce((sum, count) => sum + count)).toBeGreaterThan(100);
  });

  it('takes several lines that were pasted for one question', async () => {
    const model = new ScriptedModel(['One answer.', 'Another.']);
    const bench = open({ model });
    await bench.type('Explain this:\r\rwhat is\rin b.txt?');
    await bench.shows('[ai:1] One answer.\n');
    expect(model.sends).toHaveLength(1);
    expect(model.sends[0]?.at(-1)?.text).toMatch(/\nExplain this:\n\nwhat is\nin b\.txt\?$/);
  });

  it('asks nothing when the rest of what was pasted is given up with Ctrl-C', async () => {
    const model = new ScriptedModel(['One answer.']);
    const terminal = openMemoryTerminal({ interactive: true });
    const typed = lines(['Explain this:', INTERRUPT]);
    const source = Object.create(typed, { isPasted: { get: () => typed.left().length > 0 } }) as TypedLines;
    const agent = createAgent({ home: sampleHome, model });
    const { signal } = new AbortController();
    await runShellLoop({
      context: contextOf(terminal, signal),
      agent,
      choice: { model, reason: '' },
      io: { source, print: terminal.out.write, redraw: terminal.out.write },
    });
    expect(model.sends).toHaveLength(0);
  });

  it('takes several lines that were pasted for one piece of code, blank ones included', async () => {
    const bench = open();
    await bench.type('/code');
    await bench.type('const a = 1\r\ra + 1');
    await bench.shows('ran:const a = 1||a + 1\n');
  });

  it('executes several pasted lines of calls one after the other', async () => {
    const bench = open();
    await bench.type('\u001B[200~read("a.txt")\nread("b.txt")\u001B[201~\r');
    await bench.shows('read b.txt\n');
    expect(bench.terminal.out.text).toMatch(/^read a\.txt\nread b\.txt\n/);
  });

  it('asks before a write, and follows the decision', async () => {
    const bench = open();
    await bench.type('<W:a.txt>hello</W>');
    await bench.prompts('run it? y = yes, a = always write in home, n = no: ');
    expect(bench.terminal.out.text).toBe(
      '? <W:a.txt> in home changes something here:\n  path: a.txt\n  content: hello\n',
    );
    await bench.type('what?');
    await bench.type('y');
    await bench.shows('wrote a.txt: hello\n');
    await bench.type('<W:b.txt>hello</W>');
    await bench.type('n');
    await bench.shows('ApprovalError: write was not run: you said no.');
    await bench.type('<W:c.txt>hello</W>');
    await bench.type('a');
    await bench.shows('wrote c.txt: hello\n');
    await bench.type('<W:d.txt>hello</W>');
    await bench.shows('wrote d.txt: hello\n');
  });

  it('does not accept what was typed before as consent', async () => {
    const { promise: typed, resolve } = Promise.withResolvers<void>();
    const bench = open({ model: new ScriptedModel([async () => (await typed, '<W:a.txt>x</W>'), 'Done.']) });
    await bench.type('write it\ry');
    resolve();
    await bench.prompts('run it?');
    await bench.type('n');
    await bench.shows('[ai:1] Done.');
    expect(bench.terminal.out.text).not.toContain('wrote');
  });

  it('cancels a turn with Ctrl-C and continues', async () => {
    const { model, asked } = silent();
    const bench = open({ model });
    await bench.type('think hard');
    await asked;
    await bench.press('\u0003');
    await bench.complains('cancelled ai:1\n');
    await bench.type('<R:a.txt>');
    await bench.shows('read a.txt\n');
  });

  it('opens a menu of what runs while a model writes, which cancels one and leaves the rest', async () => {
    const model = new ScriptedModel([() => new Promise<string>(() => undefined), 'It says b.']);
    const bench = open({ model });
    await bench.type('think hard');
    await bench.type('What is in b.txt?');
    await bench.type('And in c.txt?');
    await bench.type('/tasks');
    await bench.terminal.transcript.shows('› 1  0 s  home  ai:1 think hard');
    await bench.terminal.transcript.shows('  3  0 s        queued: And in c.txt?');
    await bench.press('3');
    await bench.terminal.transcript.shows('cancelled queued: And in c.txt?');
    await bench.press('1');
    await bench.complains('cancelled ai:1\n');
    await bench.shows('[ai:1] It says b.\n');
    expect(model.sends).toHaveLength(2);
  });

  it('stops when Ctrl-C is pressed again before a cancelled turn has come to its end', async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>();
    const bench = open({ model: silent().model, onEvent: () => held });
    await bench.type('think hard');
    await bench.press('\u0003');
    expect(bench.stopped.aborted).toBe(false);
    await bench.press('\u0003');
    expect(bench.stopped.aborted).toBe(true);
    release();
    await bench.finished;
  });

  it('cancels the turn on Ctrl-C at a question', async () => {
    const bench = open({ model: new ScriptedModel(['<W:a.txt>x</W>']) });
    await bench.type('write it');
    await bench.prompts('run it?');
    await bench.press('\u0003');
    await bench.complains('cancelled ai:1\n');
    expect(bench.terminal.out.text).not.toContain('wrote');
  });

  it('reads a body line by line, until Ctrl-C gives it up or its closer comes', async () => {
    const bench = open({ yes: true });
    await bench.type('<W:a.txt>\rnever');
    await bench.press('\u0003');
    await bench.type('<W:b.txt>\rone\r</W>');
    await bench.shows('wrote b.txt: one\n');
    expect(bench.terminal.out.text).not.toContain('a.txt');
  });

  it.each(['exit\r', '\u0004', '\u0003\u0003'])('ends with %j', async (keys) => {
    const bench = open();
    for (const key of keys === 'exit\r' ? [keys] : keys) await bench.press(key);
    await bench.finished;
  });

  it('does not end with the first Ctrl-C, nor with a second one after a line', async () => {
    const bench = open();
    await bench.press('\u0003');
    await bench.complains('Ctrl-C again, or Ctrl-D, leaves.');
    await bench.type('hello?');
    await bench.complains('There is no model to ask.');
    await bench.press('\u0003');
    await bench.type('exit');
    await bench.finished;
  });

  it('shows what can be typed when there is no model', async () => {
    const bench = open();
    await bench.type('hello?');
    await bench.complains('There is no model to ask.');
  });

  it('reports a failing model in a sentence', async () => {
    const bench = open({ model: new ScriptedModel([]) });
    await bench.type('hello?');
    await bench.complains('Try: ');
    expect(bench.terminal.err.text).toMatch(/^bae: .+\nTry: .+\n$/);
  });
});

interface Bench {
  readonly terminal: MemoryTerminal;
  readonly finished: Promise<void>;
  readonly stopped: AbortSignal;
  type(line: string): Promise<void>;
  press(keys: string): Promise<void>;
  shows(text: string): Promise<void>;
  complains(text: string): Promise<void>;
  prompts(text: string): Promise<void>;
  end(): Promise<void>;
}

interface BenchOptions {
  readonly model?: Model;
  readonly yes?: boolean;
  readonly log?: AgentOptions['log'];
  /** Gets every event after the shell; the next one waits for what it returns. */
  readonly onEvent?: (event: AgentEvent) => void | Promise<void>;
}

function open({ model, yes = false, log, onEvent }: BenchOptions = {}): Bench {
  const terminal = openMemoryTerminal({ interactive: true });
  const reader = openLineReader(terminal);
  const stop = new AbortController();
  const ask = askAtTerminal({ terminal, reader });
  const agent = createAgent({
    home: sampleHome,
    spaces: sampleSpaces,
    approver: createApprover({ yes, ask }),
    codeRunner: { run: async (code) => ({ ok: true, output: `ran:${code.trim().replaceAll('\n', '|')}` }) },
    ...(model !== undefined && { model }),
    ...(log !== undefined && { log }),
  });
  const context = contextOf(terminal, stop.signal);
  vi.spyOn(process, 'kill').mockImplementation(() => {
    stop.abort();
    return true;
  });
  const finished = runShellLoop({
    context,
    agent,
    choice: { model, reason: '' },
    io: {
      source: reader,
      print: reader.printAbove,
      redraw: reader.redraw,
      queue: reader.queue,
      openMenu: (menu) => reader.openMenu(menu),
    },
  });
  if (onEvent !== undefined) agent.subscribe(onEvent);
  const press = async (keys: string): Promise<void> => {
    vi.advanceTimersByTime(100);
    terminal.input.write(keys);
    await untilNextTurn();
  };
  const bench: Bench = {
    terminal,
    finished,
    stopped: stop.signal,
    press,
    type: (line) => press(`${line}\r`),
    shows: (text) => terminal.out.shows(text),
    complains: (text) => terminal.err.shows(text),
    prompts: (text) => terminal.screen.own.shows(text),
    end: async () => {
      stop.abort();
      reader.close();
      await finished;
    },
  };
  opened.push(bench);
  return bench;
}

function contextOf(terminal: MemoryTerminal, signal: AbortSignal): CommandContext {
  return { root: '/', positionals: [], options: parseArguments([], []).options, terminal, signal };
}

/** A model that never answers, and when it is asked. */
function silent(): { readonly model: Model; readonly asked: Promise<void> } {
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  const model: Model = {
    name: 'silent',
    async *respond(_, { signal }) {
      resolve();
      await new Promise((done) => {
        signal.addEventListener('abort', done, { once: true });
      });
      yield { type: 'end', reason: 'cancelled' };
    },
  };
  return { model, asked };
}
