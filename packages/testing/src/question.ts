import type { Message } from '@bae/core';

/** What a model is asked when nothing else matters; frozen, because no model may change it. */
export const QUESTION: readonly Message[] = Object.freeze([
  Object.freeze({ role: 'system', text: 'You are terse.' }),
  Object.freeze({ role: 'user', text: 'Say something.' }),
] as const);
