import { createSecretKey } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import {
  getChangeId,
  groupOperations,
  type JournalRecord,
  createSigner,
  type Operation,
  parseRecords,
  renderRecord,
} from './journal-record.ts';
import { WorkspaceRoot } from '../workspace-root.ts';

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
const render = (records: readonly JournalRecord[]) => records.map((record) => renderRecord(record)).join('');
const TEXT = render(RECORDS);

describe('the records of a journal', () => {
  it('are read as they were written', () => {
    expect(parseRecords(TEXT)).toEqual({ records: RECORDS, unproven: [] });
  });

  it('are all read but the one that was torn, wherever that was', () => {
    fc.assert(
      fc.property(fc.nat({ max: TEXT.length }), fc.constantFrom(...RECORDS), (cut, next) => {
        const whole = RECORDS.filter((_, index) => {
          return render(RECORDS.slice(0, index + 1)).length <= cut;
        });
        expect(parseRecords(TEXT.slice(0, cut) + renderRecord(next)).records).toEqual([...whole, next]);
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
    expect(parseRecords(line)).toEqual({ records: [], unproven: [] });
  });
});

describe('the records of a signed journal', () => {
  const sign = createSigner(createSecretKey(Buffer.alloc(32, 1)), 'j');
  const signed = RECORDS.map((record) => renderRecord(record, sign));
  const operations = RECORDS.flatMap((record) => (record.type === 'start' ? [record.operation] : []));

  it('count with the key they were signed with', () => {
    expect(parseRecords(signed.join(''), sign)).toEqual({ records: RECORDS, unproven: [] });
    // An earlier bae reads them too.
    expect(parseRecords(signed.join(''))).toEqual({ records: RECORDS, unproven: [] });
  });

  it.each([
    ['without a code', TEXT, sign],
    ['with the key of somebody else', signed.join(''), createSigner(createSecretKey(Buffer.alloc(32, 2)), 'j')],
    ['in another journal', signed.join(''), createSigner(createSecretKey(Buffer.alloc(32, 1)), 'k')],
  ])('do not count %s, and their operations are known', (_, text, reader) => {
    expect(parseRecords(text, reader)).toEqual({ records: [], unproven: operations });
  });

  it.each([
    ['"path":"a \\"quoted', '"path":"b \\"quoted'],
    ['"happened":true', '"happened":false'],
    ['"number":3', '"number":9'],
    ['"type":"undone"', '"type":"undone","also":1'],
    [/"mac":"[^"]*"/g, '"mac":7'],
    [/"mac":"[^"]*"/g, '"mac":""'],
  ])('do not count when they were changed: %s', (what, by) => {
    const text = signed.join('');
    const changed = text.replaceAll(what, by);
    expect(changed).not.toBe(text);
    const { records } = parseRecords(changed, sign);
    expect(records.length).toBeLessThan(RECORDS.length);
    for (const record of records) expect(RECORDS).toContainEqual(record);
  });
});

const operation = (id: string, group?: string) => ({ id, ...(group !== undefined && { group }) }) as Operation;

describe('groupOperations', () => {
  it('puts together what was changed together, whatever came in between', () => {
    const found = groupOperations([
      operation('5'),
      operation('4', 'x'),
      operation('3'),
      operation('2', 'x'),
      operation('1'),
    ]);
    expect(found.map((change) => change.map(({ id }) => id))).toEqual([['5'], ['4', '2'], ['3'], ['1']]);
    expect(found.map(([first]) => getChangeId(first))).toEqual(['5', 'x', '3', '1']);
  });
});

describe.each(['memory', 'disk'] as const)('files that are changed together, with a journal in %s', (journal) => {
  async function open() {
    const folder = temporaryFolder({ 'old.txt': '1' });
    const workspace = new WorkspaceRoot(folder, { journal });
    await workspace.write('before.txt', 'x');
    await workspace.write('new/a.txt', 'a', { group: 'one' });
    await workspace.write('new/deep/b.txt', 'b', { group: 'one' });
    await workspace.write('old.txt', '2', { group: 'one' });
    const names = () => readdirSync(folder).filter((name) => name !== '.bae');
    return { folder, workspace, names, old: () => readFileSync(join(folder, 'old.txt'), 'utf8') };
  }

  it('are taken back together, as one step', async () => {
    const { folder, workspace, names, old } = await open();
    const later = journal === 'disk' ? new WorkspaceRoot(folder, { journal }) : workspace;
    const { undone } = await later.undo();
    expect(undone.map(({ path }) => path)).toEqual(['old.txt', 'new/deep/b.txt', 'new/a.txt']);
    expect([names(), old()]).toEqual([['before.txt', 'old.txt'], '1']);
  });

  it('stay all of them when one was changed since, and the preview reports it', async () => {
    const { folder, workspace, old } = await open();
    await workspace.write('after.txt', 'x');
    writeFileSync(join(folder, 'new/a.txt'), 'theirs');
    const { operations, changes, problem } = await workspace.planUndo({ steps: 2 });
    expect(operations.map(({ path }) => path)).toEqual(['after.txt']);
    expect(changes.map(({ path }) => path)).toEqual(['after.txt']);
    const report = await workspace.undo({ steps: 2 });
    expect(report.undone.map(({ path }) => path)).toEqual(['after.txt']);
    expect(report.problem).toEqual(problem);
    expect(problem?.message).toContain('new/a.txt changed after the write');
    expect([old(), existsSync(join(folder, 'new/deep/b.txt'))]).toEqual(['2', true]);
  });

  it('stay all of them, or none, when someone else writes one meanwhile', async () => {
    const { workspace, old } = await open();
    const undo = workspace.undo({ session: '' });
    await workspace.write('new/a.txt', 'theirs', { session: 'other' });
    const { undone } = await undo;
    expect([undone.length, old()]).toEqual(undone.length === 0 ? [0, '2'] : [3, '1']);
  });

  it('count as one among others', async () => {
    const { workspace, names, old } = await open();
    const { operations } = await workspace.planUndo({ steps: 2 });
    expect((await workspace.undo({ steps: 2 })).undone).toEqual(operations);
    expect([names(), old()]).toEqual([['old.txt'], '1']);
  });
});
