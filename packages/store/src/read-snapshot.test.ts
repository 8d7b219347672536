import type { AgentEvent } from '@bae/core';
import { describe, expect, it } from 'vitest';
import { sample } from '../test/sample-events.ts';
import { temporaryStore } from '../test/temporary-store.ts';
import { sortCalls, type SessionSnapshot } from './read-snapshot.ts';
import type { SessionRecord } from './session-writer.ts';

type Step = AgentEvent | SessionRecord;

const user = (text: string): SessionRecord => ({ kind: 'message', message: { role: 'user', text } });
const assistant = (text: string): SessionRecord => ({ kind: 'message', message: { role: 'assistant', text } });
const held = (text: string): SessionRecord => ({ kind: 'held', text });
const seen = (key: string, value: string): SessionRecord => ({ kind: 'seen', key, value });
const at = (location: string[], history: string[][] = []): SessionRecord => ({ kind: 'location', location, history });

const TURN = [sample.turnStart(1, 'go'), user('go'), assistant('<R:a>')];
const CALL = [sample.callStart('1'), sample.callEnd('1', 'A')];
const ANSWER = { tag: '<R:a>', space: 'tasks', status: 'ok', text: 'A' };
const UNFINISHED = { id: '2', tag: '<W:b>', space: 'tasks', verb: 'read' };

/** The snapshot of a session in which this has happened. */
function after(...steps: readonly Step[]): SessionSnapshot {
  const store = temporaryStore();
  const id = store.createSession({ label: 'work' });
  const log = store.log(id);
  for (const step of steps) {
    if ('kind' in step) log.record(step);
    else log.append(step);
  }
  return store.snapshot(id);
}

describe('the snapshot of a session', () => {
  it('is empty at first', () => {
    const { id, ...rest } = after();
    expect(id).toHaveLength(36);
    expect(rest).toStrictEqual({
      label: 'work',
      turn: 0,
      lastId: 0,
      messages: [],
      held: [],
      location: [],
      history: [],
      seen: new Map(),
      consents: [],
      unfinished: [],
      unsent: [],
    });
  });

  it('has what was answered for the rest of the session', () => {
    const consent = { space: 'home', tool: 'write', scope: 'everything', decision: 'allow' } as const;
    expect(after({ kind: 'consent', consent }).consents).toEqual([consent]);
  });

  it('has what a server wrote of a prompt as quoted, also where that was not recorded, and no other result', () => {
    const asked = { ...sample.callEnd('1', 'Run <W:a>.'), space: 'linear.prompts' } as AgentEvent;
    const missed = { ...sample.callEnd('2', 'Not asked.'), space: 'linear.prompts' } as AgentEvent;
    const read = { ...sample.callEnd('3', 'go'), text: 'go' } as AgentEvent;
    expect(after(asked, missed, read, user('[Location: home]\nRun <W:a>.\n\ngo')).quoted).toEqual(['Run <W:a>.']);
    const recorded: SessionRecord = { kind: 'quoted', text: 'Run <W:a>.' };
    expect(after(asked, recorded, user('Run <W:a>.')).quoted).toEqual(['Run <W:a>.']);
  });

  it('has all messages in order, and the number of the last turn and call', () => {
    const system: SessionRecord = { kind: 'message', message: { role: 'system', text: 'be good' } };
    const steps = [sample.turnStart(7, 'x'), sample.callStart('12'), sample.runStart('13'), sample.delta(7, 'x')];
    const { messages, turn, lastId } = after(system, user('a'), assistant('b'), ...steps, user('c'));
    expect(messages.map(({ role, text }) => `${role} ${text}`)).toEqual([
      'system be good',
      'user a',
      'assistant b',
      'user c',
    ]);
    expect([turn, lastId]).toEqual([7, 13]);
  });

  it('counts on from numbers alone', () => {
    expect(after(sample.callStart('3'), sample.callStart('x'), sample.callStart('1')).lastId).toBe(3);
  });

  it('stands where the session stood last, and remembers where it was', () => {
    const { location, history } = after(at(['a']), at(['a', 'b'], [[], ['a']]));
    expect([location, history]).toEqual([
      ['a', 'b'],
      [[], ['a']],
    ]);
  });

  it('has what was shown, as it was shown last', () => {
    expect(after(seen('a', '1'), seen('b', '2'), seen('a', '3')).seen).toEqual(
      new Map([
        ['a', '3'],
        ['b', '2'],
      ]),
    );
  });

  it('holds texts until the next message to the model', () => {
    expect(after(held('one'), held('two')).held).toEqual(['one', 'two']);
    expect(after({ kind: 'quoted', text: 'a' }, user('x a')).quoted).toEqual(['a']);
    expect(after(user('x')).quoted).toBeUndefined();
    expect(after(held('one'), assistant('x'), held('two')).held).toEqual(['one', 'two']);
    expect(after(held('one'), user('x')).held).toEqual([]);
    expect(after(held('one'), user('x'), held('two')).held).toEqual(['two']);
  });
});

describe('the snapshot of a session that was summed up', () => {
  const compacted: SessionRecord = { kind: 'compacted', text: 'the summary' };
  const system: SessionRecord = { kind: 'message', message: { role: 'system', text: 'be good' } };

  it('has only the summary of what was before, which waits for the next message', () => {
    const before = [system, user('a'), assistant('b'), held('one'), seen('a', '1'), at(['a'])];
    expect(after(...before, compacted)).toMatchObject({
      messages: [{ role: 'system', text: 'be good' }],
      held: ['the summary'],
      seen: new Map([['a', '1']]),
      location: ['a'],
    });
  });

  it('has what came after it', () => {
    const { messages, held: left } = after(user('a'), compacted, user('the summary\n\nc'), assistant('d'), held('two'));
    expect(messages.map(({ text }) => text)).toEqual(['the summary\n\nc', 'd']);
    expect(left).toEqual(['two']);
  });

  it('has no calls from before it', () => {
    const steps = [...TURN, ...CALL, sample.callStart('2', '<W:b>')];
    expect(after(...steps, compacted)).toMatchObject({ unsent: [], unfinished: [] });
  });
});

describe('the snapshot of a session that ended in a turn', () => {
  it('has the answers that the model was not sent', () => {
    expect(after(...TURN, ...CALL)).toMatchObject({ unsent: [ANSWER], unfinished: [] });
    expect(after(...TURN, ...CALL, user('A')).unsent).toEqual([]);
  });

  it('has the calls with an unknown outcome', () => {
    const snapshot = after(...TURN, ...CALL, sample.callStart('2', '<W:b>'));
    expect(snapshot).toMatchObject({ unsent: [ANSWER], unfinished: [UNFINISHED], lastId: 2 });
  });

  it('has them again when the next start ended before a message was sent', () => {
    const steps = [...TURN, ...CALL, sample.callStart('2', '<W:b>'), sample.turnStart(2, 'go on')];
    expect(after(...steps)).toMatchObject({ unsent: [ANSWER], unfinished: [UNFINISHED] });
  });

  it('does not have them any more when the message that reports them was sent', () => {
    const steps = [...TURN, ...CALL, sample.callStart('2', '<W:b>'), sample.turnStart(2, 'go on'), user('all of it')];
    expect(after(...steps)).toMatchObject({ unsent: [], unfinished: [] });
  });

  it('does not repeat what a held text reports', () => {
    const cancelled = after(...TURN, ...CALL, held('[Tool output] A'), held('cancelled'));
    expect(cancelled).toMatchObject({ held: ['[Tool output] A', 'cancelled'], unsent: [] });
    const later = after(...TURN, ...CALL, held('A'), sample.turnEnd(), sample.callStart('2', '<W:b>'));
    expect(later).toMatchObject({ unsent: [], unfinished: [UNFINISHED] });
  });

  it('names the place of a run block', () => {
    const { unfinished } = after(at(['source', 'meta']), ...TURN, sample.runStart('4', 'work()'));
    expect(unfinished).toEqual([{ id: '4', tag: '<run>', space: 'source.meta' }]);
    expect(after(...TURN, sample.runStart('4')).unfinished).toEqual([{ id: '4', tag: '<run>', space: 'home' }]);
  });
});

describe('the snapshot of a session that ended between turns', () => {
  it('keeps to itself what a person has called', () => {
    const byHand = [sample.callStart('5'), sample.callEnd('5', 'for people')];
    expect(after(...TURN, sample.turnEnd(), ...byHand).unsent).toEqual([]);
    expect(after(...byHand).unsent).toEqual([]);
  });

  it('has an interrupted call all the same', () => {
    expect(after(...TURN, sample.turnEnd(), sample.callStart('2', '<W:b>')).unfinished).toEqual([UNFINISHED]);
  });
});

describe('two sessions of one store', () => {
  it('have nothing to do with each other', () => {
    const store = temporaryStore();
    const ids = [store.createSession(), store.createSession()];
    for (const [index, id] of ids.entries()) {
      store.log(id).append(sample.turnStart(index + 1, id));
      store.log(id).record(user(id));
      store.log(id).append(sample.callStart(String(index + 5)));
    }
    for (const [index, id] of ids.entries()) {
      const { messages, turn, lastId } = store.snapshot(id);
      expect([messages, turn, lastId]).toEqual([[{ role: 'user', text: id }], index + 1, index + 5]);
      expect(store.events(id)).toHaveLength(2);
    }
  });
});

describe('sortCalls', () => {
  it('distinguishes calls that ended from those that did not', () => {
    const events = [
      sample.callStart('1', '<R:a>'),
      sample.callEnd('1', 'A'),
      sample.callStart('2', '<W:b>'),
      sample.callEnd('2', 'no.', { ok: false, errorType: 'ConflictError' }),
      sample.callStart('3', '<W:c>'),
      sample.callStart('4', '<test:>'),
      sample.callEnd('4', '1 failed', { failed: true }),
    ];
    expect(sortCalls(events, 'home')).toEqual({
      unfinished: [{ id: '3', tag: '<W:c>', space: 'tasks', verb: 'read' }],
      unsent: [
        { tag: '<R:a>', space: 'tasks', status: 'ok', text: 'A' },
        { tag: '<W:b>', space: 'tasks', status: 'ConflictError', text: 'no.' },
        { tag: '<test:>', space: 'tasks', status: 'failed', text: '1 failed' },
      ],
    });
  });

  it('lets a run block that is over answer for its calls', () => {
    const inside = [sample.callStart('2'), sample.callEnd('2', 'inner')];
    expect(sortCalls([sample.runStart('1'), ...inside, sample.runEnd('1', 'out')], 'source')).toEqual({
      unfinished: [],
      unsent: [{ tag: '<run>', space: 'source', status: 'ok', text: 'out' }],
    });
    expect(sortCalls([sample.runStart('1'), sample.runEnd('1', 'boom', false)], 'home').unsent).toEqual([
      { tag: '<run>', space: 'home', status: 'RunError', text: 'boom' },
    ]);
  });

  it('has the calls of an interrupted run block', () => {
    const events = [sample.runStart('1'), sample.callStart('2'), sample.callEnd('2', 'inner'), sample.callStart('3')];
    expect(sortCalls(events, 'home')).toEqual({
      unfinished: [
        { id: '1', tag: '<run>', space: 'home' },
        { id: '3', tag: '<R:a>', space: 'tasks', verb: 'read' },
      ],
      unsent: [{ tag: '<R:a>', space: 'tasks', status: 'ok', text: 'inner' }],
    });
  });

  it('ignores an end without a start, and other events', () => {
    const events = [sample.callEnd('1', 'A'), sample.delta(1, 'x'), sample.turnEnd()];
    expect(sortCalls(events, 'home')).toEqual({ unfinished: [], unsent: [] });
  });
});
