import type { ToolDefinition } from '@bae/core';
import { firstParam } from '../example-arguments.ts';
import { firstLine } from '../first-line.ts';
import type { Findings } from '../findings.ts';
import type { OpenSpace } from '../open-space.ts';
import type { SampleCall } from '../space-samples.ts';
import type { SpaceCheckSpec } from '../space-check.ts';
import { NO_MATCH } from '../searches.ts';

const NO_NUMBER = 987_654_321;
const INHERITED = ['constructor', '__proto__'];
const TAG = /<[A-Za-z][^\s<>]*?:[^<>]*>/g;
const SOUNDS_MISSING =
  /^\s*$|^(\(no output\)|null|undefined|\[\]|\{\}|none|nothing)\.?$|\b(not found|no such|does not exist|doesn't exist|unknown|missing|cannot find)\b/i;

/** Whether a model that asks for what is not there learns what is. */
export const MISSING: readonly SpaceCheckSpec[] = [
  {
    name: 'says what to try when a target is not there',
    async look(bench, findings) {
      const open = await bench.open();
      if (open.samples.missing === null) return;
      for (const call of callsForMissing(open)) await checkMissing(open, call, findings);
      await checkInherited(open, findings);
    },
  },
];

/** A read, and every sampled call of a tool that addresses things as read does. */
function callsForMissing({ definition, samples }: OpenSpace): readonly SampleCall[] {
  const { read } = definition.tools;
  const first = read && firstParam(read);
  const target = first && (samples.missing ?? derived(first.type));
  if (first === undefined || target === undefined) return [];
  const sampled = Object.entries({ ...samples.calls, ...(samples.edit && { edit: samples.edit.args }) });
  const others = sampled.filter(([name]) => addresses(definition.tools[name], first.name));
  return [['read', {}] as const, ...others].map(([tool, args]) => ({ tool, args: { ...args, [first.name]: target } }));
}

function derived(type: string): string | number | undefined {
  if (type === 'int' || type === 'number') return NO_NUMBER;
  return type === 'string' ? NO_MATCH : undefined;
}

function addresses(tool: ToolDefinition | undefined, first: string): boolean {
  return tool !== undefined && tool.name !== 'read' && firstParam(tool)?.name === first;
}

async function checkMissing(open: OpenSpace, call: SampleCall, findings: Findings): Promise<void> {
  const first = firstParam(open.definition.tools[call.tool]!)?.name ?? '';
  const target = String(call.args[first]);
  const name = `${call.tool}(${target})`;
  const { result } = await open.call(call);
  const { text } = result;
  const remedy = `Throw new ResourceError('no … ${target}.', ['<R:>']).`;
  const isDerived = open.samples.missing === undefined;
  if (isDerived && (!result.ran || (result.ok && !SOUNDS_MISSING.test(text)))) {
    findings.lack('samples.missing, something that read does not find; null where it finds everything');
    return;
  }
  if (!findings.expect(!result.ok, `${name}: that it is not there comes as an answer, not as an error. ${remedy}`))
    return;
  const own = result.stack === undefined;
  if (!findings.expect(own, `${name} fails by accident: ${firstLine(text)} Look first whether it is there. ${remedy}`))
    return;
  findings.expect(text.includes(target), `${name}: the error does not name what was asked for. ${remedy}`);
  const [, hints] = /\nTry: ([^]*)$/.exec(text) ?? [];
  if (!findings.expect(hints !== undefined, `${name}: the error has no hint to go on with. ${remedy}`)) return;
  for (const [tag] of hints!.matchAll(TAG)) await checkHint(open, { name, tag }, findings);
}

/** Names that every object has: found by whoever looks for them in one. */
async function checkInherited(open: OpenSpace, findings: Findings): Promise<void> {
  const { read } = open.definition.tools;
  if (read === undefined || firstParam(read)?.type !== 'string') return;
  for (const target of INHERITED) {
    const { result, runs } = await open.read(target);
    const returned = runs.at(-1)?.returned;
    const isFound = result.ok && (typeof returned === 'function' || returned === Object.prototype);
    findings.expect(
      !isFound,
      `read(${target}) finds what every object has. Keep things in a Map, or ask Object.hasOwn().`,
    );
  }
}

async function checkHint(
  open: OpenSpace,
  { name, tag }: { readonly name: string; readonly tag: string },
  findings: Findings,
): Promise<void> {
  const verb = /^<(?:[\w.-]*\.)?(\w+):/.exec(tag)?.[1]?.toLowerCase() ?? '';
  if (!['r', 'read', 'g', 'glob', 'grep'].includes(verb)) return;
  const { result } = await open.say(tag);
  findings.expect(
    result.ok,
    `${name}: its hint ${tag} fails, too: ${firstLine(result.text)} Hint at something that works.`,
  );
}
