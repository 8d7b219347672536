import { AbortError, BaeError, formatErrorLine, ResourceError } from '../errors/bae-error.ts';
import type { Confine } from '../protocol/approver.ts';
import type { SpaceDefinition } from '../protocol/resourcespace.ts';
import type { ToolDefinition } from '../protocol/tool-definition.ts';

/** Functions of a tool that need an open space. */
const FUNCTIONS = ['invoke', 'plan', 'target', 'preview'] as const;

/**
 * Returns the same space, but opened before its first use and closed when it is disposed of; the space itself if it has
 * no `onOpen`.
 */
export function openOnUse(space: SpaceDefinition, confine?: Confine): SpaceDefinition {
  if (space.onOpen === undefined) return space;
  const lifetime = new Lifetime(space, confine);
  const tools = new WeakMap<ToolDefinition, ToolDefinition>();
  const wrap = (tool: ToolDefinition): ToolDefinition => {
    const known = tools.get(tool) ?? lifetime.openFor(tool);
    tools.set(tool, known);
    return known;
  };
  const { onOpen: _, ...rest } = Object.getOwnPropertyDescriptors(space);
  const wrapped: Pick<SpaceDefinition, 'tools' | 'enter' | 'dispose'> & Partial<SpaceDefinition> = {
    get tools() {
      return Object.fromEntries(Object.entries(space.tools).map(([name, tool]) => [name, wrap(tool)]));
    },
    async enter() {
      await lifetime.open();
      const state = await space.enter();
      return lifetime.failure === '' ? state : `${state} ${lifetime.failure}`.trim();
    },
    ...(space.status && { status: () => (lifetime.isOpen ? space.status!() : {}) }),
    ...(space.running && { running: () => (lifetime.isOpen ? space.running!() : []) }),
    ...(space.isIdle && { isIdle: (tool?: string) => lifetime.isOpen && space.isIdle!(tool) }),
    ...(space.search && {
      async search(query: string, limit: number) {
        await lifetime.open();
        return space.search!(query, limit);
      },
    }),
    ...(space.contentOf && {
      async contentOf(target: string) {
        await lifetime.open();
        return space.contentOf!(target);
      },
    }),
    ...(space.complete && {
      async complete(typed: string, limit: number) {
        await lifetime.open();
        return space.complete!(typed, limit);
      },
    }),
    ...(space.locate && {
      async locate(name: string, near: boolean) {
        await lifetime.open();
        return space.locate!(name, near);
      },
    }),
    dispose: () => lifetime.close(),
  };
  return Object.defineProperties({}, { ...rest, ...Object.getOwnPropertyDescriptors(wrapped) }) as SpaceDefinition;
}

/** Time between `onOpen` and `dispose` of one space; it may begin again. */
class Lifetime {
  /** Line about background work that failed; empty if none has. */
  failure = '';
  readonly #space: SpaceDefinition;
  readonly #confine: Confine;
  /** True between a successful `onOpen` and the end. */
  isOpen = false;
  #stop = new AbortController();
  #opening: Promise<void> | undefined;

  constructor(space: SpaceDefinition, confine: Confine = (_, work) => work()) {
    this.#space = space;
    this.#confine = confine;
  }

  /** @throws ResourceError with the error of `onOpen`, after which it may be called again */
  open(): Promise<void> {
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  openFor(tool: ToolDefinition): ToolDefinition {
    const wrapped = FUNCTIONS.flatMap((key) => {
      const run = tool[key] as ((...args: unknown[]) => unknown) | undefined;
      if (run === undefined) return [];
      const opened = async (...args: unknown[]) => {
        await this.open();
        return run.apply(tool, args);
      };
      return [[key, opened] as const];
    });
    // As properties, because parameters are made when they are first read.
    return Object.defineProperties(
      {},
      {
        ...Object.getOwnPropertyDescriptors(tool),
        ...Object.getOwnPropertyDescriptors(Object.fromEntries(wrapped)),
      },
    ) as ToolDefinition;
  }

  async close(): Promise<void> {
    this.#stop.abort(new AbortError('the session is over'));
    this.#stop = new AbortController();
    const opening = this.#opening;
    this.#opening = undefined;
    this.isOpen = false;
    await opening?.catch(() => undefined);
    await this.#space.dispose?.();
  }

  async #open(): Promise<void> {
    const { signal } = this.#stop;
    const background = (work: (signal: AbortSignal) => Promise<unknown>): void => {
      const note = (error: unknown): void => {
        if (!signal.aborted) this.failure = `Stopped in the background: ${formatErrorLine(error)}`;
      };
      (async () => work(signal))().catch(note);
    };
    try {
      // What goes on until the end of the space is not covered by the consent to the call that opens it.
      await this.#confine([], () => this.#space.onOpen!({ signal, background }));
      this.isOpen = !signal.aborted;
    } catch (error) {
      if (BaeError.is(error)) throw error;
      const { name } = this.#space;
      throw new ResourceError(`${name} could not be opened: ${formatErrorLine(error)}`, [`${name}()`], error);
    }
  }
}
