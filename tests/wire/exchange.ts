import type { Message, ModelPart } from '@bae/core';
import type { Wire } from './wire-models.ts';
import type { WireReply } from './wire-reply.ts';
import { WireServer } from './wire-server.ts';

/** One exchange over a real socket. */
export interface Exchange {
  readonly parts: readonly ModelPart[];
  /** All text-deltas together. */
  readonly text: string;
  readonly server: WireServer;
}

const QUESTION: readonly Message[] = [
  { role: 'system', text: 'You are terse.' },
  { role: 'user', text: 'Say something.' },
];

/** Asks a server of its own for one reply, and reads it to the end of the iteration. */
export async function exchange(wire: Wire, reply: string | WireReply, messages = QUESTION): Promise<Exchange> {
  await using server = await WireServer.start(wire.format, [reply]);
  const parts: ModelPart[] = [];
  const { signal } = new AbortController();
  for await (const part of wire.model(server.url).respond(messages, { signal })) parts.push(part);
  const text = parts.map((part) => (part.type === 'text-delta' ? part.text : '')).join('');
  return { parts, text, server };
}
