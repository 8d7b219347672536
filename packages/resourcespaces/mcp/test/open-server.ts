import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asModelText, createAgent, type Agent, type AgentOptions, type ApprovalRequest, type Model } from '@bae/core';
import { afterEach } from 'vitest';
import { learnTools, mcpServer, type KnownServer, type ServerMemory } from '../src/mcp-space.ts';

const FIXTURE = join(import.meta.dirname, 'fixture-server.mjs');
/** Agents that end with the test. */
export const agents = new Set<Agent>();
export const folder = mkdtempSync(join(tmpdir(), 'bae-mcp #1-'));

afterEach(async () => {
  for (const agent of agents) await agent.close();
  agents.clear();
});

export function remember(known?: KnownServer): ServerMemory & { known: KnownServer | undefined } {
  const memory = {
    known,
    read: () => memory.known,
    write: (facts: KnownServer) => void (memory.known = facts),
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
  readonly idleMs?: number;
}

export function settings({ kind = 'normal', args = [], env = {}, timeout, sampling }: Given) {
  const command = { command: process.execPath, args: [FIXTURE, kind, ...args], env };
  return { ...command, ...(timeout !== undefined && { timeout }), ...(sampling !== undefined && { sampling }) };
}

/** What servers say of themselves: each kind is asked once, unless it has a file or a memory of its own. */
const learned = new Map<string, KnownServer>();

/** An agent with the fixture as a place, and what it asked consent for. */
export async function open(given: Given = {}) {
  const { kind = 'normal', trusted = true, allow = true } = given;
  const isAlone = given.args !== undefined || given.memory !== undefined;
  const known = isAlone ? undefined : learned.get(kind);
  const memory = given.memory ?? remember(known);
  const asked: ApprovalRequest[] = [];
  const options = {
    name: 'box',
    settings: settings(given),
    place: { folder, env: { PATH: process.env['PATH'] }, idleMs: given.idleMs },
    memory,
    trusted,
  };
  if (known === undefined) {
    await learnTools({ ...options, signal: AbortSignal.timeout(20_000) });
    const facts = memory.read();
    if (facts !== undefined && !isAlone) learned.set(kind, facts);
  }
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
