import { isDeepStrictEqual } from 'node:util';
import type { AgentEvent, Hook } from '@bae/core';
import { collectPrinted } from '../space-contract/checks/isolation.ts';
import type { CheckedPackage, PackageCheckSpec } from './checked-package.ts';

type HookedCall = Parameters<NonNullable<Hook['beforeCall']>>[0];

const PARTS = ['beforeCall', 'afterCall', 'beforeSend', 'onEvent'] as const;
/** Time limit of a hook without one of its own, as in sessions, in milliseconds. */
const TIME_LIMIT_MS = 5000;

/** Calls of every kind: looking, searching and changing, at home and elsewhere, without anything and with odd texts. */
const CALLS: readonly HookedCall[] = [
  { tool: 'read', space: 'home', arg: 'docs/a.md' },
  { tool: 'read', space: 'home', arg: '' },
  { tool: 'grep', space: 'source', arg: 'TODO', kwargs: { path: 'src' } },
  { tool: 'write', space: 'home', arg: 'notes.md', body: '# Notes\n' },
  { tool: 'edit', space: 'home', arg: 'notes.md', kwargs: { old: 'a', new: 'b' } },
  { tool: 'pay', space: 'shop.orders', arg: '12', kwargs: { note: 'Ünïcode 😀' } },
  { tool: 'run_script', space: 'scripts', arg: 'test' },
];
const TEXTS = ['', 'One line.', 'Many\nlines, “quotes”, 😀 and </R>\n'];
const MESSAGE = 'The user asks:\nHow many notes are there?';

const EVENTS: readonly AgentEvent[] = (
  [
    { type: 'turn-start', prompt: MESSAGE },
    { type: 'response-delta', text: 'Two' },
    { type: 'notice', code: 'retry', text: 'again' },
    { type: 'space-enter', from: '', to: 'notes' },
    { type: 'answer', text: 'Two notes.' },
  ] as const
).map((body) => ({ label: '1', turn: 1, ...body }));

/** Checks of the hooks of a package. */
export const HOOK_CHECKS: readonly PackageCheckSpec[] = [
  { name: 'declares its hooks, each with a name and functions', has: listHooks, look: checkDeclarations },
  { name: 'makes the same hooks each time, in the same order', has: listHooks, look: checkRepetition },
  { name: 'only refuses or narrows a call', has: listHaving('beforeCall'), look: checkVerdicts },
  { name: 'returns a text for a result, or nothing', has: listHaving('afterCall'), look: checkResults },
  { name: 'only appends to a message', has: listHaving('beforeSend'), look: checkMessages },
  { name: 'listens to events without failing', has: listHaving('onEvent'), look: checkListeners },
  { name: 'prints nothing in its hooks', has: listHooks, look: checkPrinting },
];

function listHooks(checked: CheckedPackage): readonly Hook[] {
  return checked.hooks();
}

function listHaving(part: (typeof PARTS)[number]) {
  return (checked: CheckedPackage): readonly Hook[] => checked.hooks().filter((hook) => hasPart(hook, part));
}

function hasPart(hook: Hook, part: (typeof PARTS)[number]): boolean {
  return typeof (Object(hook) as Hook)[part] === 'function';
}

async function* checkDeclarations(checked: CheckedPackage): AsyncGenerator<string> {
  const names = new Set<string>();
  for (const [index, hook] of checked.hooks().entries()) {
    const { name, timeoutMs, ...others } = Object(hook) as Partial<Hook>;
    if (typeof name !== 'string' || name.trim() === '' || /\n/.test(name)) {
      yield `hooks[${index}].name: expected one line like 'audit'; got ${JSON.stringify(name)}.`;
      continue;
    }
    if (names.has(name)) yield `two hooks are named ${name}. Give each a name of its own: people read it in messages.`;
    names.add(name);
    if (!PARTS.some((part) => hasPart(hook, part))) yield `${name}: expected one of ${PARTS.join(', ')}.`;
    for (const part of PARTS)
      if (others[part] !== undefined && !hasPart(hook, part)) yield `${name}.${part}: expected a function.`;
    if (timeoutMs !== undefined && !(Number.isFinite(timeoutMs) && timeoutMs > 0))
      yield `${name}.timeoutMs: expected milliseconds above 0; got ${String(timeoutMs)}.`;
  }
}

async function* checkRepetition(checked: CheckedPackage): AsyncGenerator<string> {
  const describe = () => checked.hooks().map(describeHook).join('; ');
  const [one, other] = [describe(), describe()];
  if (one !== other)
    yield `its hooks differ when they are made again: ${one}, and then ${other}. They must match the manifest.`;
}

function describeHook(hook: Hook): string {
  const parts = PARTS.filter((part) => hasPart(hook, part));
  return `${hook.name} (${[...parts, ...(hook.timeoutMs === undefined ? [] : [`${hook.timeoutMs} ms`])].join(', ')})`;
}

/** What happens in a session when a part of a hook fails. */
const CONSEQUENCES: Readonly<Record<string, string>> = {
  beforeCall: 'The call would be refused.',
  afterCall: 'The result would not be shown.',
  beforeSend: 'Nothing would be appended.',
  onEvent: 'It would hear no more.',
};

interface PartOutcome {
  readonly value?: unknown;
  /** The complaint that it fails, or takes too long. */
  readonly problem?: string;
}

/** Runs a function of a hook. @param on what it is run on, as the end of a name: `beforeSend`, `beforeCall of home read` */
async function runPart(
  { name, timeoutMs = TIME_LIMIT_MS }: Hook,
  on: string,
  work: () => unknown,
): Promise<PartOutcome> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it took longer than ${timeoutMs / 1000} s`)), timeoutMs);
  });
  try {
    return { value: await Promise.race([(async () => work())(), late]) };
  } catch (error) {
    return { problem: `${name}: ${on} fails: ${(error as Error).message}. ${CONSEQUENCES[on.split(' ')[0]!]}` };
  } finally {
    clearTimeout(timer);
  }
}

type FindProblem<T> = (hook: Hook, subject: T) => Promise<string | undefined>;

/** Tries a part of every hook on subjects, until there is a problem. */
async function* tryPart<T>(
  hooks: readonly Hook[],
  subjects: readonly T[],
  findProblem: FindProblem<T>,
): AsyncGenerator<string> {
  for (const hook of hooks)
    for (const subject of subjects) {
      const problem = await findProblem(hook, subject);
      if (problem === undefined) continue;
      yield problem;
      break;
    }
}

function checkVerdicts(checked: CheckedPackage): AsyncGenerator<string> {
  return tryPart(listHaving('beforeCall')(checked), [...CALLS, ...checked.calls], async (hook, call) => {
    const on = `beforeCall of ${call.space} ${call.tool}`;
    const given = structuredClone(call);
    const { value, problem } = await runPart(hook, on, () => hook.beforeCall!(given));
    if (problem !== undefined) return problem;
    const isSame = isDeepStrictEqual(given, call);
    const fault = isSame
      ? explainBadVerdict(value, call)
      : 'changes the call that it was given. Return what differs: { arg, kwargs, body }.';
    return fault && `${hook.name}: ${on} ${fault}`;
  });
}

function explainBadVerdict(verdict: unknown, call: HookedCall): string | undefined {
  if (verdict === undefined) return undefined;
  if (typeof verdict !== 'object' || verdict === null || Array.isArray(verdict))
    return `gave ${JSON.stringify(verdict)}. Return nothing, { refuse: 'why' } or { arg, kwargs, body }.`;
  const { refuse, arg, kwargs, body, ...others } = verdict as Readonly<Record<string, unknown>>;
  const other = Object.keys(others)[0];
  if (other !== undefined)
    return `gave '${other}'. A hook can refuse, or change arg, kwargs and body; it cannot allow.`;
  if ('refuse' in verdict)
    return typeof refuse === 'string' && refuse.trim() !== '' && !refuse.includes('\n')
      ? undefined
      : `refuses with ${JSON.stringify(refuse)}. Say why in one line: the model reads it.`;
  if ([arg, body].some((text) => text !== undefined && typeof text !== 'string'))
    return 'gave an arg or body that is no text.';
  if (kwargs !== undefined && (typeof kwargs !== 'object' || kwargs === null || Array.isArray(kwargs)))
    return 'gave kwargs that are no object. Return them by name: { kwargs: { limit: 5 } }.';
  if (body !== undefined && call.body === undefined) return 'adds a body to a call without one. That widens it.';
  return undefined;
}

function checkResults(checked: CheckedPackage): AsyncGenerator<string> {
  const subjects = [...CALLS, ...checked.calls].flatMap((call) => TEXTS.map((text) => ({ call, text })));
  return tryPart(listHaving('afterCall')(checked), subjects, async (hook, { call, text }) => {
    const result = { ok: text !== '', text };
    const given = { ...result };
    const on = `afterCall of ${call.space} ${call.tool}`;
    const { value, problem } = await runPart(hook, on, () => hook.afterCall!(structuredClone(call), given));
    if (problem !== undefined) return problem;
    if (!isDeepStrictEqual(given, result))
      return `${hook.name}: ${on} changes the result that it was given. Return the text instead.`;
    if (value === undefined || typeof value === 'string') return undefined;
    return `${hook.name}: ${on} gave ${JSON.stringify(value)}. Return the text that replaces the result, or nothing.`;
  });
}

function checkMessages(checked: CheckedPackage): AsyncGenerator<string> {
  return tryPart(listHaving('beforeSend')(checked), ['x', MESSAGE], async (hook, message) => {
    const { value, problem } = await runPart(hook, 'beforeSend', () => hook.beforeSend!(message, '1'));
    if (problem !== undefined || value === undefined) return problem;
    if (typeof value !== 'string')
      return `${hook.name}: beforeSend gave ${JSON.stringify(value)}. Return a text, or nothing.`;
    // Any text may contain a message as short as the other one.
    if (message !== MESSAGE || !value.includes(message)) return undefined;
    return `${hook.name}: beforeSend gave the message itself. Return only what is to be appended to it.`;
  });
}

function checkListeners(checked: CheckedPackage): AsyncGenerator<string> {
  return tryPart(listHaving('onEvent')(checked), EVENTS, async (hook, event) => {
    const given = structuredClone(event);
    const { problem } = await runPart(hook, `onEvent of ${event.type}`, () => hook.onEvent!(given));
    if (problem !== undefined || isDeepStrictEqual(given, event)) return problem;
    return `${hook.name}: onEvent changes the event that it was given. Other listeners get the same one.`;
  });
}

async function* checkPrinting(checked: CheckedPackage): AsyncGenerator<string> {
  const printed = await collectPrinted(async () => {
    for await (const _ of runAllHooks(checked));
  });
  for (const text of printed) yield `a hook prints '${text}'. Leave it out: it would be in the middle of the screen.`;
}

async function* runAllHooks(checked: CheckedPackage): AsyncGenerator<string> {
  for (const look of [checkVerdicts, checkResults, checkMessages, checkListeners]) yield* look(checked);
}

/** Collects the names of hooks, and every text that they give for calls, results and messages. */
export async function collectHookTexts(
  hooks: readonly Hook[],
  calls: readonly HookedCall[],
): Promise<readonly (readonly [where: string, text: string])[]> {
  const texts: (readonly [string, string])[] = [];
  for (const hook of hooks) {
    const { name } = hook;
    texts.push(['the name of a hook', name]);
    const add = async (part: string, work: () => unknown): Promise<void> => {
      const { value, problem } = await runPart(hook, part, work);
      texts.push([`${name}.${part}`, problem ?? JSON.stringify(value) ?? '']);
    };
    for (const call of [...CALLS, ...calls]) {
      if (hasPart(hook, 'beforeCall')) await add('beforeCall', () => hook.beforeCall!(structuredClone(call)));
      if (hasPart(hook, 'afterCall')) await add('afterCall', () => hook.afterCall!(call, { ok: true, text: '' }));
    }
    if (hasPart(hook, 'beforeSend')) await add('beforeSend', () => hook.beforeSend!(MESSAGE, '1'));
  }
  return texts;
}
