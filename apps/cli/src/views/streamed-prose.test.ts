import { asModelText, type AgentEvent } from '@bae/core';
import { parse } from '@bae/core/pipeline';
import { describe, expect, it } from 'vitest';
import type { StreamedRows } from '../terminal/live-area.ts';
import { StreamedProse, createProseStream } from './streamed-prose.ts';

const NAMES = { spaces: new Set(['tasks']), tools: new Set<string>() };
const RESPONSES = [
  'First this.\n<E:a.txt:2>\nTWO\n\nlines\n</E>\nThen that.',
  'First this.\n<W:a.txt>\n# A title\n\n<R:x> in a body\n</W>\nThen that.',
  'First this.\n<run>\nconst x = await read("a.txt");\nx < 3;\n</run>\nThen that.',
  'First this.\n<tasks.W:Title>\nBody\n</W>\nThen that.',
  'First this.\n<tool_call>\n{"name": "write",\n"arguments": {"path": "a"}}\n</tool_call>\nThen that.',
];

describe('StreamedProse', () => {
  it.each(RESPONSES)('shows nothing of a call while it arrives: %j', (response) => {
    const written = new StreamedProse((text) => parse(asModelText(text), NAMES).prose);
    for (const character of response) {
      written.add(character);
      expect(
        ['', 'First this.', 'First this.\n\nThen that.', 'First this.\nThen that.'].some((all) =>
          all.startsWith(written.read().trim()),
        ),
      ).toBe(true);
    }
    expect(written.read()).toMatch(/^First this\.\s+Then that\.$/);
  });

  it('shows what follows a call that has no body', () => {
    const written = new StreamedProse((text) => parse(asModelText(text), NAMES).prose);
    written.add('Look:\n<R:a.txt>\nand <source.Grep:x> now.');
    expect(written.read()).toContain('now.');
  });

  it('reads the same of a long response, of which it parses only the end', () => {
    const parsed: number[] = [];
    const written = new StreamedProse((text) => {
      parsed.push(text.length);
      return parse(asModelText(text), NAMES).prose;
    });
    const paragraph = 'Some words of an answer.\n\n```ts\nconst a = "<W:x>";\n```\n\n<R:a.txt>\n\n';
    for (let count = 0; count < 2000; count++) {
      written.add(paragraph);
      if (count % 10 === 0) written.read();
    }
    const whole = parse(asModelText(paragraph.repeat(2000)), NAMES).prose;
    expect(
      written
        .read()
        .replaceAll(/\n{2,}/g, '\n\n')
        .trimEnd(),
    ).toBe(whole.replaceAll(/\n{2,}/g, '\n\n').trimEnd());
    expect(Math.max(...parsed)).toBeLessThan(20_000);
  });
});

const delta = (text: string): AgentEvent => ({ type: 'response-delta', text, label: '1', turn: 1 });
const end = { type: 'response-end', label: '1', turn: 1 } as AgentEvent;

it('a response streams without its calls, and a line that may become one waits until it is whole', () => {
  let read: ((columns: number) => StreamedRows) | undefined;
  const stream = (next: typeof read) => void (read = next);
  const prose = (text: string) => text.replaceAll(/<[^>]*>/g, '');
  const unfinished: unknown[] = [];
  const view = createProseStream(
    { stream },
    { prose, color: false, showUnfinished: async (...said) => void unfinished.push(said) },
  );
  void view(delta('I look.\n<R:a'));
  expect(read?.(80).rows).toEqual(['I look.']);
  void view(delta('.ts>\nThen'));
  expect(read?.(80).rows).toEqual(['I look.', '', 'Then']);
  void view(end);
  expect(read).toBeUndefined();
  void view(delta('Next'));
  expect(read!(80).rows).toEqual(['Next']);
  void view({ type: 'notice', code: 'retry', text: 'again', label: '1', turn: 1 });
  expect(read).toBeUndefined();
  void view(delta('Half of'));
  expect(read!(80).rows).toEqual(['Half of']);
  expect(unfinished).toEqual([]);
  void view({ type: 'turn-end', label: '1', turn: 1, unfinished: 'Half of\n<R:a' } as AgentEvent);
  expect(read).toBeUndefined();
  expect(unfinished).toEqual([['Half of', '1']]);
});

it('a response of 100,000 calls is read in one pass, not once for each of them', () => {
  const stream = new StreamedProse(() => '');
  stream.add('<run>1</run>\n<W:a>```</W>\n'.repeat(50_000));
  expect(stream.read()).toBe('');
});
