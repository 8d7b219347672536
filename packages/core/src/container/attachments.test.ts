import { expect, it } from 'vitest';
import { z } from 'zod';
import { createScriptedModel } from '../../test/scripted-model.ts';
import { defineResourcespace } from '../decorators/resourcespace.ts';
import { tool } from '../decorators/tool.ts';
import type { AgentEvent } from '../protocol/agent-event.ts';
import { asModelText } from '../protocol/model.ts';
import type { SessionRecord } from '../protocol/session-log.ts';
import { createMemoryResults } from '../results/kept-results.ts';
import { createAgent } from './create-agent.ts';

const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 1, 2, 3]);
const BASE64 = Buffer.from(PNG).toString('base64');
const SHOWN = { type: 'image', mediaType: 'image/png', name: 'a.png', ref: 'result:1', bytes: 7 };

const shoot = tool(
  'A picture.',
  { page: z.string() },
  ({ page }) => ({
    text: `This is ${page}.`,
    attachments: [{ type: 'image' as const, mediaType: 'image/png', data: PNG, name: 'a.png' }],
  }),
  { effect: 'read' },
).named('shoot');
const count = tool('Words.', {}, () => ({ total: 3, words: ['a'] }), {
  effect: 'read',
  output: z.object({ total: z.int(), words: z.array(z.string()).optional() }),
}).named('count');
const camera = defineResourcespace({ name: 'camera', description: 'Pictures.', tools: { shoot, count } });

it('an image is a line below the text, and is in the message to the model', async () => {
  const { model, sends } = createScriptedModel('<camera.shoot:home>', 'seen');
  const records: SessionRecord[] = [];
  const log = { append: () => undefined, record: (record: SessionRecord) => void records.push(record) };
  const agent = createAgent({ model, spaces: [camera], log });
  const events: AgentEvent[] = [];
  agent.subscribe((event) => void events.push(event));
  await agent.ask('look');
  const message = sends[1]?.at(-1);
  expect(message?.text).toContain('ok\nThis is home.\n[image result:1: a.png, image/png, 7 bytes]\n[end');
  expect(message?.media).toEqual([{ ...SHOWN, data: BASE64 }]);
  expect(events.find(({ type }) => type === 'call-end')).toMatchObject({ media: [SHOWN] });
  // The bytes are kept once, with the results.
  expect(JSON.stringify(records)).not.toContain(BASE64);
  expect(JSON.stringify(records)).toContain('"ref":"result:1"');
});

it('an image that is read again under its handle is shown again', async () => {
  const agent = createAgent({ spaces: [camera] });
  await agent.run(asModelText('<camera.shoot:home>'));
  const { calls } = await agent.run(asModelText('<R:result:1>'));
  expect(calls[0]?.result).toMatchObject({ text: '[image result:1: a.png, image/png, 7 bytes]', media: [SHOWN] });
});

it('a resumed session has its images from the kept results', async () => {
  const results = createMemoryResults();
  results.keep(`data:image/png;bae=image;name=a.png;base64,${BASE64}`);
  const { model, sends } = createScriptedModel('done');
  const resume = {
    id: 'abc',
    label: '1',
    turn: 1,
    lastId: 1,
    messages: [{ role: 'user' as const, text: 'see', media: [SHOWN as never] }],
    held: [],
    location: [],
    history: [],
    seen: new Map<string, string>(),
    unfinished: [],
    unsent: [],
  };
  await createAgent({ model, results, resume }).ask('go on');
  expect(sends[0]?.[1]?.media).toEqual([{ ...SHOWN, data: BASE64 }]);
});

it('what code gets of a tool has the type of its schema', () => {
  expect(count.spec.returns).toBe('{ total: number; words?: string[] }');
  // @ts-expect-error: it returns what its schema does not have
  tool('Words.', {}, () => ({ total: 'three' }), { output: z.object({ total: z.int() }) });
  // @ts-expect-error: the whole is no such list
  tool('Words.', {}, () => ({ text: 'x', whole: () => [1] }), { output: z.array(z.string()) });
  tool('Words.', {}, () => ({ text: 'x', whole: () => ['a'] }), { output: z.array(z.string()) });
});
