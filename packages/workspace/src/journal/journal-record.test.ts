import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JournalRecord, parseRecords, renderRecord } from './journal-record.ts';

const VERSION = { hash: 'ab', size: 2, lines: 1 };
const RECORDS: readonly JournalRecord[] = [
  { type: 'journal', pid: 1, birth: '77', host: 'here' },
  {
    type: 'start',
    operation: {
      id: 'j/1',
      session: 's',
      time: '2026-11-20T10:00:00.000Z',
      action: 'edit',
      path: 'a "quoted"\nname.txt',
      before: { ...VERSION, mode: 420 },
      after: VERSION,
      lines: [2, 1],
      folders: ['d'],
      kept: true,
    },
  },
  { type: 'end', id: 'j/1', happened: true },
  { type: 'undone', id: 'j/1' },
  { type: 'forgotten', number: 3 },
];
const TEXT = RECORDS.map(renderRecord).join('');

describe('the records of a journal', () => {
  it('are read as they were written', () => {
    expect(parseRecords(TEXT)).toEqual(RECORDS);
  });

  it('are all read but the one that was torn, wherever that was', () => {
    fc.assert(
      fc.property(fc.nat({ max: TEXT.length }), fc.constantFrom(...RECORDS), (cut, next) => {
        const whole = RECORDS.filter((_, index) => {
          const end = RECORDS.slice(0, index + 1)
            .map(renderRecord)
            .join('').length;
          return end <= cut;
        });
        expect(parseRecords(TEXT.slice(0, cut) + renderRecord(next))).toEqual([...whole, next]);
      }),
    );
  });

  it.each([
    '[]',
    'null',
    '7',
    '{"type":"other"}',
    '{"type":"start"}',
    '{"type":"start","operation":null}',
    '{"type":"end","id":"a"}',
    '{"type":"undone","id":7}',
    '{"type":"forgotten","number":"3"}',
    '{"type":"journal","pid":"1","birth":"","host":""}',
    TEXT.split('\n')[2]!.replace('"folders":["d"]', '"folders":[7]'),
    TEXT.split('\n')[2]!.replace('"size":2', '"size":"2"'),
  ])('are nothing else: %s', (line) => {
    expect(parseRecords(line)).toEqual([]);
  });
});
