import { createAgent, type Message, type Model } from '@bae/core';
import { ScriptedModel } from '@bae/testing';
import { describe, expect, it } from 'vitest';
import { openMemoryTerminal, MemoryOutput } from '../../test/memory-terminal.ts';
import { answer, callEnd, notice, runEnd } from '../../test/sample-events.ts';
import { sampleHome, sampleSpaces } from '../../test/sample-spaces.ts';
import { parseArguments } from '../command-line/options.ts';
import { createView, watchMessages, createDebugView, showPrompt } from './create-view.ts';

const signal = new AbortController().signal;

describe('createView', () => {
  it('writes every event as one line for --json', () => {
    const terminal = openMemoryTerminal();
    const { options } = parseArguments(['ask', '--json'], ['ask']);
    const { tree } = createAgent({ home: sampleHome, spaces: sampleSpaces });
    const view = createView({ options, terminal, tree });
    const events = [callEnd({ text: 'a\nb' }), answer('Done.')];
    for (const event of events) void view(event);
    expect(
      terminal.out.text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as unknown),
    ).toEqual(events);
  });
});

describe('watchMessages', () => {
  it('shows each message once, as it is sent, and passes everything on', async () => {
    const inner = new ScriptedModel(['One.', 'Two.'], { name: 'inner' });
    const seen: Message[] = [];
    const model = watchMessages(inner, (message) => seen.push(message));
    const first: Message[] = [
      { role: 'system', text: 'Be brief.' },
      { role: 'user', text: '[Location: home]\nhi' },
    ];
    const second: Message[] = [...first, { role: 'assistant', text: 'One.' }, { role: 'user', text: 'more' }];
    expect(await textOf(model.respond(first, { signal }))).toBe('One.');
    expect(await textOf(model.respond(second, { signal }))).toBe('Two.');
    expect(seen).toEqual([...first, { role: 'user', text: 'more' }]);
    expect(inner.sends).toEqual([first, second]);
    expect(model.name).toBe('inner');
  });

  it('shows nothing twice when a request is repeated', async () => {
    const seen: string[] = [];
    const model = watchMessages(new ScriptedModel(['a', 'b']), ({ text }) => seen.push(text));
    const messages: Message[] = [{ role: 'user', text: 'hi' }];
    await textOf(model.respond(messages, { signal }));
    await textOf(model.respond(messages, { signal }));
    expect(seen).toEqual(['hi']);
  });

  it('keeps the patience of the model, and disposes of it', async () => {
    let disposed = 0;
    const inner = { name: 'slow', idleMs: 5, respond: () => textless(), dispose: () => void disposed++ };
    const model = watchMessages(inner, () => undefined);
    expect(model.idleMs).toBe(5);
    await model.dispose?.();
    expect(disposed).toBe(1);
  });
});

async function* textless() {
  yield { type: 'end' as const, reason: 'stop' as const };
}

async function textOf(parts: ReturnType<Model['respond']>): Promise<string> {
  let text = '';
  for await (const part of parts) if (part.type === 'text-delta') text += part.text;
  return text;
}

describe('createDebugView', () => {
  it('shows every event whole, under a header with sorted keys', () => {
    const out = new MemoryOutput();
    const view = createDebugView(out);
    view({ label: '1', turn: 1, type: 'turn-start', prompt: 'What is in a.txt?' });
    view({ label: '1', turn: 1, type: 'response-delta', text: '<R' });
    view({
      label: '1',
      turn: 1,
      type: 'response-end',
      context: 0.125,
      executable: true,
      text: 'I look.\n<R:a.txt>',
      usage: { inputTokens: 1, outputTokens: 2, cachedTokens: 0 },
    });
    view({
      label: '1',
      turn: 1,
      type: 'call-start',
      id: 'c1',
      tag: '<R:a.txt>',
      verb: 'read',
      space: 'home',
      arguments: { arg: 'a.txt' },
    });
    view(callEnd({ text: 'one\n\ntwo' }));
    view(answer('Two lines.'));
    expect(out.text).toBe(`\
[ai] is_error=false label=1 type=turn-start
  What is in a.txt?
[ai] is_error=false label=1 type=response-end
  I look.
  <R:a.txt>
  tokens: 1 in (0 cached), 2 out; 12.5 % of the context
[code] is_error=false label=1 type=call-start
  c1 <R:a.txt> [home]
  {"arg":"a.txt"}
[code] is_error=false label=1 type=call-end
  c1 <R:a.txt> [home] ok, 3 ms
  ◆ read(a.txt) -> string (1 line)
  one

  two
[ai] is_error=false label=1 type=answer
  Two lines.
`);
  });

  it('marks what failed', () => {
    const out = new MemoryOutput();
    const view = createDebugView(out);
    view(callEnd({ ok: false, errorType: 'ResourceError', text: 'ResourceError: no.' }));
    view(runEnd({ ok: false, output: 'TypeError: x\n  at 1:2' }));
    view(notice('error', 'ModelError: gone'));
    view(notice('near-miss', "no tool 'serch'"));
    expect(out.text.split('\n').filter((line) => line.startsWith('['))).toEqual([
      '[code] is_error=true label=1 type=call-end',
      '[code] is_error=true label=1 type=run-end',
      '[debug] is_error=true label=1 type=notice',
      '[debug] is_error=false label=1 type=notice',
    ]);
    expect(out.text).toContain('    at 1:2\n');
    view(
      callEnd({ ok: false, errorType: 'TypeError', text: 'TypeError: x', stack: 'TypeError: x\n    at f (a.ts:1:2)' }),
    );
    expect(out.text).toContain('\n  TypeError: x\n  TypeError: x\n      at f (a.ts:1:2)\n');
  });

  it('shows what a model is sent, and how a turn ended', () => {
    const out = new MemoryOutput();
    const view = createDebugView(out);
    showPrompt(out, 'user', '[Location: home]\nhi');
    view({ label: '1', turn: 1, type: 'space-enter', from: 'home', to: 'source' });
    const totals = { inputTokens: 1, outputTokens: 2, cachedTokens: 0, sends: 1, calls: 0, runs: 0, ms: 5 };
    view({ label: '1', turn: 1, type: 'turn-end', outcome: 'answered', totals });
    expect(out.text).toBe(`\
[ai] is_error=false role=user type=prompt
  [Location: home]
  hi
[debug] is_error=false label=1 type=space-enter
  home -> source
[debug] is_error=false label=1 type=turn-end
  answered: 1 request, 0 calls, 0 run blocks; tokens: 1 in (0 cached), 2 out; 5 ms
`);
  });

  it('makes visible whatever would act on the terminal', () => {
    const out = new MemoryOutput();
    createDebugView(out)(callEnd({ text: '\u001B[2J\u202E' }));
    expect(out.text).toContain('  ␛[2J<U+202E>\n');
  });
});
