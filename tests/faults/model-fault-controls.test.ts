import { describe, expect, it } from 'vitest';
import { WIRES, type Wire } from '../wire/wire-models.ts';
import { forEachPlace } from './for-each-place.ts';
import { faultStage, outcomeOf } from './fault-stage.ts';
import { GARBLED_STREAMS } from './garbled-streams.ts';
import type { ModelFault } from './model-fault.ts';
import { goodReply, MODEL_FAULTS } from './model-faults.ts';
import { RawModelServer, type Delivery } from './raw-model-server.ts';
import { tryFault, type Trial } from './try-fault.ts';
import { hastyModel, unguardedModel } from './unguarded-model.ts';

const FORMATS = WIRES.filter(({ name }) => name !== 'openai');
/** Faults that leave some text behind, at a place of their own; silence and floods take their time. */
const PARTIAL = MODEL_FAULTS.filter(({ name, places }) => places !== undefined && !name.includes('silent'));

/** How many trials there were, and how many of them dispatched something else than all three calls once. */
async function figure(wire: Wire, wrap: Trial['wrap'], faults = PARTIAL): Promise<readonly [number, number]> {
  await using server = await RawModelServer.start();
  let trials = 0;
  let wrong = 0;
  for (const fault of faults) {
    const sparse: ModelFault = { ...fault, step: (fault.step ?? 1) * 7 };
    trials += await forEachPlace(sparse, wire.format, async (place) => {
      const { dispatched } = await tryFault({ wire, server, fault, place, tries: 1, ...(wrap && { wrap }) });
      if (dispatched === 'something else') wrong++;
    });
  }
  return [trials, wrong];
}

describe.each(FORMATS)('what the guards are for, with $name:', (wire) => {
  it('an adapter that takes text as it comes dispatches wrongly', async ({ annotate }) => {
    const [trials, wrong] = await figure(wire, unguardedModel);
    await annotate(`${wrong} of ${trials} trials dispatched wrongly`);
    expect(wrong).toBeGreaterThan(trials / 10);
    expect(await figure(wire, undefined)).toEqual([trials, 0]);
  });

  it('a retry that keeps the text of the first try dispatches twice', async ({ annotate }) => {
    const passing = PARTIAL.filter(({ passes }) => passes !== false);
    const [trials, wrong] = await figure(wire, hastyModel, passing);
    await annotate(`${wrong} of ${trials} trials dispatched wrongly`);
    expect(wrong).toBeGreaterThan(trials / 10);
  });

  it.each([
    [{}, 250, 500],
    [{ 'retry-after': '7' }, 7000, 7250],
    [{ 'retry-after-ms': '1500' }, 1500, 1750],
    [{ date: 'Fri, 20 Nov 2026 10:00:00 GMT', 'retry-after': 'Fri, 20 Nov 2026 10:00:07 GMT' }, 7000, 7250],
  ])(
    'after 429 with %j the next try comes when it may, and not at the same moment for all',
    async (headers, least, most) => {
      await using server = await RawModelServer.start();
      const waits = new Set<number>();
      const shown = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      const bytes = Buffer.from(`HTTP/1.1 429 Busy\r\n${shown.join('')}content-length: 0\r\nconnection: close\r\n\r\n`);
      for (let agent = 0; agent < 20; agent++) {
        const answer = (_: string, before: number) =>
          before === 0 ? ({ bytes, ending: 'close' } as const) : goodReply(wire.format, 'Fine.');
        const stage = faultStage(() => wire.model(server.serve({ answer })), 2);
        expect(await outcomeOf(stage, 'Go.')).toBe('Fine.');
        expect(stage.waits).toHaveLength(1);
        waits.add(stage.waits[0]!);
      }
      expect(Math.min(...waits)).toBeGreaterThanOrEqual(least);
      expect(Math.max(...waits)).toBeLessThanOrEqual(most);
      expect(waits.size).toBeGreaterThan(5);
    },
  );

  // No format numbers its pieces, so a text that lost its order is one that a model might have written.
  it.each(GARBLED_STREAMS)(
    'a service that $name gets what that text says, and no call of it twice',
    async (garbled) => {
      await using server = await RawModelServer.start();
      for (let place = 0; place < garbled.places(wire.format); place++) {
        const { delivery, text } = garbled.at(wire.format, place);
        const calls = await callsOf(wire, server, delivery);
        expect(calls).toEqual(await callsOf(wire, server, goodReply(wire.format, text)));
        expect(new Set(calls).size).toBe(calls.length);
      }
    },
  );
});

/** What is dispatched when this is the first reply, and the second one an answer. */
async function callsOf(wire: Wire, server: RawModelServer, first: Delivery): Promise<readonly string[]> {
  const answer = (_: string, before: number) => (before === 0 ? first : goodReply(wire.format, 'Fine.'));
  const stage = faultStage(() => wire.model(server.serve({ answer })), 1);
  await outcomeOf(stage, 'Go.');
  return stage.calls;
}
