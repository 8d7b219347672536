// @module-tag long

import { describe, expect, it } from 'vitest';
import { COMPLAINTS } from '../test/complaints.ts';
import type { Defect } from '../test/defect.ts';
import { DEFECTS_OF_CONDUCT } from '../test/defects-of-conduct.ts';
import { DEFECTS_OF_FORM } from '../test/defects-of-form.ts';
import { DEFECTS_OF_REPORTS } from '../test/defects-of-reports.ts';
import { NOTES_SAMPLES, notesParts, SECRET, spaceOf } from '../test/notes-space.ts';
import { resourcespaceContract } from './resourcespace-contract.ts';

const DEFECTS = [...DEFECTS_OF_FORM, ...DEFECTS_OF_CONDUCT, ...DEFECTS_OF_REPORTS];

/** What the check that is meant to notice a defect says of it. */
async function complaintsOf({ check: name, breaks }: Defect): Promise<readonly string[]> {
  const create = () => {
    const parts = notesParts();
    breaks(parts);
    return { space: spaceOf(parts), secrets: [SECRET] };
  };
  const checks = resourcespaceContract({ create, samples: NOTES_SAMPLES, patienceMs: 1500 });
  const check = checks.find((one) => one.name === name);
  const complaint = await check?.run().then(JSON.stringify, (error: Error) => error.message);
  return (complaint ?? 'no such check').replaceAll(/\d+ ms/g, 'some ms').split('\n');
}

describe('for a defect the contract reports what is wrong and how to fix it:', () => {
  it.each(DEFECTS)('$name', async (defect) => {
    expect(await complaintsOf(defect)).toEqual(COMPLAINTS[defect.name]);
  });

  it('there are more than 100 of them, each of which is caught', () => {
    const names = new Set(DEFECTS.map(({ name }) => name));
    expect([...names].toSorted()).toEqual(Object.keys(COMPLAINTS).toSorted());
    expect(names.size).toBe(DEFECTS.length);
    expect(names.size).toBeGreaterThan(100);
    const passed = Object.values(COMPLAINTS)
      .flat()
      .filter((text) => text.startsWith('{"status"'));
    expect(passed).toEqual([]);
  });
});
