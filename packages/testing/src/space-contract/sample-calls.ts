import type { ToolDefinition } from '@bae/core';
import { readWholeText, type OpenSpace } from './open-space.ts';
import {
  findBodyParam,
  findExampleArguments,
  findFirstParam,
  makeTargetCall,
  type SampleArguments,
  type SampleCall,
  type SampleChange,
} from './space-samples.ts';

/** Finds every call that is known to read something and, according to its tool, changes nothing. */
export async function findReadingCalls(open: OpenSpace): Promise<readonly SampleCall[]> {
  const calls: SampleCall[] = [];
  for (const tool of Object.values(open.definition.tools))
    if (tool.effect === 'read') calls.push(...(await findCalls(open, tool)));
  return calls;
}

async function findCalls(open: OpenSpace, tool: ToolDefinition): Promise<readonly SampleCall[]> {
  const { name } = tool;
  const sample = open.samples.calls?.[name];
  if (sample !== undefined) return [{ tool: name, args: sample }];
  if (name === 'glob' || name === 'grep') {
    const call = await findMatchingCall(open, name);
    return call === undefined ? [] : [call];
  }
  if (name !== 'read') {
    const call = { tool: name, args: findExampleArguments(tool) };
    return (await open.call(call)).result.ok ? [call] : [];
  }
  const first = findFirstParam(tool);
  const target = await findReadable(open);
  const whole = first === undefined || 'default' in first ? [{ tool: name, args: {} }] : [];
  return first === undefined || target === undefined ? whole : [...whole, makeTargetCall(tool, target)];
}

/** Lists the calls of tools that change something and have samples. */
export function listChangingCalls({ definition, samples }: OpenSpace): readonly SampleCall[] {
  const { write, edit, calls = {} } = samples;
  const own = Object.entries(calls).filter(([name]) => definition.tools[name]?.effect !== 'read');
  const all = [['write', write?.args] as const, ['edit', edit?.args] as const, ...own];
  return all.flatMap(([tool, args]) => (args && definition.tools[tool] ? [{ tool, args }] : []));
}

/** Lists the calls that are known to work, reading ones first. */
export async function listKnownCalls(open: OpenSpace): Promise<readonly SampleCall[]> {
  return [...(await findReadingCalls(open)), ...listChangingCalls(open)];
}

/** Maximum number of attempts before the author is asked for a sample. */
const MOST_TRIES = 8;

const targets = new WeakMap<OpenSpace, Promise<string | number | undefined>>();

/**
 * Finds something to `read`: the sample, the example of its parameter, a word of a listing, or a text written for it.
 */
export function findReadable(open: OpenSpace): Promise<string | number | undefined> {
  const target = targets.get(open) ?? searchTarget(open);
  targets.set(open, target);
  return target;
}

async function searchTarget(open: OpenSpace): Promise<string | number | undefined> {
  const { samples, definition } = open;
  const { read } = definition.tools;
  const first = read && findFirstParam(read);
  if (samples.existing !== undefined || first === undefined) return samples.existing;
  const example = first.example as string | number | undefined;
  const candidates = [...(example === undefined ? [] : [example]), ...(await collectListedWords(open))];
  for (const candidate of candidates.slice(0, MOST_TRIES)) {
    if (hasContent((await open.read(candidate)).result)) return candidate;
  }
  return writeTarget(open);
}

async function writeTarget(open: OpenSpace): Promise<string | number | undefined> {
  const change = open.samples.write === undefined ? findWrite(open) : undefined;
  if (change === undefined || !(await open.call({ tool: 'write', args: change.args })).result.ok) return undefined;
  return (await open.read(change.readAs)).result.ok ? change.readAs : undefined;
}

/** Collects the words at the beginning of the lines of a listing, which usually can be read. */
async function collectListedWords(open: OpenSpace): Promise<readonly string[]> {
  const { read, glob } = open.definition.tools;
  const listings = [
    ...(glob === undefined ? [] : [makeTargetCall(glob, '**/*')]),
    ...(read !== undefined && 'default' in (findFirstParam(read) ?? {}) ? [{ tool: 'read', args: {} }] : []),
  ];
  const words: string[] = [];
  for (const listing of listings) {
    const { result } = await open.call(listing);
    if (!hasContent(result)) continue;
    const lines = result.text.split('\n').slice(0, MOST_TRIES);
    words.push(...lines.flatMap((line) => /[\p{L}\p{N}][\p{L}\p{N}./_-]*/u.exec(line)?.[0] ?? []));
  }
  return [...new Set(words)];
}

function hasContent({ ok, text }: { readonly ok: boolean; readonly text: string }): boolean {
  return ok && text.trim() !== '' && text !== '(no output)';
}

/** Change that can be tried: a sample, or one derived from the signature. */
export interface TrialChange extends SampleChange {
  readonly readAs: string | number;
  /** False if the author gave no sample of it. */
  readonly sampled: boolean;
}

/**
 * Body with the content that is lost most easily: blank lines, indentation, angle brackets, characters beyond ASCII.
 */
const BODY = 'First line: Grüße, 世界\n\n  indented <b>bold</b> & more\nLast line';
const REPLACEMENT = 'conformance';

/** Finds a way to write something new; returns undefined if only the author knows one. */
export function findWrite({ definition, samples }: OpenSpace): TrialChange | undefined {
  const { write } = definition.tools;
  if (write === undefined) return undefined;
  if (samples.write !== undefined) return toChange(samples.write, write);
  // Only the author may try a tool with an external effect.
  if (write.effect === 'external') return undefined;
  const [first, body] = [findFirstParam(write), findBodyParam(write)];
  const example = findExampleArguments(write);
  const target = example[first?.name ?? ''];
  if (first === undefined || body === undefined || typeof target !== 'string') return undefined;
  return { args: { ...example, [body.name]: BODY }, readAs: target, shows: BODY, sampled: false };
}

/** Finds a way to change something that exists; returns undefined if only the author knows one. */
export async function findEdit(open: OpenSpace): Promise<TrialChange | undefined> {
  const { edit } = open.definition.tools;
  if (edit === undefined) return undefined;
  if (open.samples.edit !== undefined) return toChange(open.samples.edit, edit);
  if (edit.effect === 'external') return undefined;
  const target = await findReadable(open);
  const [first, body] = [findFirstParam(edit), findBodyParam(edit)];
  if (first === undefined || target === undefined) return undefined;
  const replaced =
    (await replaceWord(open, edit, target)) ?? (body === undefined ? undefined : { [body.name]: REPLACEMENT });
  if (replaced === undefined) return undefined;
  const line = edit.spec.range === true && replaced['old'] === undefined ? `${target}:1-1` : target;
  return { args: { [first.name]: line, ...replaced }, readAs: target, shows: REPLACEMENT, sampled: false };
}

/** Chooses a word of the text and its replacement, for an edit that takes both. */
async function replaceWord(
  open: OpenSpace,
  { spec }: ToolDefinition,
  target: string | number,
): Promise<SampleArguments | undefined> {
  const names = new Set(spec.params.map(({ name }) => name));
  if (!names.has('old') || !names.has('new')) return undefined;
  const text = readWholeText(await open.read(target));
  const words = text.match(/\p{L}{4,}/gu) ?? [];
  const old = words.find((word) => text.split(word).length === 2);
  return old === undefined ? undefined : { old, new: REPLACEMENT };
}

function toChange(change: SampleChange, tool: ToolDefinition): TrialChange {
  const target = change.args[findFirstParam(tool)?.name ?? ''] as string | number;
  return { ...change, readAs: change.readAs ?? target, sampled: true };
}

export type SearchVerb = 'glob' | 'grep';

/** Pattern that nothing can match. */
export const NO_MATCH = 'zqx-nothing-is-called-this-zqx';

/** Finds a search that matches something; returns undefined if none is known. */
export async function findMatchingCall(open: OpenSpace, tool: SearchVerb): Promise<SampleCall | undefined> {
  const sample = open.samples[tool]?.matches;
  if (sample !== undefined) return makeSearchCall(open, tool, sample);
  for (const pattern of await suggestPatterns(open, tool)) {
    const call = makeSearchCall(open, tool, pattern);
    const { result } = await open.call(call);
    const nothing = await open.call(makeUnmatchedCall(open, tool));
    const isOther = result.text.split('\n')[0] !== nothing.result.text.split('\n')[0];
    if (result.ok && isOther && result.rows !== 0) return call;
  }
  return undefined;
}

async function suggestPatterns(open: OpenSpace, tool: SearchVerb): Promise<readonly string[]> {
  const target = await findReadable(open);
  if (tool === 'glob') return ['**/*', '*', '**'];
  const text = target === undefined ? '' : (await open.read(target)).result.text;
  return [...text.matchAll(/\p{L}{4,}/gu)].slice(0, 3).map(([word]) => word);
}

/** Creates a search that matches nothing. */
export function makeUnmatchedCall(open: OpenSpace, tool: SearchVerb): SampleCall {
  return makeSearchCall(open, tool, open.samples[tool]?.misses ?? NO_MATCH);
}

export function makeSearchCall({ definition }: OpenSpace, tool: SearchVerb, pattern: string): SampleCall {
  return makeTargetCall(definition.tools[tool]!, pattern);
}

/** Describes everything that is visible of a space: its state, its counts, the results of reading. */
export async function takeSnapshot(open: OpenSpace): Promise<string> {
  const { definition } = open;
  const calls = (await findReadingCalls(open)).filter(({ tool }) => ['read', 'glob', 'grep'].includes(tool));
  // Calls are found first, so that changes made by finding them are part of every snapshot.
  const parts = [
    await open.runMember('enter()', () => definition.enter()),
    JSON.stringify(await open.runMember('status()', () => definition.status?.())),
  ];
  for (const call of calls) parts.push(`${JSON.stringify(call)}\n${readWholeText(await open.call(call))}`);
  return parts.join('\n\n');
}

/** Returns the first line in which two snapshots differ, as the end of a sentence; undefined if they are the same. */
export function compareSnapshots(before: string, after: string): string | undefined {
  if (before === after) return undefined;
  const [old, now] = [before.split('\n'), after.split('\n')];
  const at = old.findIndex((line, index) => line !== now[index]);
  const place = at === -1 ? old.length : at;
  return `before: ${quoteLine(old[place])}, after: ${quoteLine(now[place])}`;
}

function quoteLine(line: string | undefined): string {
  return line === undefined ? '(nothing)' : JSON.stringify(line.slice(0, 120));
}
