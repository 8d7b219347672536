import { describe, expect, it } from 'vitest';
import type { SessionRecord } from '../protocol/session-log.ts';
import { createMemoryResults } from '../results/kept-results.ts';
import { Conversation, maskResults } from './conversation.ts';
import { SessionRecorder } from './session.ts';

const NONCE = '9f2c41';

function begin(held: readonly string[] = []) {
  const records: SessionRecord[] = [];
  const recorder = new SessionRecorder({ append: () => undefined, record: (record) => void records.push(record) });
  const conversation = new Conversation({ messages: [{ role: 'system', text: 'system' }], held }, recorder);
  return { conversation, records };
}

/** A message with one big result. */
const feedback = (name: string, lines = 400) =>
  `[Tool output ${NONCE}]\n#1 <R:${name}> [home] ok\n${`a line of ${name}\n`.repeat(lines)}[end ${NONCE}]`;

describe('Conversation', () => {
  it('begins every message to the model with the location', async () => {
    const { conversation } = begin();
    await conversation.addUserMessage('[Location: home]', 'hello');
    await conversation.addResponse('hi');
    expect(conversation.messages).toEqual([
      { role: 'system', text: 'system' },
      { role: 'user', text: '[Location: home]\nhello' },
      { role: 'assistant', text: 'hi' },
    ]);
  });

  it('keeps images with their message, records them, and counts them', async () => {
    const { conversation, records } = begin();
    const before = conversation.tokens;
    const media = [{ type: 'image', mediaType: 'image/png', ref: 'result:1', bytes: 75_000 } as const];
    await conversation.addUserMessage('[Location: home]', 'look', media);
    const message = { role: 'user', text: '[Location: home]\nlook', media };
    expect(conversation.messages.at(-1)).toEqual(message);
    expect(records).toEqual([{ kind: 'message', message }]);
    expect(conversation.tokens - before).toBeGreaterThan(1000);
    expect(conversation.tokens - before).toBeLessThan(2000);
  });

  it('puts what was held back before the next text, once', async () => {
    const { conversation } = begin(['[Note] from before.']);
    await conversation.hold('[Tool output x]');
    await conversation.addUserMessage('[Location: home]', 'go on');
    await conversation.addUserMessage('[Location: home]', 'and on');
    expect(conversation.messages.map(({ text }) => text)).toEqual([
      'system',
      '[Location: home]\n[Note] from before.\n\n[Tool output x]\n\ngo on',
      '[Location: home]\nand on',
    ]);
  });

  it('records what it holds and sends before it continues', async () => {
    const { conversation, records } = begin();
    await conversation.hold('waiting');
    await conversation.hold('');
    await conversation.addUserMessage('[Location: home]', 'x');
    expect(records).toEqual([
      { kind: 'held', text: 'waiting' },
      { kind: 'message', message: { role: 'user', text: '[Location: home]\nwaiting\n\nx' } },
    ]);
  });

  it('masks the oldest results first, and leaves prompts and the newest message alone', async () => {
    const { conversation } = begin();
    await conversation.addUserMessage('[Location: home]', 'the goal');
    for (const name of ['one', 'two', 'three']) {
      await conversation.addResponse(`<R:${name}>`);
      await conversation.addUserMessage('[Location: home > tasks]', feedback(name));
    }
    const before = conversation.tokens;
    const results = createMemoryResults();
    const masking = conversation.mask(before - 1000, results);
    expect(masking).toMatchObject({ messages: 1, before });
    expect(masking.after).toBeLessThanOrEqual(before - 1000);
    const texts = conversation.messages.map(({ text }) => text);
    expect(texts[1]).toBe('[Location: home]\nthe goal');
    expect(texts[3]).toBe(
      `[Location: home > tasks]\n[Tool output ${NONCE}]\n#1 <R:one> [home] ok\n(masked: 400 lines; full: <R:result:1>)\n[end ${NONCE}]`,
    );
    expect(results.get('result:1')).toBe('a line of one\n'.repeat(400).trimEnd());
    expect(texts[5]).toContain('a line of two');

    expect(conversation.mask(masking.after - 1000, results).messages).toBe(1);
    expect(conversation.messages[5]?.text).toContain('result:2');
    expect(conversation.messages[7]?.text).toContain('a line of three');
  });

  it('leaves out the oldest steps where masking is not enough, and keeps prompts, answers and notes', async () => {
    const { conversation } = begin();
    const results = createMemoryResults();
    await conversation.addUserMessage('[Location: home]', 'the goal');
    for (const name of ['one', 'two', 'three']) {
      await conversation.addResponse(`<R:${name}>`);
      await conversation.addUserMessage('[Location: home]', feedback(name));
    }
    await conversation.addResponse('This is the answer.');
    await conversation.addUserMessage('[Location: home]', 'the next goal');
    for (const name of ['four', 'five', 'six']) {
      await conversation.addResponse(`<R:${name}>`);
      await conversation.addUserMessage(
        '[Location: home]',
        name === 'four' ? `${feedback(name)}\n[Note] careful` : feedback(name),
      );
    }
    const whole = conversation.mask(conversation.tokens, results);
    expect(whole).toMatchObject({ messages: 0, steps: 0 });
    expect(conversation.mask(0, results)).toMatchObject({ messages: 5, steps: 4, after: conversation.tokens });
    const texts = conversation.messages.map(({ text }) => text);
    expect(texts.slice(1, 7)).toEqual([
      '[Location: home]\nthe goal\n\n[Note] 3 steps after this were left out to make room.',
      'This is the answer.',
      '[Location: home]\nthe next goal',
      '<R:four>',
      expect.stringMatching(/full: <R:result:4>[^]*\n\[Note\] careful\n\n\[Note\] 1 step after this was left out/),
      '<R:six>',
    ]);
    expect(texts[7]).toContain('a line of six');
    expect(conversation.mask(0, results)).toMatchObject({ messages: 0, steps: 0 });

    await conversation.addResponse('<R:seven>');
    await conversation.addUserMessage('[Location: home]', feedback('seven'));
    expect(conversation.mask(0, results)).toMatchObject({ messages: 1, steps: 1 });
    expect(conversation.messages[5]?.text).toMatch(
      /careful\n\n\[Note\] 2 steps after this were left out to make room\.$/,
    );
  });

  it('estimates its size in tokens', async () => {
    const { conversation } = begin();
    await conversation.addUserMessage('[Location: home]', 'x'.repeat(4000));
    expect(conversation.tokens).toBe(2 + Math.ceil(4017 / 4));
  });
});

const LONG = Array.from({ length: 50 }, (_, line) => `line ${line} of something`).join('\n');
const framed = (kind: string, ...parts: string[]) => `[${kind} ${NONCE}]\n${parts.join('\n---\n')}\n[end ${NONCE}]`;

describe('maskResults', () => {
  it('keeps headers, handles and everything outside the frame', () => {
    const results = createMemoryResults();
    const message = `[Location: home]\n${framed('Tool output', `#1 <R:a> [home] ok\n${LONG}`, '#2 <R:b> [home] ResourceError\nResourceError: no b.')}\n[Note] kept.\n\nThe next prompt.`;
    expect(maskResults(message, results)).toBe(
      `[Location: home]\n${framed('Tool output', '#1 <R:a> [home] ok\n(masked: 50 lines; full: <R:result:1>)', '#2 <R:b> [home] ResourceError\nResourceError: no b.')}\n[Note] kept.\n\nThe next prompt.`,
    );
    expect(results.get('result:1')).toBe(LONG);
  });

  it('uses the handle that a pruned result already has', () => {
    const results = createMemoryResults();
    const pruned = `#1 <R:a> [home] ok\n${LONG}\n[pruned: 200 -> 50 items; full: <R:result:7>]`;
    expect(maskResults(framed('Tool output', pruned), results)).toContain('(masked: 51 lines; full: <R:result:7>)');
    expect(results.handles?.()).toEqual([]);
  });

  it('keeps what follows printed text that was cut in its middle', () => {
    const results = createMemoryResults();
    const printed = `${LONG}\n[… 150 of 200 lines left out: <R:result:8:40-189>]\n${LONG}\nChanged:\n- Wrote a.txt`;
    expect(maskResults(framed('Output', printed), results)).toContain('lines; full: <R:result:1>)');
    expect(results.get('result:1')).toBe(printed);
  });

  it('masks the output of run blocks', () => {
    const results = createMemoryResults();
    expect(maskResults(framed('Output', LONG, '4'), results)).toBe(
      framed('Output', '(masked: 50 lines; full: <R:result:1>)', '4'),
    );
  });

  it('takes separators and headers inside a result for text, unless they carry the next number', () => {
    const results = createMemoryResults();
    const tricky = `#1 <R:a> [home] ok\n${LONG}\n---\n#7 <R:x> [home] ok\n---\nplain\n${LONG}`;
    const masked = maskResults(framed('Tool output', tricky, `#2 <R:b> [home] ok\n${LONG}`), results);
    expect(masked.match(/^#\d/gm)).toEqual(['#1', '#2']);
    expect(results.get('result:1')).toBe(tricky.slice(tricky.indexOf('\n') + 1));
  });

  it('leaves text that only looks like a frame alone', () => {
    for (const message of [`[Tool output ${NONCE}]\n${LONG}`, `[Tool output]\n${LONG}\n[end]`, LONG, '']) {
      expect(maskResults(message, createMemoryResults())).toBe(message);
    }
  });

  it('changes nothing the second time', () => {
    const results = createMemoryResults();
    const once = maskResults(framed('Tool output', `#1 <R:a> [home] ok\n${LONG}`), results);
    expect(maskResults(once, results)).toBe(once);
  });
});
