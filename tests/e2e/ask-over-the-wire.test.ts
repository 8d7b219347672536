import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AgentEvent } from '@bae/core';
import { expectBalanced } from '@bae/testing';
import { describe, expect, it } from 'vitest';
import { ANTHROPIC_FORMAT } from '../wire/anthropic-format.ts';
import { OPENAI_FORMAT } from '../wire/openai-format.ts';
import type { WireReply } from '../wire/wire-reply.ts';
import { WireServer } from '../wire/wire-server.ts';
import { repositoryCopy, runBae } from './run-bae.ts';

const config = fileURLToPath(new URL('fixtures/notes.config.js', import.meta.url));

const SCRIPT = [
  'Let me look.\n<R:packages/core/src/protocol/verbs.ts:1-12>\n<Grep:export const VERBS path=packages/core/src>',
  '<E:packages/core/src/protocol/verbs.ts:1-1>\n/** The verbs. */\n</E>\n<R:nope.ts>',
  '<W:notes/plan.md>\n# Plan\n\n```\n<R:not-run>\n```\n</W>\n<G:notes/**>',
  '@notes()\n<R:>\n<Write:Call Anna></Write>\n@notes.nope()\n@back()',
  'Verbs documented, plan written.',
];

const WIRES = {
  openai: { format: OPENAI_FORMAT, model: 'openai-compatible/wire' },
  anthropic: { format: ANTHROPIC_FORMAT, model: 'anthropic/wire' },
} as const;

/** One `bae ask` against a server of its own. */
async function ask(wire: keyof typeof WIRES, script: readonly (string | WireReply)[], folder: string) {
  const { format, model } = WIRES[wire];
  await using server = await WireServer.start(format, script);
  const options = ['--json', '--yes', '--cwd', folder, '--config', config, '--model', model, '--base-url', server.url];
  const env = { ANTHROPIC_API_KEY: 'secret', OPENAI_API_KEY: 'secret' };
  const run = await runBae(['ask', 'Document the verbs and write a plan.', ...options], { env });
  const events = run.stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as AgentEvent);
  return { run, events, requests: server.requests };
}

/** Events without what differs from run to run: times, tokens, and how the text was cut into pieces. */
const essence = (events: readonly AgentEvent[]) =>
  events
    .filter(({ type }) => type !== 'response-delta')
    .map(
      (event) =>
        JSON.parse(
          JSON.stringify(event, (key, value: unknown) => (key === 'ms' || key === 'usage' ? 0 : value)),
        ) as AgentEvent,
    );

describe.each(['openai', 'anthropic'] as const)('bae ask over the %s wire', (wire) => {
  it('reads, searches, edits, writes, moves, meets errors and answers', async () => {
    const folder = repositoryCopy();
    const { run, events, requests } = await ask(wire, SCRIPT, folder);
    expect(run).toMatchObject({ code: 0 });
    expectBalanced(events);
    expect(requests).toHaveLength(5);
    const ends = events.filter((event) => event.type === 'call-end');
    expect(ends.map(({ summary }) => summary)).toEqual([
      '◆ read(packages/core/src/protocol/verbs.ts:1-12) -> string (12 lines)',
      '◆ grep(export const VERBS path=packages/core/src) -> string (1 match)',
      '◆ edit(packages/core/src/protocol/verbs.ts:1-1) -> string (1 line)',
      '◆ read(nope.ts) -> FileNotFoundError',
      '◆ write(notes/plan.md) -> string (28 chars)',
      '◆ glob(notes/**) -> string (1 match)',
      '◆ notes',
      '[notes] ◆ read() -> string (1 line)',
      '[notes] ◆ write(Call Anna) -> string (1 line)',
      '[notes] ◆ go(notes.nope) -> ResourceError',
      '◆ home',
    ]);
    expect(readFileSync(join(folder, 'packages/core/src/protocol/verbs.ts'), 'utf8')).toMatch(
      /^\/\*\* The verbs\. \*\/\nexport const VERBS/,
    );
    expect(readFileSync(join(folder, 'notes/plan.md'), 'utf8')).toBe('# Plan\n\n```\n<R:not-run>\n```\n');
    expect(events.at(-2)).toMatchObject({ type: 'answer', text: 'Verbs documented, plan written.' });
    expect(events.at(-1)).toMatchObject({ type: 'turn-end', outcome: 'answered', totals: { sends: 5, calls: 11 } });
  });

  it('sends earlier messages unchanged, and the key only where it belongs', async () => {
    const { requests } = await ask(wire, SCRIPT, repositoryCopy());
    for (let request = 1; request < requests.length; request++) {
      const before = requests[request - 1]!.messages;
      expect(requests[request]!.messages.slice(0, before.length)).toEqual(before);
    }
    expect(JSON.stringify(requests.map(({ body }) => body))).not.toContain('secret');
  });

  it('writes nothing of a response whose stream is cut inside a write', async () => {
    const folder = repositoryCopy();
    const text = '<W:half.md>\nthe first half of something that never ends\n</W>';
    const cut = { text, fault: { kind: 'cut', after: 400 } } as const;
    const { run, events } = await ask(wire, [cut, cut, cut], folder);
    expect(run.code).toBe(1);
    expect(run.stderr).not.toMatch(/\n\s+at /);
    expect(() => readFileSync(join(folder, 'half.md'))).toThrow('ENOENT');
    expect(events.some(({ type }) => type === 'call-start')).toBe(false);
    expect(events.at(-1)).toMatchObject({ type: 'turn-end', outcome: 'failed' });
  });
});

describe('both wires', () => {
  it('give the same events for the same script', async () => {
    const folders = [repositoryCopy(), repositoryCopy()];
    const openai = await ask('openai', SCRIPT, folders[0]!);
    const anthropic = await ask('anthropic', SCRIPT, folders[1]!);
    expect(essence(openai.events)).toEqual(essence(anthropic.events));
  });
});
