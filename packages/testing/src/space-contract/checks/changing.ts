import { firstLine } from '../first-line.ts';
import type { Findings } from '../findings.ts';
import type { OpenSpace } from '../open-space.ts';
import { editChange } from '../edit-change.ts';
import { writeChange, type Change } from '../write-change.ts';
import { wholeText } from '../whole-text.ts';
import type { Bench, SpaceCheckSpec } from '../space-check.ts';

type Verb = 'write' | 'edit';

/** Whether what was changed can be seen. */
export const CHANGING: readonly SpaceCheckSpec[] = [
  {
    name: 'shows by read what was written',
    look: (bench, findings) => checkRoundTrip(bench, 'write', findings),
  },
  {
    name: 'shows by read what was edited',
    look: (bench, findings) => checkRoundTrip(bench, 'edit', findings),
  },
];

async function checkRoundTrip(bench: Bench, verb: Verb, findings: Findings): Promise<void> {
  const open = await bench.open();
  const { tools } = open.definition;
  if (tools[verb] === undefined || tools['read'] === undefined) return;
  const change = verb === 'write' ? writeChange(open) : await editChange(open);
  const before = change === undefined ? '' : wholeText(await open.read(change.readAs));
  const answer = change && (await open.call({ tool: verb, args: change.args }));
  if (change === undefined || (!change.sampled && answer?.result.ok !== true)) {
    findings.lack(`samples.${verb}, a call that works: { args: { … }, readAs: '…', shows: '…' }`);
    return;
  }
  const { result } = answer!;
  if (!findings.expect(result.ok, `${verb} fails with the sample: ${firstLine(result.text)} Mend it, or the sample.`))
    return;
  findings.expect(result.text.trim() !== '', `${verb} confirms nothing. Say what was changed.`);
  await checkShown(open, { verb, change, before }, findings);
}

async function checkShown(
  open: OpenSpace,
  { verb, change, before }: { readonly verb: Verb; readonly change: Change; readonly before: string },
  findings: Findings,
): Promise<void> {
  const { readAs, shows, sampled } = change;
  const answer = await open.read(readAs);
  const { result } = answer;
  const text = wholeText(answer);
  if (!result.ok && !sampled) {
    findings.lack(`samples.${verb} with readAs, what read is called with afterwards`);
    return;
  }
  const where = `read(${readAs}) after the ${verb}`;
  if (!findings.expect(result.ok, `${where} fails: ${firstLine(result.text)}`)) return;
  if (verb === 'edit')
    findings.expect(text !== before, `${where} shows the same as before, although the edit says it was made.`);
  const lost = shows.split('\n').find((line) => !text.includes(line));
  findings.expect(
    lost === undefined,
    `${where} does not show ${JSON.stringify(lost)}. Keep the body exactly as it came.`,
  );
}
