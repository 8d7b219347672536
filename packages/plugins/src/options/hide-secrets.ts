import { BaeError, type SpaceDefinition, type SpaceSource, type ToolContext, type ToolDefinition } from '@bae/core';

/** Minimum length of a hidden secret, in characters; hiding a shorter one would hide ordinary words. */
const SHORTEST = 4;
const MASK = '‹masked secret›';

type Hide = <T>(value: T) => T;

/** The secrets of a space, when it is used: a login may have brought others. */
export type SecretList = () => readonly string[];

/**
 * Wraps a space and those below it, so that their texts never contain one of the secrets, whether literally, in base64
 * or in an address.
 */
export function hideSecrets(space: SpaceDefinition, listSecrets: SecretList): SpaceDefinition {
  return new HidingSpaces(listSecrets).wrap(space);
}

/** Runs a function and removes the secrets from its return value and error. */
export async function runHidden<T>(work: () => Promise<T>, secrets: readonly string[]): Promise<T> {
  const hide = makeHide(secrets);
  return hide === undefined ? work() : attempt(work, hide);
}

function makeHide(secrets: readonly string[]): Hide | undefined {
  const forms = secrets
    .filter(({ length }) => length >= SHORTEST)
    .flatMap((secret) => [
      secret,
      encodeURIComponent(secret),
      Buffer.from(secret).toString('base64').replace(/=+$/, ''),
    ]);
  if (forms.length === 0) return undefined;
  // Longer secrets come first, because one may begin with another.
  const hideText = (text: string): string =>
    forms.toSorted((a, b) => b.length - a.length).reduce((rest, form) => rest.replaceAll(form, MASK), text);
  return (value) => hideValue(value, hideText, []) as typeof value;
}

const TOOL_FUNCTIONS = ['invoke', 'plan', 'target', 'preview'] as const;

/** Wraps spaces, each of them and their tools once. */
class HidingSpaces {
  readonly #listSecrets: SecretList;
  readonly #spaces = new WeakMap<SpaceDefinition, SpaceDefinition>();
  readonly #tools = new WeakMap<ToolDefinition, ToolDefinition>();

  constructor(listSecrets: SecretList) {
    this.#listSecrets = listSecrets;
  }

  wrap(space: SpaceDefinition): SpaceDefinition {
    const known = this.#spaces.get(space) ?? this.#wrapSpace(space);
    this.#spaces.set(space, known);
    return known;
  }

  #wrapSpace(space: SpaceDefinition): SpaceDefinition {
    const wrapTools = (): SpaceDefinition['tools'] =>
      Object.fromEntries(Object.entries(space.tools).map(([name, tool]) => [name, this.#wrapTool(tool)]));
    const wrapChildren = (): ReturnType<SpaceDefinition['children']> =>
      Object.fromEntries(
        Object.entries(space.children()).map(([name, child]) => [name, isDefinition(child) ? this.wrap(child) : child]),
      );
    return {
      ...space,
      get tools() {
        return wrapTools();
      },
      children: wrapChildren,
      enter: () => this.#run(async () => space.enter()),
      ...(space.status && { status: () => this.#run(async () => space.status!()) }),
      ...(space.search && {
        search: (query: string, limit: number) => this.#run(async () => space.search!(query, limit)),
      }),
      ...(space.contentOf && { contentOf: (target: string) => this.#run(() => space.contentOf!(target)) }),
      ...(space.complete && {
        complete: (typed: string, limit: number) => this.#run(() => space.complete!(typed, limit)),
      }),
      ...(space.running && {
        running: () =>
          space.running!().map((work) => {
            const { id, title, ms } = work;
            return { id, title: this.#makeHide()(title), ms, stop: () => work.stop() };
          }),
      }),
    };
  }

  #wrapTool(tool: ToolDefinition): ToolDefinition {
    const known = this.#tools.get(tool);
    if (known !== undefined) return known;
    const functions = TOOL_FUNCTIONS.flatMap((key) => {
      const run = tool[key] as ((args: unknown, context: ToolContext) => unknown) | undefined;
      if (run === undefined) return [];
      const wrapped = (args: unknown, context: ToolContext) =>
        this.#run(async (hide) => run.call(tool, args, hideContext(context, hide)));
      return [[key, wrapped] as const];
    });
    const wrapped = {
      ...tool,
      description: this.#makeHide()(tool.description),
      ...(tool.explainTimeout && { explainTimeout: (ms: number) => this.#makeHide()(tool.explainTimeout!(ms)) }),
      ...Object.fromEntries(functions),
    };
    this.#tools.set(tool, wrapped);
    return wrapped;
  }

  #run<T>(work: (hide: Hide) => Promise<T>): Promise<T> {
    const hide = this.#makeHide();
    return attempt(() => work(hide), hide);
  }

  #makeHide(): Hide {
    return makeHide(this.#listSecrets()) ?? ((value) => value);
  }
}

function isDefinition(source: SpaceSource): source is SpaceDefinition {
  return typeof source === 'object' && 'tools' in source && 'enter' in source;
}

/** Wraps the functions by which a tool communicates apart from its result. */
function hideContext(context: ToolContext, hide: Hide): ToolContext {
  return {
    ...context,
    ask: (question) => context.ask(hide(question)),
    requestApproval: (reason, target) => context.requestApproval(hide(reason), hide(target)),
    progress: (done, total, text) => context.progress(done, total, hide(text)),
    output: (text) => context.output(hide(text)),
    model: (prompt) => context.model(hide(prompt)),
  };
}

async function attempt<T>(work: () => Promise<T>, hide: Hide): Promise<T> {
  try {
    return hide(await work());
  } catch (error) {
    throw hideInError(error, hide);
  }
}

function hideInError(error: unknown, hide: Hide): unknown {
  if (!(error instanceof Error)) return hide(error);
  error.message = hide(error.message);
  if (error.stack !== undefined) error.stack = hide(error.stack);
  if (BaeError.is(error)) Object.assign(error, { hints: hide(error.hints) });
  return error;
}

/** Hides secrets in a value of any shape, including the return values of functions in it. */
function hideValue(value: unknown, hideText: (text: string) => string, above: readonly unknown[]): unknown {
  if (typeof value === 'string') return hideText(value);
  const inner = (one: unknown) => hideValue(one, hideText, [...above, value]);
  if (typeof value === 'function') {
    return (...args: unknown[]) => {
      const returned: unknown = Reflect.apply(value, undefined, args);
      return returned instanceof Promise ? returned.then(inner) : inner(returned);
    };
  }
  if (typeof value !== 'object' || value === null || above.includes(value) || ArrayBuffer.isView(value)) return value;
  if (Symbol.asyncIterator in value || 'next' in value) return hidePieces(value as AsyncIterable<unknown>, inner);
  if (value instanceof Error) return hideInError(value, inner as Hide);
  if (value instanceof Map) return new Map(Array.from(value, (entry) => inner(entry) as [unknown, unknown]));
  if (value instanceof Set) return new Set(Array.from(value, inner));
  if (Array.isArray(value)) return value.map(inner);
  if (typeof (value as { readonly toJSON?: unknown }).toJSON === 'function') return value;
  const fields = Object.entries(value).map(([key, one]) => {
    // A function of an object may use the object itself.
    return [key, inner(typeof one === 'function' ? (one as () => unknown).bind(value) : one)] as const;
  });
  const methods = ['preview', 'apply'].filter((key) => !Object.hasOwn(value, key) && key in value);
  const bound = methods.map((key) => [key, inner((value as Record<string, () => unknown>)[key]!.bind(value))] as const);
  return Object.fromEntries([...fields, ...bound]);
}

async function* hidePieces(pieces: AsyncIterable<unknown>, hide: (value: unknown) => unknown): AsyncGenerator {
  for await (const piece of pieces) yield hide(piece);
}
