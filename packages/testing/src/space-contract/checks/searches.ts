import type { ToolResult } from '@bae/core';
import type { OpenSpace } from '../open-space.ts';
import { quoteFirstLine } from '../quote.ts';
import type { Findings, SpaceCheckSpec } from '../run-check.ts';
import { findMatchingCall, NO_MATCH, makeSearchCall, makeUnmatchedCall } from '../sample-calls.ts';
import type { SampleCall } from '../space-samples.ts';
import { findFirstParam } from '../tool-arguments.ts';

const NO_NUMBER = 987_654_321;
const TAG = /<[A-Za-z][^\s<>]*?:[^<>]*>/g;
const SOUNDS_MISSING =
  /^\s*$|^(\(no output\)|null|undefined|\[\]|\{\}|none|nothing)\.?$|\b(not found|no such|does not exist|doesn't exist|unknown|missing|cannot find)\b/i;

/** Whether a model that asks for something missing learns what there is. */
export const MISSING_TARGET_CHECKS: readonly SpaceCheckSpec[] = [
  {
    name: 'suggests what to try when a target is missing',
    async look(open, findings) {
      if (open.samples.missing === null) return;
      for (const call of makeMissingCalls(open)) await checkMissing(open, call, findings);
      await checkInherited(open, findings);
    },
  },
];

/** A read, and every sampled call of a tool that takes the same targets as read. */
function makeMissingCalls({ definition, samples }: OpenSpace): readonly SampleCall[] {
  const { tools } = definition;
  const first = tools['read'] && findFirstParam(tools['read']);
  const target = samples.missing ?? chooseMissingTarget(first?.type);
  if (first === undefined || target === undefined) return [];
  const sampled = Object.entries({ ...samples.calls, ...(samples.edit && { edit: samples.edit.args }) });
  const others = sampled.filter(([name]) => {
    const tool = tools[name];
    return tool !== undefined && name !== 'read' && findFirstParam(tool)?.name === first.name;
  });
  return [['read', {}] as const, ...others].map(([tool, args]) => ({ tool, args: { ...args, [first.name]: target } }));
}

function chooseMissingTarget(type: string | undefined): string | number | undefined {
  if (type === 'int' || type === 'number') return NO_NUMBER;
  return type === 'string' ? NO_MATCH : undefined;
}

async function checkMissing(open: OpenSpace, call: SampleCall, findings: Findings): Promise<void> {
  const first = findFirstParam(open.definition.tools[call.tool]!)?.name ?? '';
  const target = String(call.args[first]);
  const name = `${call.tool}(${target})`;
  const { result } = await open.call(call);
  const { ok, text } = result;
  const remedy = `Throw new ResourceError('no … ${target}.', ['<R:>']).`;
  const isDerived = open.samples.missing === undefined;
  if (isDerived && (!result.ran || (ok && !SOUNDS_MISSING.test(text)))) {
    findings.lack('samples.missing, something that read does not find; null where it finds everything');
    return;
  }
  if (!findings.expect(!ok, `${name}: a missing target is returned as a result, not thrown as an error. ${remedy}`))
    return;
  const accident = `${name} fails by accident: ${quoteFirstLine(text)} Look first whether it is there. ${remedy}`;
  if (!findings.expect(result.stack === undefined, accident)) return;
  findings.expect(text.includes(target), `${name}: the error does not name what was asked for. ${remedy}`);
  const hints = /\nTry: ([^]*)$/.exec(text)?.[1];
  if (!findings.expect(hints !== undefined, `${name}: the error has no hint to go on with. ${remedy}`)) return;
  for (const [tag] of hints!.matchAll(TAG)) await checkHint(open, { name, tag }, findings);
}

async function checkHint(
  open: OpenSpace,
  { name, tag }: { readonly name: string; readonly tag: string },
  findings: Findings,
): Promise<void> {
  const verb = /^<(?:[\w.-]*\.)?(\w+):/.exec(tag)?.[1]?.toLowerCase() ?? '';
  if (!['r', 'read', 'g', 'glob', 'grep'].includes(verb)) return;
  const { result } = await open.runText(tag);
  findings.expect(
    result.ok,
    `${name}: its hint ${tag} fails, too: ${quoteFirstLine(result.text)} Hint at something that works.`,
  );
}

/** Checks that names of members that every object inherits are not found. */
async function checkInherited(open: OpenSpace, findings: Findings): Promise<void> {
  const { read } = open.definition.tools;
  if (read === undefined || findFirstParam(read)?.type !== 'string') return;
  for (const target of ['constructor', '__proto__']) {
    const { result, runs } = await open.read(target);
    const returned = runs.at(-1)?.returned;
    const isFound = result.ok && (typeof returned === 'function' || returned === Object.prototype);
    findings.expect(
      !isFound,
      `read(${target}) finds what every object has. Keep things in a Map, or use Object.hasOwn().`,
    );
  }
}

/** Longest text of a search that found nothing, and how much of it a complaint quotes, in characters. */
const SENTENCE = 240;
const QUOTED = 60;
const MOST_HITS = 2;
/** Not a regular expression, and hardly a glob pattern. */
const ODD_PATTERN = '([{';

/** Whether searches find what is there, and say so when there is nothing. */
export const SEARCH_CHECKS: readonly SpaceCheckSpec[] = [
  {
    name: 'returns a sentence for a search without matches',
    async look(open, findings) {
      for (const verb of listSearchVerbs(open)) {
        checkNothing(verb, (await open.call(makeUnmatchedCall(open, verb))).result, findings);
        await checkOddPattern(open, verb, findings);
      }
    },
  },
  {
    name: 'finds what there is',
    async look(open, findings) {
      for (const verb of listSearchVerbs(open)) await checkMatch(open, verb, findings);
    },
  },
  {
    name: 'finds over all spaces what it can read',
    async look(open, findings) {
      if (open.definition.search !== undefined) await checkSearch(open, findings);
    },
  },
];

function listSearchVerbs({ definition }: OpenSpace): readonly ('glob' | 'grep')[] {
  return (['glob', 'grep'] as const).filter((verb) => definition.tools[verb] !== undefined);
}

function checkNothing(verb: string, { ok, text, rows = 0 }: ToolResult, findings: Findings): void {
  const remedy = "Return a sentence: 'No ticket matches …'.";
  const search = `${verb} without a match`;
  if (!findings.expect(ok, `${search} is an error: ${quoteFirstLine(text)} ${remedy}`)) return;
  const isSentence = /\p{L}+\s+\S*\p{L}/u.test(text) && text !== '(no output)';
  findings.expect(isSentence, `${search} returns ${JSON.stringify(text.slice(0, QUOTED))}. ${remedy}`);
  findings.expect(text.length <= SENTENCE, `${search} returns ${text.length} characters. ${remedy}`);
  findings.expect(rows === 0, `${search} reports ${rows} rows. Return rows: 0.`);
}

async function checkOddPattern(open: OpenSpace, verb: 'glob' | 'grep', findings: Findings): Promise<void> {
  const { result } = await open.call(makeSearchCall(open, verb, ODD_PATTERN));
  findings.expect(
    result.ok || result.stack === undefined,
    `${verb} for ${JSON.stringify(ODD_PATTERN)} fails by accident: ${quoteFirstLine(result.text)} Search for it as a text, or throw a ResourceError with a hint.`,
  );
}

async function checkMatch(open: OpenSpace, verb: 'glob' | 'grep', findings: Findings): Promise<void> {
  const call = await findMatchingCall(open, verb);
  if (call === undefined) {
    findings.lack(`samples.${verb}.matches, a pattern that matches something`);
    return;
  }
  const { result } = await open.call(call);
  const nothing = await open.call(makeUnmatchedCall(open, verb));
  const search = `${verb} for ${JSON.stringify(Object.values(call.args)[0])}`;
  if (!findings.expect(result.ok, `${search} fails: ${quoteFirstLine(result.text)}`)) return;
  const isOther = result.text !== nothing.result.text && result.rows !== 0;
  findings.expect(isOther, `${search} finds nothing, although it matches something.`);
}

async function checkSearch(open: OpenSpace, findings: Findings): Promise<void> {
  const { definition, samples } = open;
  const search = (query: string) => open.runMember('search()', () => definition.search!(query, MOST_HITS));
  const nothing = await search(NO_MATCH);
  findings.expect(nothing.length === 0, 'search() finds something for a query that nothing matches. Return no hits.');
  const query = samples.grep?.matches ?? Object.values((await findMatchingCall(open, 'grep'))?.args ?? {})[0];
  if (typeof query !== 'string') {
    findings.lack('samples.grep.matches, something that search() finds as well');
    return;
  }
  const hits = await search(query);
  findings.expect(
    hits.length <= MOST_HITS,
    `search() gives ${hits.length} hits, ${MOST_HITS} were asked for. Obey its limit.`,
  );
  for (const { target, text } of hits) {
    const isHit = typeof target === 'string' && target !== '' && typeof text === 'string';
    if (!findings.expect(isHit, 'search() gives hits that are not { target, text }.')) continue;
    const { result } = await open.read(target);
    findings.expect(
      result.ok,
      `search() finds ${JSON.stringify(target)}, and read fails for it: ${quoteFirstLine(result.text)}`,
    );
  }
}
