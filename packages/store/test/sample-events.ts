import type { AgentEvent } from '@bae/core';

const USAGE = { inputTokens: 1, outputTokens: 2, cachedTokens: 0 };

/** Events of a session, with what they need besides. */
export const sample = {
  turnStart: (turn: number, prompt: string): AgentEvent => ({ label: '1', turn, type: 'turn-start', prompt }),
  delta: (turn: number, text: string): AgentEvent => ({ label: '1', turn, type: 'response-delta', text }),
  callStart: (id: string, tag = '<R:a>', turn = 1): AgentEvent => ({
    label: '1',
    turn,
    type: 'call-start',
    id,
    tag,
    verb: 'read',
    space: 'tasks',
    arguments: { arg: 'a' },
  }),
  callEnd: (
    id: string,
    text: string,
    more: { ok?: boolean; failed?: true; errorType?: string; tag?: string } = {},
  ): AgentEvent => ({
    label: '1',
    turn: 1,
    type: 'call-end',
    id,
    tag: '<R:a>',
    verb: 'read',
    space: 'tasks',
    ok: true,
    summary: 'read',
    ms: 1,
    text,
    ...more,
  }),
  runStart: (id: string, code = '1+1'): AgentEvent => ({ label: '1', turn: 1, type: 'run-start', id, code }),
  runEnd: (id: string, output: string, ok = true): AgentEvent => ({
    label: '1',
    turn: 1,
    type: 'run-end',
    id,
    code: '1+1',
    ok,
    output,
    ms: 1,
  }),
  answer: (text: string, turn = 1): AgentEvent => ({ label: '1', turn, type: 'answer', text }),
  turnEnd: (turn = 1): AgentEvent => ({
    label: '1',
    turn,
    type: 'turn-end',
    outcome: 'answered',
    totals: { ...USAGE, sends: 1, calls: 0, runs: 0, ms: 1 },
  }),
};
