import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAgent, type Agent, type AgentEvent } from '@bae/core';
import { FilesystemSpace } from '@bae/filesystem';
import { expectBalanced, recordEvents, ScriptedModel } from '@bae/testing';
import { provideWorkspace } from '@bae/workspace';
import { describe, expect, it, onTestFinished } from 'vitest';
import { WIRES } from '../wire/wire-models.ts';
import { childProcesses, handles } from './left-behind.ts';
import { goodReply } from './model-faults.ts';
import { RawModelServer, type Delivery } from './raw-model-server.ts';
import { scratchFolder } from './scratch-folder.ts';

const FORMATS = WIRES.filter(({ name }) => name !== 'openai');
const SETTLES_MS = 250;

/** Cancels a turn when something has happened, and returns what it had told until then. */
async function cancelWhen(agent: Agent, hasHappened: () => boolean): Promise<readonly AgentEvent[]> {
  const recorder = recordEvents();
  agent.subscribe(recorder);
  const controller = new AbortController();
  const turn = agent.ask('Go.', { signal: controller.signal }).then(
    () => 'answered',
    (error: unknown) => (error as Error).name,
  );
  await expect.poll(hasHappened, { interval: 1 }).toBe(true);
  controller.abort();
  const late = new Promise((resolve) => setTimeout(resolve, SETTLES_MS, 'late'));
  expect(await Promise.race([turn, late])).toBe('AbortError');
  expectBalanced(recorder.events);
  expect(recorder.events.at(-1)).toMatchObject({ type: 'turn-end', outcome: 'aborted' });
  return recorder.events;
}

/** A folder that takes a while to search. */
function bigFolder(): string {
  const line = 'a line with nothing to find in it, and another word or two\n';
  const files = Array.from({ length: 200 }, (_, index) => [`folder-${index % 20}/${index}.txt`, line.repeat(8000)]);
  return scratchFolder(Object.fromEntries(files) as Record<string, string>);
}

/** A search program that starts another one and never ends. */
function endlessProgram(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bae-endless-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const program = join(folder, 'rg');
  writeFileSync(program, '#!/bin/sh\n/bin/sleep 1000 &\nwait\n', { mode: 0o755 });
  return program;
}

describe.runIf(process.platform === 'linux')('a search that is cancelled', () => {
  it.each([
    ['a process', () => ({}), () => childProcesses().length > 0],
    ['a process that never ends', () => ({ ripgrep: endlessProgram() }), () => childProcesses().length > 0],
    ['a thread', () => ({ ripgrep: null }), () => handles().includes('MessagePort')],
  ])('leaves no trace of %s', async (_, settings, hasBegun) => {
    const provide = [provideWorkspace(bigFolder(), settings())];
    const before = handles();
    expect(hasBegun()).toBe(false);
    for (let time = 0; time < 5; time++) {
      const model = new ScriptedModel(['<Grep:(a|b|c).*(words|letters)+$>', 'Fine.']);
      const agent = createAgent({ model, home: FilesystemSpace, provide });
      await cancelWhen(agent, hasBegun);
      expect(await agent.ask('And now?')).toBe('Fine.');
      expect(model.sends.at(-1)?.at(-1)?.text).toContain('AbortError: interrupted, outcome unknown.');
      await expect.poll(childProcesses).toEqual([]);
      await expect.poll(handles).toEqual(before);
    }
  });
});

describe.each(FORMATS)('a request to $name that is cancelled', (wire) => {
  const whole = goodReply(wire.format);
  const hanging = (share: number): Delivery => ({
    bytes: whole.bytes.subarray(0, Math.floor(whole.bytes.length * share)),
    ending: 'hang',
  });
  const busy: Delivery = {
    bytes: Buffer.from('HTTP/1.1 429 Busy\r\nretry-after: 50\r\ncontent-length: 0\r\nconnection: close\r\n\r\n'),
    ending: 'close',
  };

  it.each([
    ['before anything came', hanging(0)],
    ['in the head', hanging(0.03)],
    ['in the body', hanging(0.5)],
    ['near the end', hanging(0.9)],
    ['between two tries', busy],
  ])('%s leaves no connection, and the next one is answered', async (_, delivery) => {
    await using server = await RawModelServer.start();
    let asked = 0;
    let waited = false;
    const url = server.serve({
      answer: (_body, before) => ((asked = before + 1), before === 0 ? delivery : goodReply(wire.format, 'Fine.')),
      onWait: () => (waited = true),
    });
    const agent = createAgent({ model: wire.model(url), idleMs: 60_000 });
    const isRetrying = (): boolean => asked === 1 && server.connections === 0;
    const events = await cancelWhen(agent, delivery === busy ? isRetrying : () => waited);
    expect(events.filter(({ type }) => type === 'call-start' || type === 'answer')).toEqual([]);
    await expect.poll(() => server.connections).toBe(0);
    expect(asked).toBe(1);
    expect(await agent.ask('And now?')).toBe('Fine.');
    await expect.poll(() => server.connections).toBe(0);
  });
});
