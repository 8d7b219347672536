import type { AgentEvent } from '@bae/core';

type Event<Type extends AgentEvent['type']> = Extract<AgentEvent, { type: Type }>;

/** A finished call, with what a test cares about. */
export function callEnd(changes: Partial<Event<'call-end'>>): Event<'call-end'> {
  return {
    label: '1',
    turn: 1,
    type: 'call-end',
    id: 'c1',
    tag: '<R:a.txt>',
    verb: 'read',
    space: 'home',
    ok: true,
    summary: '◆ read(a.txt) -> string (1 line)',
    ms: 3,
    text: 'content',
    ...changes,
  };
}

/** A run block that begins. */
export function runStart(code: string): Event<'run-start'> {
  return { label: '1', turn: 1, type: 'run-start', id: 'r1', code };
}

/** A finished run block. */
export function runEnd(changes: Partial<Event<'run-end'>>): Event<'run-end'> {
  return { label: '1', turn: 1, type: 'run-end', id: 'r1', code: '1 + 1', ok: true, output: '2', ms: 1, ...changes };
}

/** A final answer. */
export function answer(text: string, label = '1'): Event<'answer'> {
  return { label, turn: 1, type: 'answer', text };
}

/** A line about the turn itself. */
export function notice(code: Event<'notice'>['code'], text: string): Event<'notice'> {
  return { label: '1', turn: 1, type: 'notice', code, text };
}
