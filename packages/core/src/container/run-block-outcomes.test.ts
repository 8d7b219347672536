import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineResourcespace } from '../decorators/resourcespace.ts';
import { tool } from '../decorators/tool.ts';
import type { AgentEvent } from '../protocol/agent-event.ts';
import type { CodeRunner } from '../protocol/code-runner.ts';
import { asModelText, type Model } from '../protocol/model.ts';
import { createDefaultHost, type Host } from '../protocol/host.ts';
import { allowAll } from '../approval/approval-policy.ts';
import { createScriptedModel } from '../../test/scripted-model.ts';
import { createAgent } from './create-agent.ts';

const LINES = Array.from({ length: 2000 }, (_, line) => `line ${line}`).join('\n');

function agentWith(run: CodeRunner['run'], model?: Model, host?: Host) {
  const notes = new Map<string, string>();
  const agent = createAgent({
    approver: allowAll,
    ...(model !== undefined && { model }),
    ...(host !== undefined && { host }),
    codeRunner: { run },
    home: defineResourcespace({
      name: 'files',
      description: 'Files.',
      tools: {
        read: tool('A note.', { target: z.string() }, ({ target }) => {
          const text = notes.get(target);
          if (text === undefined) throw new Error(`no note ${target}`);
          return text;
        }),
        write: tool(
          'How much was written.',
          { target: z.string(), content: z.string() },
          ({ target, content }) => {
            notes.set(target, content);
            return target.startsWith('new ') ? `Wrote ${target}.` : 'Wrote it.';
          },
          { body: 'content' },
        ),
      },
    }),
  });
  const ends: Extract<AgentEvent, { type: 'run-end' }>[] = [];
  agent.subscribe((event) => {
    if (event.type === 'run-end') ends.push(event);
  });
  return { agent, ends };
}

describe('a run block that fails', () => {
  it('has its output cut like any result, and its error whole', async () => {
    const error = `Error: no\n  at line 1\n${'why '.repeat(600)}`;
    const { agent } = agentWith(async () => ({ ok: false, output: `${LINES}\n${error}`, error, errorType: 'Error' }));
    const { feedback } = await agent.run(asModelText('<run>x</run>'));
    expect(feedback).toMatch(
      /line 0\nline 1\n[^]*\n\[… \d+ of 2000 lines left out: <R:result:1:\d+-\d+>\]\n[^]*line 1999\nError: no\n/,
    );
    expect(feedback).toContain(error);
    expect(feedback.length).toBeLessThan(2400 + error.length);
  });

  it('has a line between the two, and none that is empty', async () => {
    const { ends, agent } = agentWith(async () => ({ ok: false, output: 'one\nError: no', error: 'Error: no' }));
    await agent.run(asModelText('<run>x</run>'));
    expect(ends[0]?.output).toBe('one\nError: no');
  });

  it('is shown whole where its runner does not separate the error from the output', async () => {
    const { ends, agent } = agentWith(async () => ({ ok: false, output: `${LINES}\nError: no` }));
    await agent.run(asModelText('<run>x</run>'));
    expect(ends[0]?.output).toBe(`${LINES}\nError: no`);
  });
});

describe('the calls of a run block', () => {
  const write = (arg: string) => ({ verb: 'write', arg, body: 'x', line: 1, tag: `write("${arg}")` });
  const read = (arg: string) => ({ verb: 'read', arg, line: 1, tag: `read("${arg}")` });

  it('are named where it printed nothing', async () => {
    const { agent } = agentWith(async (_code, { dispatch }) => {
      for (const call of [write('a'), write('b'), read('a'), read('b'), read('none')]) await dispatch(call);
      return { ok: true, output: '' };
    });
    const { feedback } = await agent.run(asModelText('<run>x</run>'));
    expect(feedback).toContain('(no output; called write(a), write(b), read ×2)');
  });

  it('are named where it failed after them', async () => {
    const { agent } = agentWith(async (_code, { dispatch }) => {
      await dispatch(write('a'));
      return { ok: false, output: 'one\nError: no', error: 'Error: no' };
    });
    const { feedback } = await agent.run(asModelText('<run>x</run>'));
    expect(feedback).toContain('one\nError: no\nDone before that: write(a)\n');
  });

  it('are not named where its output shows that it ran, except for what they changed', async () => {
    const { agent } = agentWith(async (_code, { dispatch }) => {
      for (const call of [write('a'), read('a'), write('new b'), write('c'), write('new d')]) await dispatch(call);
      return { ok: true, output: 'done\nWrote new d.' };
    });
    expect((await agent.run(asModelText('<run>x</run>'))).runs[0]?.output).toBe(
      'done\nWrote new d.\nChanged:\n- write(a)\n- Wrote new b.\n- write(c)',
    );
  });

  it('say what they changed where it printed nothing, the first ten of them', async () => {
    const { agent } = agentWith(async (_code, { dispatch }) => {
      for (const call of [write('new a'), write('b'), read('b')]) await dispatch(call);
      return { ok: true, output: '' };
    });
    expect((await agent.run(asModelText('<run>x</run>'))).runs[0]?.output).toBe(
      '(no output; called write(new a), write(b), read(b))\nChanged:\n- Wrote new a.',
    );
    const { agent: other } = agentWith(async (_code, { dispatch }) => {
      for (let n = 1; n <= 12; n++) await dispatch(write(`new ${n}`));
      return { ok: true, output: 'done' };
    });
    const lines = (await other.run(asModelText('<run>x</run>'))).runs[0]?.output.split('\n') ?? [];
    expect(lines.slice(0, 3)).toEqual(['done', 'Changed:', '- Wrote new 1.']);
    expect(lines.slice(-2)).toEqual(['- Wrote new 10.', '- 2 more changes']);
  });

  it('leave printed JSON what it is when it is cut', async () => {
    const list = Array.from({ length: 2000 }, (_, id) => ({ id, name: `article ${id}` }));
    const { agent } = agentWith(async (_code, { dispatch }) => {
      await dispatch(write('new a'));
      return { ok: true, output: JSON.stringify(list) };
    });
    const output = (await agent.run(asModelText('<run>x</run>'))).runs[0]?.output ?? '';
    expect(output).toMatch(/\nChanged:\n- Wrote new a\.$/);
    expect(() => JSON.parse(output.slice(0, output.indexOf('\n[pruned:'))) as unknown).not.toThrow();
  });

  it('do not let a block without output end the turn', async () => {
    const { model } = createScriptedModel('<run>x</run>', 'Done.');
    const { agent } = agentWith(async (_code, { dispatch }) => {
      await dispatch(write('a'));
      return { ok: true, output: '' };
    }, model);
    expect(await agent.ask('Go.')).toBe('Done.');
  });
});

describe('a run block that is cancelled', () => {
  it('shows what it had printed, if its runner returns it', async () => {
    const stop = new AbortController();
    const { agent, ends } = agentWith(
      (_code, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve({ ok: false, output: 'step one done\nAbortError: stopped.' }));
          queueMicrotask(() => stop.abort());
        }),
    );
    await agent.run(asModelText('<run>x</run>'), { signal: stop.signal }).catch(() => undefined);
    expect(ends).toMatchObject([{ ok: false, output: 'step one done\nAbortError: stopped.' }]);
  });

  it('lists what it had changed', async () => {
    const stop = new AbortController();
    const { agent, ends } = agentWith(async (_code, { dispatch }) => {
      for (let n = 1; n <= 12; n++)
        await dispatch({ verb: 'write', arg: `a${n}`, body: 'x', line: 1, tag: `write("a${n}")` });
      await dispatch({ verb: 'read', arg: 'a1', line: 1, tag: 'read("a1")' });
      stop.abort();
      return new Promise(() => undefined);
    });
    await agent.run(asModelText('<run>x</run>'), { signal: stop.signal }).catch(() => undefined);
    expect(ends[0]?.output).toMatch(
      /^AbortError: interrupted, outcome unknown\.\nDone before that: write\(a1\), .*write\(a10\), 2 more changes, read\(a1\)$/,
    );
  });

  it('lists what it had changed after its output and the error of its runner', async () => {
    const stop = new AbortController();
    const error = 'AbortError: stopped.';
    const { agent, ends } = agentWith(async (_code, { dispatch, signal }) => {
      await dispatch({ verb: 'write', arg: 'a', body: 'x', line: 1, tag: 'write("a")' });
      return new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve({ ok: false, output: `printed\n${error}`, error }));
        queueMicrotask(() => stop.abort());
      });
    });
    await agent.run(asModelText('<run>x</run>'), { signal: stop.signal }).catch(() => undefined);
    expect(ends[0]?.output).toBe(`printed\n${error}\nDone before that: write(a)`);
  });

  it('has an event also when its runner breaks', async () => {
    const stop = new AbortController();
    const { agent, ends } = agentWith(
      (_code, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('broken')));
          queueMicrotask(() => stop.abort());
        }),
    );
    await agent.run(asModelText('<run>x</run>'), { signal: stop.signal }).catch(() => undefined);
    expect(ends).toMatchObject([{ ok: false, output: 'AbortError: interrupted, outcome unknown.' }]);
  });

  it('leaves no timer behind', async () => {
    const stop = new AbortController();
    const host = createDefaultHost();
    const left = new Set<unknown>();
    const timers: Host['timers'] = {
      setTimeout: (work, ms) => {
        const timer = host.timers.setTimeout(work, ms);
        left.add(timer);
        return timer;
      },
      clearTimeout: (timer) => {
        left.delete(timer);
        host.timers.clearTimeout(timer);
      },
    };
    const run: CodeRunner['run'] = (_code, { signal }) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve({ ok: false, output: 'AbortError: stopped.' }));
        queueMicrotask(() => stop.abort());
      });
    const { agent } = agentWith(run, undefined, { ...host, timers });
    await agent.run(asModelText('<run>x</run>'), { signal: stop.signal }).catch(() => undefined);
    expect(left.size).toBe(0);
  });

  it('does not list what a block before it had changed', async () => {
    const stop = new AbortController();
    const { agent, ends } = agentWith(async (code, { dispatch }) => {
      if (code === 'first') {
        await dispatch({ verb: 'write', arg: 'a', body: 'x', line: 1, tag: 'write("a")' });
        return { ok: true, output: 'written' };
      }
      stop.abort();
      return new Promise(() => undefined);
    });
    const blocks = '<run>first</run>\n<run>second</run>';
    await agent.run(asModelText(blocks), { signal: stop.signal }).catch(() => undefined);
    expect(ends.map(({ output }) => output)).toEqual([
      'written\nChanged:\n- write(a)',
      'AbortError: interrupted, outcome unknown.',
    ]);
  });

  it('is not waited for when its runner returns nothing', async () => {
    const stop = new AbortController();
    const { agent, ends } = agentWith(() => {
      queueMicrotask(() => stop.abort());
      return new Promise(() => undefined);
    });
    await agent.run(asModelText('<run>x</run>'), { signal: stop.signal }).catch(() => undefined);
    expect(ends).toMatchObject([{ ok: false, output: 'AbortError: interrupted, outcome unknown.' }]);
  });
});

describe('a run block that waits for none of its calls', () => {
  it('ends after them', async () => {
    const { agent } = agentWith(async (_code, { dispatch }) => {
      void dispatch({ verb: 'write', arg: 'a', body: 'x', line: 1, tag: 'write("a")' });
      return { ok: true, output: '' };
    });
    const types: string[] = [];
    agent.subscribe(async ({ type }) => {
      if (type === 'call-start') await new Promise((resolve) => setTimeout(resolve, 20));
      types.push(type);
    });
    await agent.run(asModelText('<run>x</run>'));
    expect(types.filter((type) => /^(?:run|call)-/.test(type))).toEqual([
      'run-start',
      'call-start',
      'call-end',
      'run-end',
    ]);
  });
});

describe('what code changes', () => {
  it('lets calls be tried again that had failed twice in the same turn', async () => {
    const { model } = createScriptedModel('<R:a>', '<R:a>', '<run>x</run>', '<R:a>', 'Done.');
    const { agent } = agentWith(async (_code, { dispatch }) => {
      await dispatch({ verb: 'write', arg: 'a', body: 'text', line: 1, tag: 'write("a")' });
      return { ok: true, output: 'written' };
    }, model);
    const texts: string[] = [];
    agent.subscribe((event) => {
      if (event.type === 'call-end') texts.push(event.text);
    });
    await agent.ask('Go');
    expect(texts).toEqual(['Error: no note a', 'Error: no note a', 'Wrote it.', 'text']);
  });
});
