import { mcpServer, type KnownServer } from '@bae/mcp';
import type { SpaceDefinition } from '@bae/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { safeParseAsync } from 'zod/v4/core';
import { compileWithAjv } from './ajv.ts';
import { makeArguments } from './argument-samples.ts';
import { readServers, type Server } from './mounted-servers.ts';

/** What bae leaves to the server, and ajv checks when it is told to: since 2020-12 a format is a note. */
const LEFT_TO_THE_SERVER: ReadonlySet<string> = new Set(['format']);

/** The place of a server whose tools are known from before: it is not started. */
function mount({ name, tools }: Server): SpaceDefinition {
  const known = { tools, pin: '' } as unknown as KnownServer;
  const memory = { read: () => known, write: () => undefined };
  const settings = { command: 'none', args: [], env: {} };
  return mcpServer({ name, settings, place: { folder: '/', env: {} }, memory }).create({} as never) as SpaceDefinition;
}

describe('the arguments of every tool of 19 servers', () => {
  const compareWithAjv = async (samples: number) => {
    const differences: string[] = [];
    const counts = { taken: 0, refused: 0, left: 0 };
    for (const server of readServers()) {
      const place = mount(server);
      const all = new Map(
        [place, ...Object.values(place.children())].flatMap((one) => Object.entries((one as SpaceDefinition).tools)),
      );
      for (const { name, inputSchema } of server.tools) {
        const { params } = all.get(name)!;
        const whole = compileWithAjv(inputSchema, true);
        const part = compileWithAjv(inputSchema);
        for (const args of fc.sample(makeArguments(inputSchema as Record<string, unknown>), {
          numRuns: samples,
          seed: 7,
        })) {
          const { success } = await safeParseAsync(params, args);
          counts[success ? 'taken' : 'refused']++;
          if (success === whole(args)) continue;
          if (success && part(args) && whole.errors!.some(({ keyword }) => LEFT_TO_THE_SERVER.has(keyword)))
            counts.left++;
          else differences.push(`${server.name} ${name} ${JSON.stringify(args)}: ${success ? 'taken' : 'refused'}`);
        }
      }
    }
    expect(differences).toEqual([]);
    // Of both there are many: samples that all fit, or all do not, would show nothing.
    expect(counts.taken + counts.refused).toBe(373 * samples);
    expect(counts.taken).toBeGreaterThan(100 * samples);
    expect(counts.refused).toBeGreaterThan(100 * samples);
    expect(counts.left).toBeLessThan(10 * samples);
  };

  it('are taken and refused as by ajv, on 3 inputs each, but for formats', () => compareWithAjv(3));
  it('are taken and refused as by ajv, on 20 inputs each, but for formats', { tags: ['long'] }, () =>
    compareWithAjv(20),
  );
});
