import { pageLength, type ToolOutput } from '@bae/core';
import { TOKEN_CAP, units, UNITS_PER_TOKEN } from '@bae/core/pipeline';
import { firstLine } from '../first-line.ts';
import type { Findings } from '../findings.ts';
import { jsonProblem } from '../json-problem.ts';
import type { OpenSpace } from '../open-space.ts';
import { outputProblem } from '../output-problem.ts';
import { shownCall } from '../shown-call.ts';
import type { SampleCall } from '../space-samples.ts';
import type { SpaceCheckSpec } from '../space-check.ts';
import { changingCalls, readingCalls } from '../trials.ts';
import { wholeText } from '../whole-text.ts';

const CAP = TOKEN_CAP * UNITS_PER_TOKEN;
/** Characters that a page may have besides its text: where it is, how to go on. */
const FOOTER = 400;
/** Most pages of one answer that are read. */
const PAGES = 200;

/** Whether answers are of a form and size that can be relied on. */
export const ANSWERING: readonly SpaceCheckSpec[] = [
  {
    name: 'keeps its answers within the cap, and loses nothing',
    async look(bench, findings) {
      const open = await bench.open();
      for (const call of await readingCalls(open)) await checkSize(open, call, findings);
    },
  },
  {
    name: 'answers the same call in the same way',
    async look(bench, findings) {
      const open = await bench.open();
      for (const call of await readingCalls(open)) {
        const [first, second] = [await open.call(call), await open.call(call)];
        const same = wholeText(first) === wholeText(second);
        findings.expect(
          same,
          `${shownCall(call)} answers differently the second time. Sort what is listed; leave out times and random names.`,
        );
      }
    },
  },
  {
    name: 'returns what JSON can hold',
    async look(bench, findings) {
      const open = await bench.open();
      for (const call of [...(await readingCalls(open)), ...changingCalls(open)]) {
        const { result, runs } = await open.call(call);
        if (!findings.expect(result.ok, `${shownCall(call)} fails: ${firstLine(result.text)}`)) continue;
        for (const { returned } of runs) await checkReturned(call, returned, findings);
      }
      lackSamples(open, findings);
    },
  },
];

async function checkSize(open: OpenSpace, call: SampleCall, findings: Findings): Promise<void> {
  const { result, runs } = await open.call(call);
  const returned = runs.at(-1)?.returned;
  const paged = typeof returned === 'object' && returned !== null && 'paged' in returned && returned.paged === true;
  if (paged) {
    const { length } = result.text;
    const fits = length <= pageLength() + FOOTER;
    findings.expect(
      fits,
      `${shownCall(call)} says paged: true and gives ${length} characters. A page has at most ${pageLength()}; take paged away and bae cuts it.`,
    );
    return;
  }
  const size = units(result.text);
  findings.expect(size <= CAP, `${shownCall(call)} gives ${size} units, the cap is ${CAP}.`);
  if (result.ref === undefined || result.pruned === undefined) return;
  const whole = wholeText({ result, runs });
  const kept = await readWhole(open, result.ref);
  findings.expect(kept === whole, `${shownCall(call)}: following ${result.ref} does not give back what was cut.`);
}

/** Follows the pages of a kept answer to its end. */
async function readWhole(open: OpenSpace, ref: string): Promise<string> {
  let text = '';
  let tag: string | undefined = `<R:${ref}>`;
  for (let page = 0; tag !== undefined && page < PAGES; page++) {
    const shownPage: string = (await open.say(tag)).result.text;
    const [footer, within, next]: readonly (string | undefined)[] =
      /\n\[(line[^\]]*?)(?:; next: (<R:[^>]+>))?\]$/.exec(shownPage) ?? [];
    text += shownPage.slice(0, shownPage.length - (footer ?? '').length);
    if (next !== undefined && !isInsideLine(within, next)) text += '\n';
    tag = next;
  }
  return text;
}

function isInsideLine(within: string | undefined, next: string): boolean {
  const line = /^line (\d+) /.exec(within ?? '')?.[1];
  return line !== undefined && next.includes(`:${line}@`);
}

async function checkReturned(call: SampleCall, returned: unknown, findings: Findings): Promise<void> {
  const problem = outputProblem(returned) ?? (await wholeProblem(returned)) ?? jsonProblem(withoutWhole(returned));
  findings.expect(problem === undefined, `${shownCall(call)} returns ${problem}`);
}

/** Why what code gets in the place of a part is no good; undefined when it is, or when there is no such thing. */
async function wholeProblem(returned: unknown): Promise<string | undefined> {
  const output = returned as Pick<ToolOutput, 'whole'> | null | undefined;
  if (typeof output?.whole !== 'function') return undefined;
  const whole: unknown = await output.whole();
  return typeof whole === 'string' ? undefined : 'whole as a function that gives no text.';
}

function withoutWhole(returned: unknown): unknown {
  if (typeof returned !== 'object' || returned === null || !('whole' in returned)) return returned;
  const { whole: _, ...rest } = returned;
  return rest;
}

function lackSamples({ definition, samples }: OpenSpace, findings: Findings): void {
  const verbs = new Set(['write', 'edit']);
  const others = Object.values(definition.tools).filter(({ name, effect }) => effect === 'write' && !verbs.has(name));
  for (const { name } of others) {
    if (samples.calls?.[name] === undefined) findings.lack(`samples.calls.${name}, arguments that work: { … }`);
  }
}
