import type { ToolContext, ToolDefinition } from '@bae/core';
import { safeParseAsync } from 'zod/v4/core';
import type { Findings } from '../findings.ts';
import type { OpenSpace } from '../open-space.ts';
import type { SampleCall } from '../space-samples.ts';
import type { SpaceCheckSpec } from '../space-check.ts';
import { toolContext } from '../tool-context.ts';
import { changingCalls, readingCalls } from '../trials.ts';

/** When a call is cancelled, and how long it may then go on, in milliseconds. */
const CANCEL_AFTER = 20;
const SETTLE_WITHIN = 1000;

/** Whether a call that nobody waits for any more ends. */
export const CANCELLING: readonly SpaceCheckSpec[] = [
  {
    name: 'stops when a call is cancelled',
    async look(bench, findings) {
      const open = await bench.open();
      const { slow } = open.samples;
      const calls = [...(slow === undefined ? [] : [slow]), ...(await readingCalls(open))];
      for (const call of calls) await checkStops(open, call, findings);
    },
  },
  {
    name: 'runs nothing that was cancelled before',
    async look(bench, findings) {
      const open = await bench.open();
      for (const call of [...(await readingCalls(open)), ...changingCalls(open)]) {
        const before = open.runCount;
        await open.call(call, AbortSignal.abort()).catch(() => undefined);
        findings.expect(open.runCount === before, `${call.tool} runs although it was cancelled before.`);
      }
    },
  },
];

/** Calls the tool itself, since an agent does not wait for one that was cancelled. */
async function checkStops(open: OpenSpace, { tool: name, args }: SampleCall, findings: Findings): Promise<void> {
  const tool = open.definition.tools[name];
  if (tool === undefined) return;
  const stop = new AbortController();
  const began = Date.now();
  const work = runTool(tool, args, toolContext(open, tool, stop.signal));
  const settled = work.then(
    () => true,
    () => true,
  );
  await Promise.race([settled, pause(CANCEL_AFTER)]);
  stop.abort();
  const patience = pause(SETTLE_WITHIN);
  const inTime = await Promise.race([settled, patience.then(() => false)]);
  const ms = Date.now() - began;
  const remedy = 'Pass context.signal on to what it waits for, and call context.signal.throwIfAborted() in loops.';
  const isBlocking = inTime && ms > CANCEL_AFTER + SETTLE_WITHIN;
  findings.expect(inTime, `${name} goes on for more than a second after it was cancelled. ${remedy}`);
  findings.expect(
    !isBlocking,
    `${name} holds up the whole process for ${ms} ms. Wait now and then: await setImmediate().`,
  );
}

/** Arguments as the schema makes them, the tool itself behind them. */
async function runTool(tool: ToolDefinition, args: object, context: ToolContext): Promise<unknown> {
  const parsed = await safeParseAsync(tool.params, args);
  return parsed.success ? tool.invoke(parsed.data, context) : undefined;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms).unref?.();
  });
}
