import { SHORT_TAGS, findVerb } from '../../protocol/verbs.ts';
import { listForeignNames } from '../../tag-parser/foreign/translate-call.ts';
import type { BoundCall } from '../../tool-router/resolve-call.ts';
import { escapeRegExp, removeNotation } from './read-text.ts';

/** Number of characters before and after a target that may belong to its call. */
const WINDOW = 300;
/** Minimum length of a target that is not a coincidence. */
const SHORTEST_TARGET = 4;

/** Maximum number of places in a text that are compared with all notations. */
const MOST_CHECKS = 5000;

/** Characters that may stand before a target. */
const BEFORE_TARGET: ReadonlySet<string> = new Set(':"(>=[/\n');
/** What may follow the target of a tag: the lines, the end of the tag, or an option. */
const TAG_REST = /^"?(?::\d[\d-]*)?(?:$|\/?>|,|[\w-]+=)/;

/** Notation of a call: the text before its target, and that after it. */
interface Notation {
  readonly before: RegExp;
  readonly after: RegExp;
}

/**
 * Returns true if a text asks for the call: if it has the tool's name and the target in the notation of a tag, of JSON
 * or XML, or of code, whatever the notation of the call, the order of its options, and the text it passes. Of a short
 * target such as `7`, the options also count.
 *
 * @param text a text without notation, as `removeNotation` returns it
 * @param fromCode true for a call made by code: then any call in code counts, otherwise one that is awaited
 */
export function mentionsCall(text: string, { tool, target, options, selects }: BoundCall, fromCode = false): boolean {
  const wanted = removeNotation(target).replace(/^(?:\.\/)+/, '');
  if (wanted === '' || !text.includes(wanted)) return false;
  const isShort = wanted.length < SHORTEST_TARGET || /^\d+$/.test(wanted);
  const values = isShort ? options.map(removeNotation) : [];
  const notations = listNotations(tool, selects ? undefined : fromCode);
  let left = MOST_CHECKS;
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
    if (!BEFORE_TARGET.has(text.charAt(at - 1))) continue;
    const end = at + wanted.length;
    const after = text.slice(end, end + WINDOW);
    const fitting = notations.filter((one) => one.after.test(after));
    if (fitting.length === 0 || !values.every((value) => after.includes(value))) continue;
    const before = text.slice(Math.max(0, at - WINDOW), at).replace(/(?:\.\/)+$/, '');
    // A text that has so many of them was made to take long.
    if (fitting.some((one) => one.before.test(before)) || left-- === 0) return true;
  }
  return false;
}

/** @param fromCode as for `mentionsCall`; undefined if no call in code counts */
function listNotations(tool: string, fromCode: boolean | undefined): readonly Notation[] {
  const verb = findVerb(tool);
  const names = [tool, ...listForeignNames(tool)].map(escapeRegExp);
  const tagNames = verb === undefined ? names : [...names, SHORT_TAGS[verb]];
  const place = String.raw`(?:[\w.-]*(?:\.|__))?`;
  const name = `(?:${names.join('|')})`;
  const inCode = String.raw`(?:(?<![\w$])|(?<=__)|(?<=return|else))${name}`;
  const awaited = String.raw`await(?:[\w$.]*\.)?${name}\(`;
  const call = fromCode === true ? String.raw`(?:${awaited}|${inCode}\()` : awaited;
  const notations: [before: string, after: RegExp][] = [
    [`<${place}(?:${tagNames.join('|')}):"?$`, TAG_REST],
    [String.raw`"(?:name|tool|tool_name|function|action)":\n?"${place}${name}"[^}]*[:[]\n?"$`, /^"/],
    [String.raw`${inCode}\{[^{}]*"$`, /^"/],
    [String.raw`${inCode}\((?:[^()]*[,\n])?\w+="$`, /^"/],
    [String.raw`Action:${place}${name}(?:\n?ActionInput:[^]*|\(|\[)"?$`, /^(?:["\n)\]]|$)/],
    [String.raw`(?:invokename="${place}${name}"|<function=${place}${name}|<${place}${name})>[^]*>\n?$`, /^\n?</],
    [`<${place}${name}[^<>]*="$`, /^"/],
  ];
  if (fromCode !== undefined) notations.push([`${call}[^()]*"$`, /^"/], [String.raw`${call}(?:\{\w+:)?$`, /^[,)}]/]);
  return notations.map(([before, after]) => ({ before: new RegExp(before, 'i'), after }));
}
