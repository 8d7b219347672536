import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asModelText, createAgent, defineResourcespace, tool } from '@bae/core';
import { learnTools, mcpServer, type KnownServer } from '@bae/mcp';
import { describe, expect, it, vi } from 'vitest';

const SERVER = join(import.meta.dirname, 'processes/faulty-server.mjs');
/** What the only tool of a server is, when it was asked before. */
const KNOWN = { name: 'do', description: 'Does it.', inputSchema: { type: 'object' as const } };

/** How often a server gets to run in a test, in milliseconds; what it does wrong at the end is known sooner. */
const PATIENCE_MS = 2500;

const other = defineResourcespace({
  name: 'other',
  description: 'Something else.',
  tools: { read: tool('Reads it.', {}, () => 'still here') },
});

/** The processes that have a marker among their arguments. */
function findMarked(marker: string): readonly string[] {
  return readdirSync('/proc').filter((id) => {
    try {
      return /^\d+$/.test(id) && readFileSync(`/proc/${id}/cmdline`, 'utf8').includes(marker);
    } catch {
      return false;
    }
  });
}

/** Enters a server that does something wrong, and calls its tool twice; the second time without what was wrong. */
async function meet(kind: string, isKnown: boolean, patienceMs = PATIENCE_MS) {
  const marker = randomUUID();
  let known: KnownServer | undefined = isKnown ? { tools: [KNOWN], pin: '' } : undefined;
  const memory = { read: () => known, write: (learnt: KnownServer) => void (known = learnt) };
  const settings = {
    command: kind === 'is not there' ? `no-such-${marker}` : process.execPath,
    args: [SERVER, kind, marker],
    env: {},
    timeout: patienceMs,
    startTimeout: patienceMs,
  };
  const options = {
    name: 'box',
    settings,
    place: { folder: import.meta.dirname, env: process.env },
    memory,
    trusted: true,
  };
  if (!isKnown) await learnTools({ ...options, signal: AbortSignal.timeout(4 * PATIENCE_MS) });
  const agent = createAgent({
    spaces: [mcpServer(options), other],
    approver: { approve: async () => ({ allow: true }) },
  });
  try {
    const place = await agent.describe(['box']);
    const { calls } = await agent.run(asModelText('<box.do:>\n<other.R:>'));
    const [called, beside] = calls;
    return { place, called: called?.result, beside: beside?.result.text, close: () => agent.close(), marker };
  } catch (error) {
    await agent.close();
    throw error;
  }
}

/** What comes of a call: `ok` with the text, else the words of the error. */
const OUTCOMES: readonly (readonly [kind: string, outcome: RegExp])[] = [
  ['is not there', /^ServerError: box: there is no program no-such-/],
  ['exits at once', /^ServerError: box: /],
  ['exits after half a message', /^ServerError: box: /],
  ['is killed at the start', /^ServerError: box: /],
  [
    'prints a line without end',
    /^ServerError: box: it sent a message of more than 16 MB, and was ended\. .*\nTry: @box\(\)$/,
  ],
  ['closes its output', /^(?:ServerError: box: |TimeoutError)/],
  ['prints to standard error without end', /^done$|^ServerError: box: /],
  ['never answers the handshake', /^(?:ServerError: box: |TimeoutError)/],
  ['refuses the handshake', /^ServerError: box: .*no .*entry/],
  ['speaks a version of nobody', /^ServerError: box: .*1\.2\.3/],
  ['answers the handshake with another thing', /^(?:ServerError: box: |TimeoutError)/],
  ['answers the handshake under a wrong number', /^(?:ServerError: box: |TimeoutError)/],
  ['never lists its tools', /^(?:ServerError: box: |TimeoutError)/],
  ['fails to list its tools', /^ServerError: box: .*the database is gone/],
  ['lists tools without end', /^ResourceError: box does not support do\./],
  ['lists what are no tools', /^ServerError: box: it has no tools that can be used: 3 of its tools were left out: /],
  ['lists one tool among what is none', /^done$/],
  ['lists 10 MB of numbers', /^ServerError: box: it has no tools that can be used: 2000 of its tools were left out: /],
  ['lists the same tool twice', /^done$/],
  // Its tools are in places of their own.
  ['lists 5,000 tools', /^ResourceError: box does not support do\.\nSupported here: nothing\nTry: <box\.more_1\.do:>$/],
  ['lists a tool with a schema that is none', /^done$/],
  ['dies in a call', /^ServerError: box: .*\nIt printed last:\nout of memory/],
  ['never answers a call', /^(?:ServerError: box: |TimeoutError)/],
  ['answers a call twice', /^once$/],
  ['answers a call under a wrong number', /^(?:ServerError: box: |TimeoutError)/],
  ['answers with another thing', /^ServerError: box: /],
  [
    'answers with 10 MB of numbers',
    /^ServerError: box: it sent an answer of more than 20000 parts, or nested too deep\. /,
  ],
  ['answers with an error that is none', /^(?:ServerError: box: |TimeoutError)/],
  ['answers with half a message and ends', /^ServerError: box: /],
  [
    'answers with 100 MB',
    /^ServerError: box: it sent a message of more than 16 MB, and was ended\. .*\nTry: make the call again, if it may run twice/,
  ],
  ['answers drop by drop', /^slowly$/],
  ['answers with bytes that are not text', /^after all$/],
  ['floods with notifications', /^at last$/],
  ['floods with changes of its tools', /^at last$/],
  ['floods with progress of nobody', /^at last$/],
  ['floods with questions', /^at last$/],
  ['asks for an answer of the model', /-32601/],
  ['talks gibberish between its answers', /^at last$/],
  ['leaves a process behind', /^begun$/],
  ['does not end when it is asked to', /^still here$/],
];

describe('a server of the protocol that', () => {
  it.each(OUTCOMES)('%s is an answer, and nothing of it is left', async (kind, outcome) => {
    // A busy machine is slow: only what never ends runs out of time.
    const patienceMs = outcome.source.includes('TimeoutError') ? PATIENCE_MS : 20 * PATIENCE_MS;
    const { place, called, beside, close, marker } = await meet(kind, true, patienceMs);
    try {
      expect(place).toContain('home > box');
      expect(called?.text).toMatch(outcome);
      expect(beside).toBe('still here');
    } finally {
      await close();
    }
    await vi.waitUntil(() => findMarked(marker).length === 0, { timeout: 120_000 });
  });

  it('is learnt from or not, whatever it does wrong', async () => {
    for (const kind of ['exits at once', 'lists what are no tools', 'lists tools without end']) {
      const { place, beside, close, marker } = await meet(kind, false);
      expect(place).toContain('home > box');
      expect(beside ?? 'still here').toBe('still here');
      await close();
      await vi.waitUntil(() => findMarked(marker).length === 0, { timeout: 120_000 });
    }
  });
});
