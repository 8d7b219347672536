import { describe, expect, it } from 'vitest';
import { WIRES } from '../wire/wire-models.ts';
import { forEachPlace } from './for-each-place.ts';
import { MODEL_FAULTS } from './model-faults.ts';
import { RawModelServer } from './raw-model-server.ts';
import { complaints } from './try-fault.ts';

const TIMEOUT_MS = 300_000;

/** One of each format; the third one speaks a format of these. */
const FORMATS = WIRES.filter(({ name }) => name !== 'openai');

describe.each(FORMATS)('a service that speaks $name', (wire) => {
  it.for(MODEL_FAULTS)('$name', { timeout: TIMEOUT_MS }, async (fault, { annotate }) => {
    await using server = await RawModelServer.start();
    const wrong: string[] = [];
    const count = await forEachPlace(fault, wire.format, async (place, index) => {
      // With and without a second try, by turns.
      const tries = 1 + (index % 2);
      wrong.push(...(await complaints({ wire, server, fault, place, tries })));
      if (fault.places === undefined) wrong.push(...(await complaints({ wire, server, fault, place, tries: 2 })));
    });
    expect(wrong).toEqual([]);
    await annotate(`${count} places`);
  });
});
