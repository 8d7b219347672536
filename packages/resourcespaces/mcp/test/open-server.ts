import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asModelText, createAgent, type Agent, type AgentOptions, type ApprovalRequest, type Model } from '@bae/core';
import { afterEach } from 'vitest';
import { learnTools, mcpServer, type KnownServer, type ServerMemory } from '../src/mcp-space.ts';

const FIXTURE = join(import.meta.dirname, 'fixture-server.mjs');
/** Agents that end with the test. */
export const agents = new Set<Agent>();
export const folder = mkdtempSync(join(tmpdir(), 'bae-mcp-'));

afterEach(async () => {
  for (const agent of agents) await agent.close();
  agents.clear();
});

export function remember(): ServerMemory & { known: KnownServer | undefined } {
  const memory = {
    known: undefined as KnownServer | undefined,
    read: () => memory.known,
    write: (known: KnownServer) => void (memory.known = known),
  };
  return memory;
}

interface Given {
  readonly kind?: string;
  readonly args?: readonly string[];
  readonly memory?: ServerMemory;
  readonly trusted?: boolean;
  readonly env?: Readonly<Record<string, string>>;
  readonly timeout?: number;
  readonly allow?: boolean;
  readonly askPerson?: AgentOptions['askPerson'];
  readonly model?: Model;
  readonly maxTokens?: number;
  readonly sampling?: boolean;
}

export function settings({ kind = 'normal', args = [], env = {}, timeout, sampling }: Given) {
  const command = { command: process.execPath, args: [FIXTURE, kind, ...args], env };
  return { ...command, ...(timeout !== undefined && { timeout }), ...(sampling !== undefined && { sampling }) };
}

/** An agent with the fixture as a place, and what it asked consent for. */
export async function open(given: Given = {}) {
  const { memory = remember(), trusted = true, allow = true } = given;
  const asked: ApprovalRequest[] = [];
  const options = {
    name: 'box',
    settings: settings(given),
    place: { folder, env: { PATH: process.env['PATH'] } },
    memory,
    trusted,
  };
  await learnTools({ ...options, signal: AbortSignal.timeout(20_000) });
  const agent = createAgent({
    spaces: [mcpServer(options)],
    ...(given.askPerson && { askPerson: given.askPerson }),
    ...(given.model && { model: given.model }),
    ...(given.maxTokens !== undefined && { maxTokens: given.maxTokens }),
    approver: {
      approve: (request) => {
        asked.push(request);
        return Promise.resolve(allow ? { allow: true } : { allow: false, reason: 'no' });
      },
    },
  });
  agents.add(agent);
  const run = async (text: string): Promise<string> => {
    const { calls } = await agent.run(asModelText(text));
    return calls.map(({ result }) => result.text).join('\n---\n');
  };
  return { agent, run, asked, memory };
}
