import { createAgent, type Message, type Model } from '@bae/core';
import { ScriptedModel } from '@bae/testing';
import { describe, expect, it } from 'vitest';
import { MemoryTerminal } from '../../test/memory-terminal.ts';
import { answer, callEnd } from '../../test/sample-events.ts';
import { sampleHome, sampleSpaces } from '../../test/sample-spaces.ts';
import { parseArguments } from '../command-line/options.ts';
import { createView, watchMessages } from './create-view.ts';

const signal = new AbortController().signal;

describe('createView', () => {
  it('writes every event as one line for --json', () => {
    const terminal = new MemoryTerminal();
    const { options } = parseArguments(['ask', '--json'], ['ask']);
    const { tree } = createAgent({ home: sampleHome, spaces: sampleSpaces });
    const view = createView({ options, terminal, tree });
    const events = [callEnd({ text: 'a\nb' }), answer('Done.')];
    for (const event of events) view(event);
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
