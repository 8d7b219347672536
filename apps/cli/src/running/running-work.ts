import type { Agent, AgentEvent, Resourcespace, SpaceTree } from '@bae/core';
import type { LineReader } from '../terminal/keyboard.ts';
import { readErrorText } from '../command-line/errors.ts';

/** One piece of work that runs now, or waits for its turn. */
export interface Work {
  readonly title: string;
  /** Place that the work belongs to; empty for a prompt that waits. */
  readonly place: string;
  /** Time since its start, in milliseconds. */
  readonly ms: number;
  /** True if it ends together with other work of the list. */
  readonly isPart: boolean;
  /** Cancels it. Returns what to report, if nothing else reports it. */
  cancel(): Promise<string | undefined>;
}

/** Work with a number, which it keeps until a list is numbered anew. */
export interface NumberedWork extends Work {
  readonly number: number;
}

/** Prompts that were typed ahead. */
export type PromptQueue = LineReader['queue'];

export type QueuedPrompt = ReturnType<PromptQueue['list']>[number];

interface Begun extends Omit<Work, 'ms'> {
  readonly since: number;
}

type FollowedAgent = Pick<Agent, 'id' | 'label' | 'location' | 'cancel'>;

/** What runs in a shell: the typed input, its calls and run blocks, work of spaces, and prompts that wait. */
export class RunningWork {
  /** Inputs, calls and run blocks in the order of their start. */
  readonly #begun = new Map<object | string, Begun>();
  /** Ids of the agents that run a block. */
  readonly #inBlock = new Set<string>();
  readonly #agents: Iterable<Agent>;
  readonly #queue: PromptQueue | undefined;
  /** Numbers by identity. */
  readonly #numbers = new Map<object | string, number>();

  constructor(agents: Iterable<Agent>, queue?: PromptQueue) {
    this.#agents = agents;
    this.#queue = queue;
  }

  /**
   * Adds an input of a person until the returned function is called.
   *
   * @param cancel reports the cancellation itself
   */
  begin({ label, location }: Agent, text: string, cancel: () => void): () => void {
    const key = {};
    const title = `ai:${label} ${text}`;
    const place = location.join('.') || 'home';
    const cancelInput = async () => {
      cancel();
      return undefined;
    };
    this.#begun.set(key, { title, place, since: performance.now(), isPart: false, cancel: cancelInput });
    return () => void this.#begun.delete(key);
  }

  /** Follows the calls and run blocks of an agent. Calls of a run block are not listed: they end with it. */
  follow(agent: FollowedAgent, event: AgentEvent): void {
    if (event.type === 'run-end') this.#inBlock.delete(agent.id);
    if (event.type === 'call-end' || event.type === 'run-end') this.#begun.delete(`${agent.id} ${event.id}`);
    if ((event.type !== 'call-start' && event.type !== 'run-start') || this.#inBlock.has(agent.id)) return;
    if (event.type === 'run-start') this.#inBlock.add(agent.id);
    const place = event.type === 'call-start' ? event.space : agent.location.join('.') || 'home';
    const name = event.type === 'call-start' ? event.tag : `run ${event.code.trim()}`;
    const title = `ai:${agent.label}:${name}`;
    const cancel = async () => (agent.cancel(event.id) ? `cancelled ${title}` : undefined);
    this.#begun.set(`${agent.id} ${event.id}`, { title, place, since: performance.now(), isPart: true, cancel });
  }

  /** Lists everything, oldest first, and what waits at the end. @param isAnew true to number it from 1 */
  list(isAnew = false): readonly NumberedWork[] {
    const entries: readonly (readonly [object | string, Work])[] = [
      ...Array.from(
        this.#begun,
        ([key, { since, ...work }]) => [key, { ...work, ms: performance.now() - since }] as const,
      ),
      ...Array.from(this.#agents, (agent) => listWorkOfSpaces(agent)).flat(),
      ...(this.#queue?.list() ?? []).map((prompt) => [prompt, this.#describeQueued(prompt)] as const),
    ];
    if (isAnew) this.#numbers.clear();
    let last = Math.max(0, ...this.#numbers.values());
    return entries.map(([key, work]) => {
      const number = this.#numbers.get(key) ?? ++last;
      this.#numbers.set(key, number);
      return { ...work, number };
    });
  }

  #describeQueued(prompt: QueuedPrompt): Work {
    const title = `queued: ${prompt.text}`;
    const cancel = async () => {
      this.#queue?.remove(prompt);
      return `cancelled ${title}`;
    };
    return { title, place: '', ms: performance.now() - prompt.at, isPart: false, cancel };
  }
}

/** Lists what is cancelled in order to cancel everything: what waits before what it waits for. */
export function listCancelled(works: readonly Work[]): readonly Work[] {
  return works.filter(({ isPart }) => !isPart).toReversed();
}

/** Cancels work at the same time, and prints what nothing else reports. */
export async function cancelWork(works: readonly Work[], print: (report: string) => void): Promise<void> {
  for (const report of await Promise.all(works.map((work) => work.cancel()))) if (report !== undefined) print(report);
}

/** Maximum number of levels of spaces that are asked for their work. */
const DEEPEST = 3;

function listWorkOfSpaces(agent: Agent): readonly (readonly [string, Work])[] {
  const session = agent.label === '1' ? '' : `@${agent.label} `;
  return walkWork(agent.tree, []).map(({ path, work }) => {
    const place = `${session}${path.join('.') || 'home'}`;
    const cancel = async () => {
      try {
        await work.stop();
        return `cancelled ${work.title}`;
      } catch (error) {
        return `${work.title} could not be cancelled: ${readErrorText(error)}`;
      }
    };
    return [`${agent.id} ${place} ${work.id}`, { title: work.title, place, ms: work.ms, isPart: false, cancel }];
  });
}

type SpaceWork = ReturnType<NonNullable<Resourcespace['running']>>[number];

function walkWork(tree: SpaceTree, path: readonly string[]): readonly { path: readonly string[]; work: SpaceWork }[] {
  const own = readWork(tree.at(path)).map((work) => ({ path, work }));
  if (path.length === DEEPEST) return own;
  return [...own, ...tree.below(path).flatMap(({ name }) => walkWork(tree, [...path, name]))];
}

/** Returns the work of a space; none if the space fails. */
function readWork(space: SpaceTree['home'] | undefined): readonly SpaceWork[] {
  try {
    return space?.running?.() ?? [];
  } catch {
    return [];
  }
}

/** Maximum number of events shown before the keyboard is polled again, and their maximum time in milliseconds. */
const MOST_EVENTS = 16;
const MOST_MS = 4;

/**
 * Returns a function that makes its caller wait for the next turn of the event loop after a number of calls or a time
 * in one turn. Storing an event may take longer than showing it.
 */
export function limitPerTurn(): () => Promise<void> | undefined {
  let count = 0;
  let end = 0;
  let turn: Promise<void> | undefined;
  return () => {
    if (turn === undefined) {
      count = 0;
      end = performance.now() + MOST_MS;
      turn = new Promise((resolve) => {
        setImmediate(() => {
          turn = undefined;
          resolve();
        });
      });
    }
    return ++count < MOST_EVENTS && performance.now() < end ? undefined : turn;
  };
}
