import { describe, expect, it } from 'vitest';
import { asModelText } from '../protocol/model.ts';
import { parse } from '../tag-parser/parse.ts';
import { buildSystemPrompt, TAG_FORMS } from './system-prompt.ts';

describe('buildSystemPrompt', () => {
  it.each(TAG_FORMS)('teaches a form that the parser takes: $example', ({ verb, example }) => {
    const { calls, problems } = parse(asModelText(example));
    expect(problems).toEqual([]);
    expect(calls.map((call) => call.verb)).toEqual([verb]);
  });

  it('shows every form, and the user’s own instructions last', () => {
    const prompt = buildSystemPrompt('Answer in French.', false);
    for (const { example } of TAG_FORMS) expect(prompt).toContain(example);
    expect(prompt.endsWith('Answer in French.')).toBe(true);
  });

  it('stays short enough to be sent with every conversation', () => {
    expect(buildSystemPrompt('', true).length).toBeLessThan(1700);
  });

  it('speaks of run blocks where there are some', () => {
    const [without, prompt] = [false, true].map((runBlocks) => buildSystemPrompt('', runBlocks));
    expect(without).not.toContain('<run>');
    expect(prompt).toContain('await read("a.ts"), await place.read("x")');
    expect(prompt).toContain('<help:run>');
  });
});
