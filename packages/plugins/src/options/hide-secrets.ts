import { BaeError, type SpaceDefinition, type SpaceSource, type ToolContext, type ToolDefinition } from '@bae/core';

/** Minimum length of a hidden secret, in characters; hiding a shorter one would hide ordinary words. */
const SHORTEST = 4;
const MASK = '‹masked secret›';

type ToolArguments = Parameters<ToolDefinition['invoke']>[0];

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
  return attempt(work, new HiddenForms(secrets));
}

/** Minimum length of the part of a base64 text that is replaced, in characters; shorter ones occur in any data. */
const SHORTEST_BASE64 = 6;

/** Lists the forms in which a secret may be written: literally, in an address, and in base64 also among other text. */
function listForms(secret: string): readonly string[] {
  const inBase64 = [0, 1, 2].flatMap((before) => {
    const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
    // Only the characters that do not depend on the text before and after it.
    const own = bytes.toString('base64').slice(Math.ceil((before * 8) / 6), Math.floor((bytes.length * 8) / 6));
    return own.length < SHORTEST_BASE64 ? [] : [own, own.replaceAll('+', '-').replaceAll('/', '_')];
  });
  return [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64').replace(/=+$/, ''), ...inBase64];
}

/** Everything that is replaced in texts and bytes. */
class HiddenForms {
  readonly #forms: readonly string[];

  constructor(secrets: readonly string[]) {
    const forms = secrets.filter(({ length }) => length >= SHORTEST).flatMap(listForms);
    // Longer ones come first, because one may begin with another.
    this.#forms = [...new Set(forms)].toSorted((a, b) => b.length - a.length);
  }

  /** Hides them in a value of any shape, including the return values and errors of functions in it. */
  hide<T>(value: T): T {
    return this.#forms.length === 0 ? value : (hideValue(value, this, []) as T);
  }

  hideIn(text: string): string {
    return this.#forms.reduce((rest, form) => rest.replaceAll(form, MASK), text);
  }

  hideInBytes<T extends ArrayBuffer | ArrayBufferView>(value: T): T | Buffer {
    const bytes = ArrayBuffer.isView(value)
      ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
      : Buffer.from(value);
    const hidden = this.#forms.reduce((rest, form) => replaceBytes(rest, Buffer.from(form)), bytes);
    return hidden === bytes ? value : hidden;
  }

  /** Returns the number of characters at the end of a text with which one of the forms may begin. */
  countBegun(text: string): number {
    const longest = Math.min(text.length, (this.#forms[0]?.length ?? 1) - 1);
    for (let length = longest; length > 0; length--) {
      const end = text.slice(-length);
      if (this.#forms.some((form) => form.length > length && form.startsWith(end))) return length;
    }
    return 0;
  }
}

function replaceBytes(bytes: Buffer, form: Buffer): Buffer {
  const parts: Buffer[] = [];
  let from = 0;
  for (let at = bytes.indexOf(form); at !== -1; at = bytes.indexOf(form, from)) {
    parts.push(bytes.subarray(from, at), Buffer.from(MASK));
    from = at + form.length;
  }
  return from === 0 ? bytes : Buffer.concat([...parts, bytes.subarray(from)]);
}

const SPACE_FUNCTIONS = ['enter', 'status', 'search', 'contentOf', 'complete', 'locate'] as const;
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
    const functions = SPACE_FUNCTIONS.flatMap((key) => {
      const run = space[key] as ((...args: unknown[]) => unknown) | undefined;
      return run === undefined ? [] : [[key, (...args: unknown[]) => this.#run(async () => run.apply(space, args))]];
    });
    return {
      ...space,
      get tools() {
        return wrapTools();
      },
      children: wrapChildren,
      ...Object.fromEntries(functions),
      ...(space.running && {
        running: () =>
          space.running!().map((work) => {
            const { id, title, ms } = work;
            return { id, title: this.#hidden().hide(title), ms, stop: () => work.stop() };
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
      const call = (args: unknown, context: ToolContext) =>
        this.#run(async (hidden) => runWith(context, hidden, (own) => run.call(tool, args, own)));
      // The plan gets the same object, which may be more than its fields.
      const wrapped =
        key === 'target' ? (args: ToolArguments, context: ToolContext) => this.#findTarget(tool, args, context) : call;
      return [[key, wrapped] as const];
    });
    const wrapped = {
      ...tool,
      description: this.#hidden().hide(tool.description),
      ...(tool.explainTimeout && { explainTimeout: (ms: number) => this.#hidden().hide(tool.explainTimeout!(ms)) }),
      ...Object.fromEntries(functions),
    };
    this.#tools.set(tool, wrapped);
    return wrapped;
  }

  async #findTarget(tool: ToolDefinition, args: ToolArguments, context: ToolContext) {
    const hidden = this.#hidden();
    const find = async () => tool.target!(args, hideContext(context, hidden));
    const found = await find().catch((error: unknown) => {
      throw hideInError(error, hidden);
    });
    return typeof found === 'object' && hidden.hide(found.path) === found.path ? found : hidden.hide(found);
  }

  #run<T>(work: (hidden: HiddenForms) => Promise<T>): Promise<T> {
    const hidden = this.#hidden();
    return attempt(() => work(hidden), hidden);
  }

  #hidden(): HiddenForms {
    return new HiddenForms(this.#listSecrets());
  }
}

function isDefinition(source: SpaceSource): source is SpaceDefinition {
  return typeof source === 'object' && 'tools' in source && 'enter' in source;
}

/** Wraps the functions by which a tool communicates apart from its result. */
function hideContext(context: ToolContext, hidden: HiddenForms, output = context.output): ToolContext {
  const hide: HiddenForms['hide'] = (value) => hidden.hide(value);
  return {
    ...context,
    ask: (question) => context.ask(hide(question)),
    requestApproval: (reason, target) => context.requestApproval(hide(reason), hide(target)),
    progress: (done, total, text) => context.progress(done, total, hide(text)),
    output,
    model: (prompt) => context.model(hide(prompt)),
  };
}

/** Runs a function with a context that hides secrets, also one that is put out in several pieces. */
async function runWith<T>(
  context: ToolContext,
  hidden: HiddenForms,
  run: (own: ToolContext) => T,
): Promise<Awaited<T>> {
  const pieces = new HiddenPieces(hidden);
  const output = (text: string): void => {
    const ready = pieces.add(text);
    if (ready !== '') context.output(ready);
  };
  try {
    return await run(hideContext(context, hidden, output));
  } finally {
    const rest = pieces.end();
    if (rest !== '') context.output(rest);
  }
}

/** Hides secrets in a text that comes in pieces: the end of one is held back while a secret may begin in it. */
class HiddenPieces {
  readonly #hidden: HiddenForms;
  #begun = '';

  constructor(hidden: HiddenForms) {
    this.#hidden = hidden;
  }

  /** Returns the text that can be shown now. */
  add(piece: string): string {
    const text = this.#hidden.hideIn(this.#begun + piece);
    const end = text.length - this.#hidden.countBegun(text);
    this.#begun = text.slice(end);
    return text.slice(0, end);
  }

  /** Returns what was held back. */
  end(): string {
    const rest = this.#begun;
    this.#begun = '';
    return rest;
  }
}

async function attempt<T>(work: () => Promise<T>, hidden: HiddenForms): Promise<T> {
  try {
    return hidden.hide(await work());
  } catch (error) {
    throw hideInError(error, hidden);
  }
}

function hideInError(error: unknown, hidden: HiddenForms): unknown {
  if (!(error instanceof Error)) return hidden.hide(error);
  error.message = hidden.hide(error.message);
  if (error.stack !== undefined) error.stack = hidden.hide(error.stack);
  if (BaeError.is(error)) Object.assign(error, { hints: hidden.hide(error.hints) });
  return error;
}

/** Hides secrets in a value of any shape, including the return values of functions in it. */
function hideValue(value: unknown, hidden: HiddenForms, above: readonly unknown[]): unknown {
  if (typeof value === 'string') return hidden.hideIn(value);
  const inner = (one: unknown) => hideValue(one, hidden, [...above, value]);
  if (typeof value === 'function') {
    return (...args: unknown[]) => hideInCall((own) => Reflect.apply(value, undefined, own) as unknown, args, hidden);
  }
  if (typeof value !== 'object' || value === null) return value;
  // As it is shown; the object itself would show its secrets.
  if (above.includes(value)) return '(circular)';
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return hidden.hideInBytes(value);
  // Only a result itself may be a blob, and it is awaited.
  if (value instanceof Blob) return above.length === 0 ? hideInBlob(value, hidden) : value;
  if (Symbol.asyncIterator in value || 'next' in value) return hidePieces(value as Pieces, hidden);
  if (value instanceof Error) return hideInError(value, hidden);
  if (value instanceof Map) return new Map(Array.from(value, (entry) => inner(entry) as [unknown, unknown]));
  if (value instanceof Set) return new Set(Array.from(value, inner));
  if (Array.isArray(value)) return value.map(inner);
  const convert = (value as { readonly toJSON?: unknown }).toJSON;
  if (typeof convert === 'function') return inner(Reflect.apply(convert, value, []));
  const fields = Object.entries(value).map(([key, one]) => {
    // A function of an object may use the object itself.
    return [hidden.hideIn(key), inner(typeof one === 'function' ? (one as () => unknown).bind(value) : one)] as const;
  });
  const methods = ['preview', 'apply', 'texts'].filter((key) => !Object.hasOwn(value, key) && key in value);
  const bound = methods.map((key) => [key, inner((value as Record<string, () => unknown>)[key]!.bind(value))] as const);
  // What has nothing to hide stays what it is: an error names the class of an object that cannot be shown.
  return fields.length + bound.length === 0 ? value : Object.fromEntries([...fields, ...bound]);
}

/** Calls a function of a result, such as the `apply` of a change, which gets the context of the call. */
function hideInCall(
  call: (args: readonly unknown[]) => unknown,
  args: readonly unknown[],
  hidden: HiddenForms,
): unknown {
  const [context] = args;
  const fail = (error: unknown): never => {
    throw hideInError(error, hidden);
  };
  if (isContext(context))
    return runWith(context, hidden, (own) => call([own])).then((value) => hidden.hide(value), fail);
  try {
    const returned = call(args);
    return returned instanceof Promise
      ? returned.then((value) => hidden.hide(value as unknown), fail)
      : hidden.hide(returned);
  } catch (error) {
    return fail(error);
  }
}

function isContext(value: unknown): value is ToolContext {
  return typeof value === 'object' && value !== null && 'requestApproval' in value;
}

async function hideInBlob(blob: Blob, hidden: HiddenForms): Promise<Blob> {
  return new Blob([hidden.hideInBytes(await blob.arrayBuffer()) as ArrayBuffer], { type: blob.type });
}

type Pieces = AsyncIterable<unknown> | Iterator<unknown> | AsyncIterator<unknown>;

/** Hides secrets in the pieces of a generator, its return value and its error. */
async function* hidePieces(pieces: Pieces, hidden: HiddenForms): AsyncGenerator {
  const iterator = Symbol.asyncIterator in pieces ? pieces[Symbol.asyncIterator]() : pieces;
  const text = new HiddenPieces(hidden);
  let isOver = false;
  try {
    for (;;) {
      const { value, done } = await iterator.next();
      const ready = typeof value === 'string' && done !== true ? text.add(value) : text.end();
      if (ready !== '') yield ready;
      isOver = done === true;
      if (isOver) return hidden.hide(value);
      if (typeof value !== 'string') yield hidden.hide(value);
    }
  } catch (error) {
    throw hideInError(error, hidden);
  } finally {
    if (!isOver) await iterator.return?.();
  }
}
