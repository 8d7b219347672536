import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HOSTILE_TEXTS } from '../../test/hostile-texts.ts';
import { ACTIVE, ACTIVE_TASKS, STATUSES } from '../task.ts';
import { parseReadTarget } from './read-target.ts';

const filterOf = (text: string) => {
  const parsed = parseReadTarget(text);
  if ('value' in parsed && parsed.value.kind === 'list') return parsed.value.filter;
  throw new Error(JSON.stringify(parsed));
};
const expectedFor = (text: string) => {
  const parsed = parseReadTarget(text);
  return 'expected' in parsed ? parsed.expected : 'nothing';
};

describe('what is read', () => {
  it.each(['7', ' 7 ', '#7'])('is a task for %j', (text) => {
    expect(parseReadTarget(text)).toEqual({ value: { kind: 'task', id: 7 } });
  });

  it.each(['history:7', 'History: #7'])('is a history for %j', (text) => {
    expect(parseReadTarget(text)).toEqual({ value: { kind: 'history', id: 7 } });
  });

  it('is every active task for nothing', () => {
    expect(parseReadTarget(' ')).toEqual({ value: { kind: 'list', filter: ACTIVE_TASKS, words: '' } });
  });

  it.each([
    ['status:open', { statuses: ['open'] }],
    ['status:done,BLOCKED', { statuses: ['done', 'blocked'] }],
    ['done', { statuses: ['done'] }],
    ['status:ready', { ready: true, statuses: ['open'] }],
    ['Ready', { ready: true, statuses: ['open'] }],
    ['tag:auth', { tags: [['auth']] }],
    ['tag:Auth,ui+docs', { tags: [['auth'], ['ui', 'docs']] }],
    ['tag:auth , ui', { tags: [['auth'], ['ui']] }],
    ['priority:1', { priorities: [[1]] }],
    ['priority:1.*', { priorities: [[1]] }],
    [
      'priority:1.2.*,0.0.0',
      {
        priorities: [
          [1, 2],
          [0, 0, 0],
        ],
      },
    ],
    ['priority:1.*.*', { priorities: [[1]] }],
    ['parent:3,#4', { parents: [3, 4] }],
    ['stale:', { stale: true }],
    ['all:', { statuses: STATUSES }],
    ['all: status:open', { statuses: ['open'] }],
    ['status:open all:', { statuses: ['open'] }],
    ['tag:auth priority:2 parent:3', { tags: [['auth']], priorities: [[2]], parents: [3], statuses: ACTIVE }],
  ])('is what passes %j', (text, part) => {
    expect(filterOf(text)).toEqual({ ...ACTIVE_TASKS, ...part });
  });

  it.each([
    ['login', 'an id, or filters of status: tag: priority: parent: ready: stale: all:'],
    ['stauts:open', 'an id, or filters of status: tag: priority: parent: ready: stale: all: (did you mean status?)'],
    ['status:bogus', 'status: followed by one or more of in_progress, open, blocked, done, cancelled'],
    [
      'status:opne,done',
      'status: followed by one or more of in_progress, open, blocked, done, cancelled (did you mean open?)',
    ],
    ['status:', 'status: followed by one or more of in_progress, open, blocked, done, cancelled'],
    ['tag:', 'tag: followed by tags, auth,ui for one of them, auth+ui for both'],
    ['tag:a+', 'tag: followed by tags, auth,ui for one of them, auth+ui for both'],
    ['priority:x', 'priority: followed by priorities like 1.* or 1.2.0'],
    ['priority:1.*.2', 'priority: followed by priorities like 1.* or 1.2.0'],
    ['parent:x', 'parent: followed by ids like 3'],
    ['stale:30', 'stale: followed by nothing'],
    ['all:x', 'all: followed by nothing'],
    ['tag:a tag:b', 'tag: once, with alternatives joined by a comma'],
    ['0', 'an id, or filters of status: tag: priority: parent: ready: stale: all:'],
    ['2 statuss=done', 'an id alone, or a change of known fields: statuss is none (did you mean status?)'],
    [
      '2 x=1 title=y',
      'an id alone, or a change of known fields: x is none (there are title, status, priority, tags, parent, after, gated, metadata, version)',
    ],
    ['2 title=x body=y', 'an id alone; a body stands between the tags: <E:2>text</E>'],
    ['2 status=', 'an id alone; a change is <E:2 status=done>'],
  ])('is nothing for %j', (text, expected) => {
    expect(expectedFor(text)).toBe(expected);
  });

  it('has at most eight alternatives', () => {
    const tags = Array.from({ length: 9 }, (_, index) => `t${index}`);
    expect(filterOf(`tag:${tags.slice(1).join(',')}`).tags).toHaveLength(8);
    expect(expectedFor(`tag:${tags.join(',')}`)).toContain('tags, auth,ui for one of them');
    expect(expectedFor(`tag:${tags.join('+')}`)).toContain('tags, auth,ui for one of them');
  });

  it('is known for every text', { tags: ['long'] }, () => {
    const key = fc.constantFrom(
      'status:',
      'tag:',
      'priority:',
      'parent:',
      'stale:',
      'all:',
      '__proto__:',
      'constructor:',
    );
    const piece = fc.oneof(key, fc.constantFrom(...HOSTILE_TEXTS), fc.string({ unit: 'binary' }), fc.constant('open'));
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 5 }), (pieces) => {
        expect(Object.keys(parseReadTarget(pieces.join('')))).toHaveLength(1);
      }),
    );
  });
});
