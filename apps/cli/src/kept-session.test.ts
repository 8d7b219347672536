import type { SessionInfo } from '@bae/store';
import { describe, expect, it } from 'vitest';
import { findSession, isUnused } from './kept-session.ts';

const session = (id: string, turns = 1): SessionInfo => ({
  id,
  label: '1',
  started: new Date(0),
  cwd: '',
  meta: {},
  turns,
  messages: 0,
  calls: 0,
  entries: 0,
});
const SESSIONS = [session('0199bb', 0), session('0199aa'), session('0188cc')];

describe('findSession', () => {
  it('takes the newest that has a conversation and is not open for the last one', () => {
    expect(findSession(SESSIONS, 'last').id).toBe('0199aa');
    expect(findSession(SESSIONS, 'last', '0199aa').id).toBe('0188cc');
    expect(() => findSession([session('0199aa')], 'last', '0199aa')).toThrow('there is no other session');
  });

  it('tells a session that was never used from one in which a tag was typed', () => {
    expect(isUnused(session('01', 0))).toBe(true);
    expect(isUnused({ ...session('01', 0), calls: 1 })).toBe(false);
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
