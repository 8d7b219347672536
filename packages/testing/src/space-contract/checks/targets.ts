import type { ToolResult } from '@bae/core';
import { quoteFirstLine, readWholeText, type OpenSpace } from '../open-space.ts';
import { asOneSubject, defineCheck, type AsyncFindings, type Findings, type SpaceCheckSpec } from '../run-check.ts';
import {
  findEdit,
  findMatchingCall,
  findWrite,
  NO_MATCH,
  makeSearchCall,
  makeUnmatchedCall,
  type SearchVerb,
} from '../sample-calls.ts';
import { findFirstParam, type SampleCall } from '../space-samples.ts';

/**
 * Checks that existing things can be read, changed and found, and that a model that asks for a missing one learns which
 * ones exist.
 */
export const TARGET_CHECKS: readonly SpaceCheckSpec[] = [
  defineCheck(
    'suggests what to try when a target is missing',
    (open) => asOneSubject(makeMissingCalls(open)),
    checkMissingTargets,
  ),
  defineCheck('shows by read what was written', (open) => listChanges(open, 'write'), checkRoundTrip),
  defineCheck('shows by read what was edited', (open) => listChanges(open, 'edit'), checkRoundTrip),
  defineCheck('returns a sentence for a search without matches', listSearchVerbs, checkUnmatched),
  defineCheck('finds what there is', listSearchVerbs, checkMatch),
  defineCheck(
    'finds over all spaces what it can read',
    (open) => (open.definition.search === undefined ? [] : [open]),
    checkSearch,
  ),
];

const NO_NUMBER = 987_654_321;
const TAG = /<[A-Za-z][^\s<>]*?:[^<>]*>/g;
/** A call in JSON, which has a line to itself. */
const JSON_CALL = /\{"name":.*\}$/gm;
const SOUNDS_MISSING =
  /^\s*$|^(\(no output\)|null|undefined|\[\]|\{\}|none|nothing)\.?$|\b(not found|no such|does not exist|doesn't exist|unknown|missing|cannot find)\b/i;

/** Creates a read, and every sampled call of a tool that takes the same targets as read, for a missing target. */
function makeMissingCalls({ definition: { tools }, samples }: OpenSpace): readonly SampleCall[] {
  const first = tools['read'] && findFirstParam(tools['read']);
  const derived = { int: NO_NUMBER, number: NO_NUMBER, string: NO_MATCH }[first?.type ?? ''];
  const target = samples.missing === undefined ? derived : samples.missing;
  if (first === undefined || target === undefined || target === null) return [];
  const sampled = Object.entries({ ...samples.calls, ...(samples.edit && { edit: samples.edit.args }) });
  const others = sampled.filter(([name]) => {
    const tool = tools[name];
    return tool !== undefined && name !== 'read' && findFirstParam(tool)?.name === first.name;
  });
  return [['read', {}] as const, ...others].map(([tool, args]) => ({ tool, args: { ...args, [first.name]: target } }));
}

async function* checkMissingTargets(calls: readonly SampleCall[], open: OpenSpace): AsyncFindings {
  for (const call of calls) {
    const last = yield* checkMissing(call, open);
    if (last !== undefined) yield last;
  }
  if (findFirstParam(open.definition.tools['read']!)?.type !== 'string') return;
  for (const target of ['constructor', '__proto__']) {
    const { result, runs } = await open.read(target);
    const returned = runs.at(-1)?.returned;
    if (result.ok && (typeof returned === 'function' || returned === Object.prototype))
      yield `read(${target}) finds what every object has. Keep things in a Map, or use Object.hasOwn().`;
  }
}

async function* checkMissing(call: SampleCall, open: OpenSpace): AsyncFindings {
  const first = findFirstParam(open.definition.tools[call.tool]!)?.name ?? '';
  const target = String(call.args[first]);
  const name = `${call.tool}(${target})`;
  const { result } = await open.call(call);
  const { ok, text } = result;
  const remedy = `Throw new ResourceError('no … ${target}.', ['<R:>']).`;
  const isDerived = open.samples.missing === undefined;
  if (isDerived && (!result.ran || (ok && !SOUNDS_MISSING.test(text))))
    return { lacks: 'samples.missing, something that read does not find; null where it finds everything' };
  if (ok) return `${name}: a missing target is returned as a result, not thrown as an error. ${remedy}`;
  if (result.stack !== undefined)
    return `${name} fails by accident: ${quoteFirstLine(text)} Check first whether it exists. ${remedy}`;
  if (!text.includes(target)) yield `${name}: the error does not name what was asked for. ${remedy}`;
  const hints = /\nTry: ([^]*)$/.exec(text)?.[1];
  if (hints === undefined) return `${name}: the error has no hint to go on with. ${remedy}`;
  for (const { shown, sent } of listReads(hints)) {
    const hinted = (await open.runText(sent)).result;
    if (!hinted.ok)
      yield `${name}: its hint ${shown} fails, too: ${quoteFirstLine(hinted.text)} Hint at something that works.`;
  }
  return undefined;
}

/** Lists the calls in hints that only read, as they are shown and as they are sent: tags, and JSON for a call of JSON. */
function listReads(hints: string): readonly { readonly shown: string; readonly sent: string }[] {
  const tags = Array.from(hints.matchAll(TAG), ([tag]) => ({ shown: tag, sent: tag }));
  const json = Array.from(hints.matchAll(JSON_CALL), ([call]) => ({
    shown: call,
    sent: `<tool_call>${call}</tool_call>`,
  }));
  const isRead = /^(?:<|\{"name":")(?:[\w.-]*\.)?(r|read|g|glob|grep)[:"]/i;
  return [...tags, ...json].filter(({ shown }) => isRead.test(shown));
}

type ChangeVerb = 'write' | 'edit';

function listChanges({ definition: { tools } }: OpenSpace, verb: ChangeVerb): readonly ChangeVerb[] {
  return tools[verb] === undefined || tools['read'] === undefined ? [] : [verb];
}

async function* checkRoundTrip(verb: ChangeVerb, open: OpenSpace): AsyncFindings {
  const change = verb === 'write' ? findWrite(open) : await findEdit(open);
  const before = change === undefined ? '' : readWholeText(await open.read(change.readAs));
  const changed = change && (await open.call({ tool: verb, args: change.args })).result;
  if (change === undefined || changed === undefined || (!change.sampled && !changed.ok))
    return { lacks: `samples.${verb}, a call that works: { args: { … }, readAs: '…', shows: '…' }` };
  if (!changed.ok) return `${verb} fails with the sample: ${quoteFirstLine(changed.text)} Fix it, or the sample.`;
  if (changed.text.trim() === '') yield `${verb} confirms nothing. Say what was changed.`;
  const { readAs, shows, sampled } = change;
  const outcome = await open.read(readAs);
  const { result } = outcome;
  if (!result.ok && !sampled) return { lacks: `samples.${verb} with readAs, what read is called with afterwards` };
  const where = `read(${readAs}) after the ${verb}`;
  if (!result.ok) return `${where} fails: ${quoteFirstLine(result.text)}`;
  const text = readWholeText(outcome);
  if (verb === 'edit' && text === before) yield `${where} shows the same as before, although the edit reports success.`;
  const lost = shows.split('\n').find((line) => !text.includes(line));
  if (lost !== undefined) yield `${where} does not show ${JSON.stringify(lost)}. Keep the body exactly as it came.`;
  return undefined;
}

/** Maximum length of the text of a search that found nothing, and of its quote in a complaint, in characters. */
const SENTENCE = 240;
const QUOTED = 60;
const MOST_HITS = 2;
/** Pattern that is not a valid regular expression, and unlikely as a glob pattern. */
const ODD_PATTERN = '([{';

function listSearchVerbs({ definition }: OpenSpace): readonly SearchVerb[] {
  return (['glob', 'grep'] as const).filter((verb) => definition.tools[verb] !== undefined);
}

async function* checkUnmatched(verb: SearchVerb, open: OpenSpace): AsyncFindings {
  const last = yield* checkNothing(verb, (await open.call(makeUnmatchedCall(open, verb))).result);
  if (last !== undefined) yield last;
  const { result } = await open.call(makeSearchCall(open, verb, ODD_PATTERN));
  if (!result.ok && result.stack !== undefined)
    yield `${verb} for ${JSON.stringify(ODD_PATTERN)} fails by accident: ${quoteFirstLine(result.text)} Search for it as a text, or throw a ResourceError with a hint.`;
}

function* checkNothing(verb: string, { ok, text, rows = 0 }: ToolResult): Findings {
  const remedy = "Return a sentence: 'No ticket matches …'.";
  const search = `${verb} without a match`;
  if (!ok) return `${search} is an error: ${quoteFirstLine(text)} ${remedy}`;
  if (!/\p{L}+\s+\S*\p{L}/u.test(text) || text === '(no output)')
    yield `${search} returns ${JSON.stringify(text.slice(0, QUOTED))}. ${remedy}`;
  if (text.length > SENTENCE) yield `${search} returns ${text.length} characters. ${remedy}`;
  if (rows !== 0) yield `${search} reports ${rows} rows. Return rows: 0.`;
  return undefined;
}

async function* checkMatch(verb: SearchVerb, open: OpenSpace): AsyncFindings {
  const call = await findMatchingCall(open, verb);
  if (call === undefined) return { lacks: `samples.${verb}.matches, a pattern that matches something` };
  const { result } = await open.call(call);
  const nothing = await open.call(makeUnmatchedCall(open, verb));
  const search = `${verb} for ${JSON.stringify(Object.values(call.args)[0])}`;
  if (!result.ok) yield `${search} fails: ${quoteFirstLine(result.text)}`;
  else if (result.text === nothing.result.text || result.rows === 0)
    yield `${search} finds nothing, although it matches something.`;
  return undefined;
}

async function* checkSearch({ definition, samples }: OpenSpace, open: OpenSpace): AsyncFindings {
  const search = (query: string) => open.runMember('search()', () => definition.search!(query, MOST_HITS));
  if ((await search(NO_MATCH)).length > 0)
    yield 'search() finds something for a query that nothing matches. Return no hits.';
  const query = samples.grep?.matches ?? Object.values((await findMatchingCall(open, 'grep'))?.args ?? {})[0];
  if (typeof query !== 'string') return { lacks: 'samples.grep.matches, something that search() finds as well' };
  const hits = await search(query);
  if (hits.length > MOST_HITS) yield `search() gives ${hits.length} hits, ${MOST_HITS} were asked for. Obey its limit.`;
  for (const { target, text } of hits) {
    if (typeof target !== 'string' || target === '' || typeof text !== 'string') {
      yield 'search() gives hits that are not { target, text }.';
      continue;
    }
    const { result } = await open.read(target);
    if (!result.ok)
      yield `search() finds ${JSON.stringify(target)}, and read fails for it: ${quoteFirstLine(result.text)}`;
  }
  return undefined;
}
