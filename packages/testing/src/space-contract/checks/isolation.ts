import { mock } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { safeParseAsync } from 'zod/v4/core';
import { makeToolContext, quoteFirstLine, quoteSample, readWholeText, type OpenSpace } from '../open-space.ts';
import { defineCheck, type AsyncFindings, type SpaceCheckSpec } from '../run-check.ts';
import {
  listChangingCalls,
  listKnownCalls,
  compareSnapshots,
  findReadingCalls,
  findWrite,
  NO_MATCH,
  takeSnapshot,
} from '../sample-calls.ts';
import type { SampleCall } from '../space-samples.ts';

/** Checks that a cancelled call ends, and that the space leaves the rest of the process alone. */
export const ISOLATION_CHECKS: readonly SpaceCheckSpec[] = [
  defineCheck(
    'stops when a call is cancelled',
    async (open) => {
      const { slow } = open.samples;
      const calls = [...(slow === undefined ? [] : [slow]), ...(await findReadingCalls(open))];
      return calls.filter(({ tool }) => open.definition.tools[tool] !== undefined);
    },
    checkStops,
  ),
  defineCheck('runs nothing that was cancelled before', listKnownCalls, async function* look(call, open) {
    const before = open.runCount;
    await open.call(call, AbortSignal.abort()).catch(() => undefined);
    if (open.runCount !== before) yield `${call.tool} runs although it was cancelled before.`;
  }),
  defineCheck(
    'prints nothing',
    (open) => [open],
    async function* look(_subject, _open, openAnother) {
      const pieces = await collectPrinted(async () => {
        const open = await openAnother();
        for (const call of await listKnownCalls(open)) await open.call(call);
        await open.runMember('dispose()', () => open.definition.dispose?.());
      });
      const remedy = 'Return what a tool has to report; log elsewhere what a developer wants to see.';
      for (const piece of pieces) yield `it prints ${JSON.stringify(piece)}. ${remedy}`;
    },
  ),
  defineCheck('shares nothing between two instances', (open) => [open], checkSharing),
  defineCheck(
    'can be disposed of twice',
    ({ definition }) => (definition.dispose === undefined ? [] : [definition]),
    async (definition, open) => {
      await open.runMember('dispose()', () => definition.dispose?.());
      await open.runMember('dispose(), called a second time,', () => definition.dispose?.());
    },
  ),
  defineCheck(
    'can be opened again, and its work in the background does not fail',
    (open) => (open.hasToBeOpened ? [open.definition] : []),
    async function* look(definition, open) {
      for (const call of await listKnownCalls(open)) await open.call(call);
      const state = await open.runMember('enter()', () => definition.enter());
      const failure = /Stopped in the background: .*/.exec(state)?.[0];
      if (failure !== undefined)
        yield `its work in the background fails. ${quoteFirstLine(failure)} Catch what can go wrong, and try again.`;
      await open.runMember('dispose()', () => definition.dispose?.());
      await open.runMember('enter() after dispose()', () => definition.enter());
    },
  ),
  defineCheck('shows none of its secrets', ({ secrets }) => secrets, checkSecret),
];

/** Time after which a call is cancelled, then time that it may still take, in milliseconds. */
const CANCEL_AFTER = 20;
const SETTLE_WITHIN = 1000;

/** Calls the tool directly, because an agent does not wait for a cancelled one. */
async function* checkStops({ tool: name, args }: SampleCall, open: OpenSpace): AsyncFindings {
  const tool = open.definition.tools[name]!;
  const controller = new AbortController();
  const context = makeToolContext(open, tool, controller.signal);
  const run = async (): Promise<unknown> => {
    const parsed = await safeParseAsync(tool.params, args);
    return parsed.success ? tool.invoke(parsed.data, context) : undefined;
  };
  const began = Date.now();
  const settled = run().then(
    () => true,
    () => true,
  );
  await Promise.race([settled, sleep(CANCEL_AFTER, undefined, { ref: false })]);
  controller.abort();
  const isInTime = await Promise.race([settled, sleep(SETTLE_WITHIN, false, { ref: false })]);
  const ms = Date.now() - began;
  const remedy = 'Pass context.signal on to what it waits for, and call context.signal.throwIfAborted() in loops.';
  if (!isInTime) yield `${name} goes on for more than a second after it was cancelled. ${remedy}`;
  else if (ms > CANCEL_AFTER + SETTLE_WITHIN)
    yield `${name} blocks the whole process for ${ms} ms. Wait now and then: await setImmediate().`;
  return undefined;
}

async function* checkSecret(secret: string, open: OpenSpace): AsyncFindings {
  const said: (readonly [where: string, text: string])[] = [
    ['enter()', await open.runMember('enter()', () => open.definition.enter())],
  ];
  const missing = open.definition.tools['read'] === undefined ? [] : [await open.read(NO_MATCH)];
  const calls = await listKnownCalls(open);
  for (const call of calls) said.push([quoteSample(call), readWholeText(await open.call(call))]);
  for (const { result } of missing) said.push([`the error of read(${NO_MATCH})`, result.text]);
  for (const [where, text] of said)
    if (text.includes(secret)) yield `${where} shows a secret that the space was given. Leave it out.`;
  return undefined;
}

async function* checkSharing(one: OpenSpace, _open: OpenSpace, openAnother: () => Promise<OpenSpace>): AsyncFindings {
  const other = await openAnother();
  const before = await takeSnapshot(other);
  const hasChanged = await changeEverything(one);
  const change = compareSnapshots(before, await takeSnapshot(other));
  if (change !== undefined)
    yield `what one instance did shows in another (${change}). Keep state in the instance, and give create() a new one each time.`;
  const tool = Object.values(one.definition.tools).find(({ effect }) => effect === 'write');
  if (hasChanged || tool === undefined) return;
  const isVerb = ['write', 'edit'].includes(tool.name);
  yield {
    lacks: isVerb ? `samples.${tool.name}, a call that works` : `samples.calls.${tool.name}, arguments that work`,
  };
}

async function changeEverything(open: OpenSpace): Promise<boolean> {
  const write = open.samples.write === undefined ? findWrite(open) : undefined;
  const calls = [...(write === undefined ? [] : [{ tool: 'write', args: write.args }]), ...listChangingCalls(open)];
  let hasChanged = false;
  for (const call of calls) hasChanged = (await open.call(call)).result.ok || hasChanged;
  for (const call of await findReadingCalls(open)) await open.call(call);
  return hasChanged;
}

const CONSOLE_METHODS = ['log', 'info', 'warn', 'error', 'debug', 'trace', 'dir', 'table'] as const;
const LONGEST_PIECE = 60;

/**
 * Collects everything that is printed during some work, through the console or to standard output and error, by the
 * first characters of each piece. The text is still printed.
 */
export async function collectPrinted(work: () => Promise<void>): Promise<readonly string[]> {
  const pieces = new Set<string>();
  // The console writes to the streams: its own pieces must not be counted twice.
  let depth = 0;
  const note = (args: readonly unknown[], call: () => unknown): unknown => {
    if (depth === 0) pieces.add(args.map(String).join(' ').trim().slice(0, LONGEST_PIECE));
    depth++;
    try {
      return call();
    } finally {
      depth--;
    }
  };
  const methods: readonly (readonly [holder: object, name: string])[] = [
    ...CONSOLE_METHODS.map((name) => [console, name] as const),
    [process.stdout, 'write'],
    [process.stderr, 'write'],
  ];
  const mocks = methods.map(([holder, name]) => {
    const original = Reflect.get(holder, name) as (...args: unknown[]) => unknown;
    return mock.method(holder as Record<string, () => unknown>, name, (...args: readonly unknown[]) =>
      note(holder === console ? args : args.slice(0, 1), () => original.apply(holder, [...args])),
    );
  });
  try {
    await work();
  } finally {
    for (const one of mocks) one.mock.restore();
  }
  return [...pieces];
}
