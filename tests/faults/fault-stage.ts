import {
  allowAll,
  createAgent,
  defineResourcespace,
  ModelError,
  tool,
  type Agent,
  type AgentEvent,
  type Host,
  type Model,
} from '@bae/core';
import { expectBalanced, recordEvents } from '@bae/testing';
import { z } from 'zod';
import type { Wait } from './raw-model-server.ts';

type Timers = Host['timers'];

const IDLE_MS = 31_000;
const DEADLINE_MS = 601_000;
/** What tools may take; nobody waits that long here. */
const TOOL_LIMITS: ReadonlySet<number> = new Set([10_000, 60_000]);

/** An agent whose waits are over when it is told so, and who writes down what it dispatches. */
export interface FaultStage {
  readonly agent: Agent;
  /** Calls in the order in which they ran: `read a.ts`. */
  readonly calls: readonly string[];
  readonly events: readonly AgentEvent[];
  /** Waits between two tries, in milliseconds. */
  readonly waits: readonly number[];
  /** Lets the time of a wait be up. */
  readonly endWait: (wait: Wait) => void;
}

/** Sets up an agent that asks a model so many times. */
export function faultStage(makeModel: (endWait: FaultStage['endWait']) => Model, tries: number): FaultStage {
  const timers = new WaitingTimers();
  const calls: string[] = [];
  const host: Host = { clock: performance, entropy: crypto, timers };
  const endWait = (wait: Wait) => timers.end(wait === 'silence' ? IDLE_MS : DEADLINE_MS);
  const agent = createAgent({
    model: makeModel(endWait),
    home: recordingHome(calls),
    approver: allowAll,
    host,
    tries,
    firstTokenMs: IDLE_MS,
    idleMs: IDLE_MS,
    deadlineMs: DEADLINE_MS,
  });
  const recorder = recordEvents();
  agent.subscribe(recorder);
  return { agent, calls, events: recorder.events, waits: timers.waits, endWait };
}

/** What came of a prompt: the answer, or the error that the turn ended with, in one line. */
export async function outcomeOf({ agent, events }: FaultStage, prompt: string): Promise<string | ModelError> {
  const before = events.length;
  const outcome = await agent.ask(prompt).catch((error: unknown) => {
    if (error instanceof ModelError) return error;
    throw error;
  });
  expectBalanced(events);
  const errors = events.slice(before).filter((event) => event.type === 'notice' && event.code === 'error');
  if (errors.length !== (typeof outcome === 'string' ? 0 : 1)) throw new Error(`${errors.length} errors were reported`);
  return outcome;
}

function recordingHome(calls: string[]) {
  const target = z.string();
  const content = z.string();
  const record = (text: string): string => (calls.push(text), 'ok');
  return defineResourcespace({
    name: 'desk',
    description: 'Where calls are written down.',
    tools: {
      read: tool('Nothing.', { target }, (args) => record(`read ${args.target}`)),
      write: tool('Nothing.', { target, content }, (args) => record(`write ${args.target} ${args.content}`), {
        body: 'content',
      }),
      edit: tool('Nothing.', { target, content }, (args) => record(`edit ${args.target} ${args.content}`), {
        body: 'content',
      }),
    },
  });
}

/** Retries come at once; silence and deadlines end when somebody says so. */
class WaitingTimers implements Timers {
  readonly waits: number[] = [];
  private readonly waiting = new Map<number, { readonly ms: number; readonly callback: () => void }>();
  private last = 0;

  setTimeout(callback: () => void, ms: number): number {
    const handle = ++this.last;
    if (TOOL_LIMITS.has(ms)) return handle;
    this.waiting.set(handle, { ms, callback });
    if (ms !== IDLE_MS && ms !== DEADLINE_MS) {
      this.waits.push(ms);
      setImmediate(() => this.fire(handle));
    }
    return handle;
  }

  clearTimeout(handle: unknown): void {
    this.waiting.delete(handle as number);
  }

  /** Ends every wait of this length. */
  end(length: number): void {
    for (const [handle, { ms }] of this.waiting) if (ms === length) this.fire(handle);
  }

  private fire(handle: number): void {
    const wait = this.waiting.get(handle);
    this.waiting.delete(handle);
    wait?.callback();
  }
}
