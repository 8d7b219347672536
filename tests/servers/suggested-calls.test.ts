import { allowAll, asModelText, createAgent } from '@bae/core';
import fc from 'fast-check';
import { afterAll, expect, it } from 'vitest';
import { makeArguments } from './argument-samples.ts';
import { mountServer, readServers } from './mounted-servers.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** The ways in which a model writes a call: a body of JSON, named values, the syntax of a provider. */
const WAYS: readonly ((tool: string, args: Arguments) => string)[] = [
  (tool, args) => `<${tool}>${JSON.stringify(args)}</${tool}>`,
  (tool, args) => `<${tool}: ${Object.entries(args).map(formatKeyword).join(' ')}>`,
  (tool, args) => `<tool_call>${JSON.stringify({ name: tool, arguments: args })}</tool_call>`,
];

function formatKeyword([name, value]: readonly [string, unknown]): string {
  return `${name}=${JSON.stringify(value)}`;
}

const servers = readServers().map((server) => ({ ...server, name: server.name.replaceAll(/[^\w-]/g, '_') }));
const agent = createAgent({
  spaces: servers.map((server) => mountServer(server, (name) => `called ${name}`)),
  approver: allowAll,
});
afterAll(() => agent.close());

it(
  'a call that fails suggests one that works, or that only has values to fill in, for every tool of 19 servers',
  { tags: ['long'] },
  async () => {
    const counts = { works: 0, isToFill: 0 };
    const wrong: string[] = [];
    for (const [number, { name: place, tools }] of servers.entries()) {
      const session = agent.session(`session-${number}`);
      await session.run(asModelText(`@${place}()`));
      for (const { name, inputSchema } of tools) {
        const samples = fc.sample(makeArguments(inputSchema), { numRuns: WAYS.length, seed: 11 });
        for (const [index, args] of samples.entries()) {
          const sent = WAYS[index]!(name, args);
          const { calls, feedback } = await session.run(asModelText(sent));
          if (calls.length === 1 && calls[0]!.result.ok) continue;
          const text = calls[0]?.result.text ?? feedback;
          const [, suggested = ''] = /^Try: ([^]*)/m.exec(text) ?? [];
          const second = suggested === '' ? undefined : await session.run(asModelText(suggested));
          const [only, ...others] = second?.calls ?? [];
          if (only?.result.ok === true && others.length === 0) counts.works++;
          else if (only?.result.text.includes('fill in ') === true) counts.isToFill++;
          else wrong.push(`${sent}\n${text}\n=> ${only?.result.text ?? second?.feedback ?? 'nothing suggested'}`);
        }
      }
    }
    const failed = counts.works + counts.isToFill + wrong.length;
    expect(failed).toBeGreaterThan(300);
    expect(counts.works).toBeGreaterThan(50);
    expect(wrong.slice(0, wrong.length / failed <= 0.01 ? 0 : 5)).toEqual([]);
  },
);
