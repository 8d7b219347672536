import type { ModelPart } from '@bae/core';
import { describeModel } from '@bae/testing/vitest';
import { describe, expect, it } from 'vitest';
import { replyBody } from './deliver-reply.ts';
import { exchange } from './exchange.ts';
import { WIRES } from './wire-models.ts';
import { WIRE_USAGE, type WireReply } from './wire-reply.ts';
import { WireServer } from './wire-server.ts';

const THREE_TAGS = 'First this:\n<R:a.ts>\n<Grep:login 😀>\n<W:b.ts>\nexport const b = 1;\n</W>\nThat is all.';
const USAGE = { type: 'usage', usage: WIRE_USAGE };

for (const wire of WIRES) {
  describeModel(wire.name, async (responses) => {
    const replies = responses.map((response): WireReply => {
      if (response.kind === 'text') return { text: response.text };
      if (response.kind === 'fault') return { text: '', fault: { kind: 'status', status: 500 } };
      // Enough of the body for its text, but not for its end.
      const whole = replyBody(wire.format, { text: response.text }).length;
      const tail = wire.format.events({ text: '' }).slice(-3).join('').length;
      return { text: response.text, fault: { kind: 'stall', after: response.text === '' ? 0 : whole - tail } };
    });
    const server = await WireServer.start(wire.format, replies);
    return { model: wire.model(server.url), dispose: () => server.close() };
  });

  describe(wire.name, () => {
    it('says the same whatever the size of the chunks', async () => {
      const one = await exchange(wire, { text: THREE_TAGS, chunk: 1 });
      const whole = await exchange(wire, { text: THREE_TAGS, chunk: 1000 });
      const bytes = await exchange(wire, { text: THREE_TAGS, fault: { kind: 'one-byte' } });
      expect([one.text, whole.text, bytes.text]).toEqual([THREE_TAGS, THREE_TAGS, THREE_TAGS]);
    });

    it('ends with the tokens of the exchange and a stop', async () => {
      const { parts } = await exchange(wire, 'Hello.');
      expect(parts.slice(-2)).toEqual([USAGE, { type: 'end', reason: 'stop' }]);
    });

    it.each(['length', 'content-filter'] as const)('passes on that it ended by %s', async (finish) => {
      const { parts } = await exchange(wire, { text: 'I was about to', finish });
      expect(parts.at(-1)).toEqual({ type: 'end', reason: finish });
    });

    it('sends the system prompt and every message in order', async () => {
      const messages = [
        { role: 'system', text: 'Be terse.' },
        { role: 'user', text: '[Location: home]\nHello' },
        { role: 'assistant', text: '<R:a>' },
        { role: 'user', text: '[Tool output]\nnothing' },
      ] as const;
      const { server } = await exchange(wire, 'Ok.', messages);
      expect(server.requests.map((request) => request.messages)).toEqual([messages]);
    });

    it('leaves out empty messages, which services refuse', async () => {
      const messages = [
        { role: 'user', text: 'Hello' },
        { role: 'assistant', text: ' \n' },
        { role: 'user', text: 'Again' },
      ] as const;
      const { server } = await exchange(wire, 'Ok.', messages);
      const roles = server.requests[0]?.messages.map(({ role }) => role);
      expect(roles).not.toContain('assistant');
    });

    it('sends its key', async () => {
      const { server } = await exchange(wire, 'Ok.');
      const { authorization, 'x-api-key': key } = server.requests[0]!.headers;
      expect(authorization ?? key).toMatch(/^(Bearer )?secret$/);
    });

    const readToTheEnd = async (length: number): Promise<void> => {
      const { text, parts } = await exchange(wire, { text: 'x'.repeat(length), chunk: 100_000 });
      expect(text.length).toBe(length);
      expect(parts.at(-1)).toEqual({ type: 'end', reason: 'stop' });
    };
    it('reads a response of 5 MB to its end', () => readToTheEnd(5_000_000));
    it('reads a response of 50 MB to its end', { tags: ['long'] }, () => readToTheEnd(50_000_000));
  });
}

/** The parts with pieces of text that follow each other put together: how they are divided is no matter. */
function joinText(parts: readonly ModelPart[]): readonly ModelPart[] {
  const joined: ModelPart[] = [];
  for (const part of parts) {
    const before = joined.at(-1);
    if (part.type !== 'text-delta' || before?.type !== 'text-delta') joined.push(part);
    else joined[joined.length - 1] = { type: 'text-delta', text: before.text + part.text };
  }
  return joined;
}

describe('the wires', () => {
  it('give the same parts for the same script', async () => {
    const reply: WireReply = { text: THREE_TAGS, chunk: 5 };
    const [first, ...others] = await Promise.all(WIRES.map((wire) => exchange(wire, reply)));
    for (const other of others) expect(joinText(other.parts)).toEqual(joinText(first!.parts));
  });

  it('ask Anthropic to keep the beginning of the conversation in its cache', async () => {
    const anthropic = WIRES.find(({ name }) => name === 'anthropic')!;
    const { server } = await exchange(anthropic, 'Ok.');
    expect(server.requests[0]?.body).toMatchObject({ cache_control: { type: 'ephemeral' } });
  });
});
