import type { AgentEvent } from '@bae/core';
import { expect, it } from 'vitest';
import { recordEvents } from './record-events.ts';

const ANSWER: AgentEvent = { label: '1', turn: 1, type: 'answer', text: 'Done.' };
const PROMPT: AgentEvent = { label: '1', turn: 1, type: 'turn-start', prompt: 'Go' };

it('keeps events in order', () => {
  const recorder = recordEvents();
  recorder(PROMPT);
  recorder(ANSWER);
  expect(recorder.events).toEqual([PROMPT, ANSWER]);
});

it('gives the events of one type, typed as such', () => {
  const recorder = recordEvents();
  recorder(PROMPT);
  recorder(ANSWER);
  expect(recorder.of('answer').map(({ text }) => text)).toEqual(['Done.']);
  expect(recorder.of('notice')).toEqual([]);
});

it('keeps a copy, so that a later change does not show', () => {
  const recorder = recordEvents();
  const event = { ...ANSWER };
  recorder(event);
  Object.assign(event, { text: 'Changed.' });
  expect(recorder.events).toEqual([ANSWER]);
});

it('keeps what survives as JSON, so that anything else shows', () => {
  const recorder = recordEvents();
  recorder({ ...ANSWER, extra: new Map([[1, 2]]), gone: undefined } as AgentEvent);
  expect(recorder.events).toEqual([{ ...ANSWER, extra: {} }]);
  expect(Object.keys(recorder.events[0]!)).not.toContain('gone');
});
