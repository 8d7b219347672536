import {
  createAgent,
  defineResourcespace,
  ModelError,
  tool,
  type Agent,
  type AgentEvent,
  type CodeRunner,
  type Host,
  type Message,
  type Model,
  type ModelPart,
  type SessionLog,
} from '@bae/core';
import { FilesystemSpace } from '@bae/filesystem';
import { recordEvents, ScriptedModel, type ScriptedResponse } from '@bae/testing';
import { provideWorkspace } from '@bae/workspace';
import { z } from 'zod';
import type { Stations } from './stations.ts';

/** Other waits are of tools and of the model. */
const LONGEST_RETRY_MS = 5000;
const CODE = '<run>\nfirst call\n</run>';

/** A turn that meets everything that can be waited for: retries, reads, searches, consent, moves, code. */
const SCRIPT: readonly ScriptedResponse[] = [
  {
    parts: [
      { type: 'text-delta', text: '<R:a' },
      { type: 'error', error: new ModelError('busy.', { retryable: true }) },
    ],
  },
  '<R:a.txt>\n<Grep:needle>\n<W:b.txt>\nnew\n</W>',
  '@slow()\n<work:1>\n<work:2>',
  CODE,
  'Done.',
];
/** Said whenever the next prompt comes. */
export const NEXT = 'Going on.';

/** An agent in the middle of a long turn, and everything that can be looked at afterwards. */
export interface CancelledTurn {
  readonly agent: Agent;
  readonly events: readonly AgentEvent[];
  /** What the log was given. */
  readonly logged: readonly AgentEvent[];
  /** Messages of the last send. */
  readonly lastSend: () => readonly Message[];
  /** Work that was begun: `work 1`. */
  readonly begun: readonly string[];
}

/** Sets up the turn over a folder, with a point at everything that is waited for. */
export function cancelledTurn(folder: string, stations: Stations): CancelledTurn {
  const begun: string[] = [];
  const logged: AgentEvent[] = [];
  const scripted = new ScriptedModel(SCRIPT, { chunk: 24 });
  const sends: (readonly Message[])[] = [];
  const log: SessionLog = {
    async append(event) {
      logged.push(event);
      await stations.pass(`log ${event.type}`);
    },
    record: (record) => stations.pass(`record ${record.kind}`),
  };
  const agent = createAgent({
    model: observed(scripted, sends, stations),
    home: FilesystemSpace,
    spaces: [slowSpace(begun, stations)],
    provide: [provideWorkspace(folder)],
    codeRunner: runnerOf(stations),
    approver: { approve: async () => (await stations.hang('consent'), { allow: true }) },
    host: hostOf(stations),
    log,
  });
  const recorder = recordEvents();
  agent.subscribe(async (event) => {
    recorder(event);
    await stations.pass(`hear ${event.type}`);
  });
  return { agent, events: recorder.events, logged, lastSend: () => sends.at(-1) ?? [], begun };
}

function observed(model: Model, sends: (readonly Message[])[], stations: Stations): Model {
  async function* respond(...request: Parameters<Model['respond']>): AsyncIterable<ModelPart> {
    sends.push([...request[0]]);
    if (stations.signal.aborted) {
      yield { type: 'text-delta', text: NEXT };
      yield { type: 'end', reason: 'stop' };
      return;
    }
    await stations.hang('ask the model');
    for await (const part of model.respond(...request)) {
      await stations.hang(`get ${part.type}`);
      yield part;
    }
  }
  return { name: 'observed', respond };
}

function slowSpace(begun: string[], stations: Stations) {
  const work = tool(
    'Works for a while.',
    { target: z.string() },
    async ({ target }) => {
      begun.push(`work ${target}`);
      await stations.hang(`work ${target}`);
      return `worked on ${target}`;
    },
    { effect: 'write' },
  );
  return defineResourcespace({
    name: 'slow',
    description: 'Takes its time.',
    tools: { work },
    enter: async () => (await stations.hang('enter'), 'You are in.'),
    status: async () => (await stations.hang('status'), { open: 1 }),
  });
}

/** Code that calls a tool and then goes on by itself. */
function runnerOf(stations: Stations): CodeRunner {
  return {
    async run(_, options) {
      await stations.hang('run');
      const result = await options.dispatch({ verb: 'work', arg: '3', line: 1, tag: '<work:3>', space: 'slow' });
      await stations.hang('run on');
      return { ok: true, output: `the code got ${result.text}` };
    },
  };
}

/** Waits between tries are over at once, except the one that is the point. */
function hostOf(stations: Stations): Host {
  const timers = {
    setTimeout(callback: () => void, ms: number): NodeJS.Timeout {
      const timer = setTimeout(callback, ms);
      if (ms > LONGEST_RETRY_MS) return timer;
      clearTimeout(timer);
      const waitFor = async (point: string): Promise<void> => {
        await stations.hang(point);
        callback();
      };
      void waitFor('pause');
      return timer;
    },
    clearTimeout: (handle: unknown) => clearTimeout(handle as NodeJS.Timeout),
  };
  return { clock: performance, entropy: crypto, timers };
}
