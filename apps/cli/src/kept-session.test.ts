import type { SessionInfo } from '@bae/store';
import { describe, expect, it } from 'vitest';
import { findSession } from './kept-session.ts';

const session = (id: string): SessionInfo => ({
  id,
  label: '1',
  started: new Date(0),
  cwd: '',
  meta: {},
  turns: 0,
  messages: 0,
  calls: 0,
  entries: 0,
});
const SESSIONS = ['0199bb', '0199aa', '0188cc'].map(session);

describe('findSession', () => {
  it('takes the newest for the last one', () => {
    expect(findSession(SESSIONS, 'last').id).toBe('0199bb');
  });

  it('finds a session by the beginning of its id', () => {
    expect(findSession(SESSIONS, '018').id).toBe('0188cc');
  });

  it.each([
    [SESSIONS, '0199', "2 sessions begin with '0199'. Give more of the id."],
    [SESSIONS, 'ff', "no session begins with 'ff'."],
    [SESSIONS, '', 'name a session by the start of its id, or as last.'],
    [[], 'last', 'there is no session in this folder.'],
  ])('explains that no session matches, or more than one', (sessions, wanted, message) => {
    expect(() => findSession(sessions, wanted)).toThrow(message);
  });
});
