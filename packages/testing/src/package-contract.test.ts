import { describe, expect, it } from 'vitest';
import { PACKAGE_COMPLAINTS } from '../test/package-complaints.ts';
import { PACKAGE_DEFECTS, packageParts, type PackageDefect } from '../test/package-defects.ts';
import { packageContract } from './package-contract.ts';
import { describePlugin } from './vitest.ts';

describePlugin({ ...packageParts() });

async function runAll(exports: object): Promise<Readonly<Record<string, string>>> {
  const outcomes: Record<string, string> = {};
  for (const check of packageContract(exports)) outcomes[check.name] = (await check.run()).status;
  return outcomes;
}

/** What the check that is meant to notice a defect says of it. */
async function complaintsOf({ check: name, breaks }: PackageDefect): Promise<readonly string[]> {
  const parts = packageParts();
  breaks(parts);
  const check = packageContract({ ...parts }).find((one) => one.name === name)!;
  const complaint = await check.run().then(JSON.stringify, (error: Error) => error.message);
  return complaint.split('\n');
}

describe('the contract of a package', () => {
  it('is kept by a good one, whole', async () => {
    expect(new Set(Object.values(await runAll({ ...packageParts() })))).toEqual(new Set(['passed']));
  });

  it('does not require options or hooks', async () => {
    expect(new Set(Object.values(await runAll({ spaces: [] })))).toEqual(new Set(['not-applicable']));
  });

  it('takes hooks as a list, and calls that they are about', async () => {
    const seen: string[] = [];
    const hooks = [{ name: 'spy', beforeCall: ({ tool }: { tool: string }) => void seen.push(tool) }];
    const calls = [{ space: 'shop', tool: 'refund', arg: '' }];
    for (const check of packageContract({ hooks }, { calls })) await check.run();
    expect(seen).toContain('refund');
  });
});

describe('for a defect the contract of a package says what is wrong and how to fix it:', () => {
  it.each(PACKAGE_DEFECTS)('$name', async (defect) => {
    expect(await complaintsOf(defect)).toEqual(PACKAGE_COMPLAINTS[defect.name]);
  });

  it('there are more than 70 of them, each of which is caught', () => {
    const names = new Set(PACKAGE_DEFECTS.map(({ name }) => name));
    expect([...names].toSorted()).toEqual(Object.keys(PACKAGE_COMPLAINTS).toSorted());
    expect([names.size, names.size > 70]).toEqual([PACKAGE_DEFECTS.length, true]);
    expect(
      Object.values(PACKAGE_COMPLAINTS)
        .flat()
        .filter((text) => text.startsWith('{"status"')),
    ).toEqual([]);
  });
});
