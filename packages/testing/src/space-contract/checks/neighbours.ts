import type { Findings } from '../findings.ts';
import type { OpenSpace } from '../open-space.ts';
import { printedDuring } from '../printed.ts';
import { writeChange } from '../write-change.ts';
import { difference, snapshot } from '../snapshot.ts';
import type { SpaceCheckSpec } from '../space-check.ts';
import { changingCalls, readingCalls } from '../trials.ts';

/** Whether the space gets along with everything else in the process. */
export const NEIGHBOURS: readonly SpaceCheckSpec[] = [
  {
    name: 'prints nothing',
    async look(bench, findings) {
      const printed = await printedDuring(async () => {
        const open = await bench.open();
        for (const call of [...(await readingCalls(open)), ...changingCalls(open)]) await open.call(call);
        await open.ask('dispose()', () => open.definition.dispose?.());
      });
      const remedy = 'What a tool has to say it returns; what a developer wants to see goes elsewhere.';
      for (const text of printed) findings.expect(false, `it prints ${JSON.stringify(text)}. ${remedy}`);
      findings.expect(true, '');
    },
  },
  {
    name: 'shares nothing between two instances',
    async look(bench, findings) {
      const [one, other] = [await bench.open(), await bench.open()];
      const before = await snapshot(other);
      const changed = await changeEverything(one);
      const seen = difference(before, await snapshot(other));
      findings.expect(
        seen === undefined,
        `what one instance did shows in another (${seen}). Keep state in the instance, and give create() a new one each time.`,
      );
      lackChanges(one, changed, findings);
    },
  },
  {
    name: 'can be disposed of twice',
    async look(bench, findings) {
      const open = await bench.open();
      const { definition } = open;
      if (definition.dispose === undefined) return;
      await open.ask('dispose()', () => definition.dispose?.());
      await open.ask('dispose(), called a second time,', () => definition.dispose?.());
      findings.expect(true, '');
    },
  },
];

/** Makes every change that is known; true when there was one. */
async function changeEverything(open: OpenSpace): Promise<boolean> {
  const derived = open.samples.write === undefined ? writeChange(open) : undefined;
  const calls = [...(derived === undefined ? [] : [{ tool: 'write', args: derived.args }]), ...changingCalls(open)];
  let changed = false;
  for (const call of calls) changed = (await open.call(call)).result.ok || changed;
  for (const call of await readingCalls(open)) await open.call(call);
  return changed;
}

function lackChanges({ definition }: OpenSpace, changed: boolean, findings: Findings): void {
  const canChange = Object.values(definition.tools).find(({ effect }) => effect === 'write');
  if (changed || canChange === undefined) return;
  const verb = ['write', 'edit'].includes(canChange.name);
  findings.lack(
    verb ? `samples.${canChange.name}, a call that works` : `samples.calls.${canChange.name}, arguments that work`,
  );
}
