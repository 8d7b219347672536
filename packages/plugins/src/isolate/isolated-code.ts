import {
  BaeError,
  openSpaces,
  type SpaceDefinition,
  type SpaceTree,
  type ToolContext,
  type ToolDefinition,
} from '@bae/core';
import { isToolOutput } from '@bae/core/pipeline';
import { $ZodObject } from 'zod/v4/core';
import { makeUserFolder } from '../disk.ts';
import { limitLoadTime } from '../load/load-time.ts';
import { checkFit, type CodeOptions, fillOptions, makeLazyTool, type PluginCode } from '../load/lazy-space.ts';
import { pickRecord } from '../manifest/describe-spaces.ts';
import type { SpaceManifest, ToolManifest } from '../manifest/plugin-manifest.ts';
import { PluginError } from '../plugin-error.ts';
import { type CallListener, IsolatedProcess } from './isolated-process.ts';
import {
  toError,
  readSentText,
  type CallFacts,
  type CurrentSpaces,
  type FromProcess,
  type LoadReport,
  type OpenedCode,
  type SpaceRequest,
  type ToolFunctionName,
  type ToProcess,
  type WireError,
} from './wire.ts';

type Args = Readonly<Record<string, unknown>>;

/** One process for everything in a session that comes from a package. It is started when needed, and again if it ended. */
export class PackageProcess {
  readonly #users = new Set<object>();
  #current: IsolatedProcess | undefined;

  /** Returns the running process, or starts it. */
  use(user: object, start: () => IsolatedProcess): IsolatedProcess {
    this.#users.add(user);
    if (this.#current === undefined || this.#current.isOver) this.#current = start();
    return this.#current;
  }

  /** Ends the process when nobody else uses it. Returns true if it did. */
  async release(user: object): Promise<boolean> {
    this.#users.delete(user);
    if (this.#users.size > 0) return false;
    await this.#current?.close();
    return true;
  }
}

/** What else is needed for code in a process of its own. */
export interface IsolatedOptions extends CodeOptions {
  readonly dataFolder?: string | undefined;
  readonly packageProcess: PackageProcess;
}

/** Creates the spaces of a package whose code runs in a separate process, which is started when first needed. */
export function createIsolatedCode(options: IsolatedOptions): PluginCode {
  const { plugin, packageProcess } = options;
  let host: Host | undefined;
  let loading: Promise<SpaceTree> | undefined;
  let tree: SpaceTree | undefined;
  let secrets: readonly string[] = [];
  const user = {};

  const startProcess = (trusted: ReturnType<CodeOptions['permit']>): IsolatedProcess => {
    const { dataFolder } = options;
    // The process may write to the folder but cannot create it.
    if (dataFolder !== undefined) makeUserFolder(dataFolder);
    const report = (message: LoadReport): void => {
      // A process reports only about its own package.
      if (message.type === 'wanted') trusted?.trust.addWanted(trusted.path, message.wanted);
      else trusted?.trust.addLoads(trusted.path, message.loads);
    };
    return new IsolatedProcess(plugin.name, { dataFolder, report });
  };

  const open = async (): Promise<SpaceTree> => {
    const trusted = options.permit();
    const filled = fillOptions(options);
    secrets = filled.secrets;
    const process = packageProcess.use(user, () => startProcess(trusted));
    const sent = trusted && { ...trusted, trust: undefined, loads: trusted.trust.loadsOf(trusted.path) };
    const { name, entry } = plugin;
    const request = { type: 'open', name, entry, options: filled.options, dataFolder: options.dataFolder } as const;
    const opening = process.request({ ...request, ...(sent && { trusted: sent }) });
    const opened = limitLoadTime(opening, `${name} was not loaded`, 'it waits for something');
    try {
      const code = (await opened) as OpenedCode;
      checkFit(plugin, code.spaces);
      host = new Host(process, code);
      return (tree = openSpaces({ spaces: host.listSpaces([]) }).tree);
    } catch (error) {
      if (error instanceof PluginError) throw error;
      if (BaeError.is(error)) throw new PluginError(error.message, error.hints, error);
      throw new PluginError(`${name} cannot be loaded: ${String(error)}.`, [], error);
    }
  };
  return {
    name: plugin.name,
    get tree() {
      return host?.isOver === false ? tree : undefined;
    },
    get secrets() {
      return secrets;
    },
    async load() {
      if (host?.isOver === true) loading = host = undefined;
      loading ??= open();
      try {
        return await loading;
      } catch (error) {
        loading = undefined;
        // What waits for ever is not waited for again.
        await packageProcess.release(user);
        throw error;
      }
    },
    async dispose() {
      await loading?.catch(() => undefined);
      const closed = host;
      loading = tree = host = undefined;
      if (!(await packageProcess.release(user))) closed?.close();
    },
  };
}

type Unaddressed<T> = T extends unknown ? Omit<T, 'id' | 'opening'> : never;

/** The opened spaces of a package, as they are now. */
class Host {
  readonly #process: IsolatedProcess;
  readonly #opening: number;
  readonly #spaces = new Map<string, SpaceDefinition>();
  readonly #tools = new WeakMap<SpaceManifest, SpaceDefinition['tools']>();
  #now: CurrentSpaces;

  constructor(process: IsolatedProcess, { opening, ...now }: OpenedCode) {
    this.#process = process;
    this.#opening = opening;
    this.#now = now;
  }

  get isOver(): boolean {
    return this.#process.isOver;
  }

  request(request: Unaddressed<SpaceRequest>, listener: CallListener = {}): Promise<unknown> {
    const onSpaces = (now: CurrentSpaces): void => void (this.#now = now);
    return this.#process.request({ ...request, opening: this.#opening }, { ...listener, onSpaces });
  }

  reply(message: Extract<ToProcess, { readonly type: 'reply' }>): void {
    this.#process.send(message);
  }

  /** Lets the process dispose of these spaces. */
  close(): void {
    this.#process.send({ type: 'close', opening: this.#opening });
  }

  /** Lists the spaces below a path. Each stays the same object as long as it exists. */
  listSpaces(above: readonly string[]): readonly SpaceDefinition[] {
    return this.#listManifests(above).map((manifest) => {
      const path = [...above, manifest.name];
      const key = path.join('.');
      const known = this.#spaces.get(key);
      const space = known?.description === manifest.description ? known : makeSpace(manifest, path, this);
      this.#spaces.set(key, space);
      return space;
    });
  }

  toolsOf(path: readonly string[]): SpaceDefinition['tools'] {
    const manifest = this.#listManifests(path.slice(0, -1)).find(({ name }) => name === path.at(-1));
    if (manifest === undefined) return {};
    const tools = this.#tools.get(manifest) ?? this.#makeTools(manifest, path);
    this.#tools.set(manifest, tools);
    return tools;
  }

  hasStatus(path: readonly string[]): boolean {
    return this.#now.withStatus.includes(path.join('.'));
  }

  #makeTools({ tools }: SpaceManifest, path: readonly string[]): SpaceDefinition['tools'] {
    const made = tools.map((tool) => {
      const remote = makeRemoteTool(tool, path, this);
      return [tool.name, makeLazyTool(tool, () => Promise.resolve(remote))] as const;
    });
    return Object.fromEntries(made);
  }

  #listManifests(path: readonly string[]): readonly SpaceManifest[] {
    let spaces = this.#now.spaces;
    for (const name of path) spaces = spaces.find((space) => space.name === name)?.children ?? [];
    return spaces;
  }
}

type Located = { readonly target?: unknown; readonly isExact?: unknown };

function makeSpace(manifest: SpaceManifest, path: readonly string[], host: Host): SpaceDefinition {
  const { name, description } = manifest;
  const ask = (type: 'enter' | 'status' | 'isIdle') => host.request({ type, path });
  return {
    name,
    description,
    ...pickRecord(manifest),
    get tools() {
      return host.toolsOf(path);
    },
    children: () => Object.fromEntries(host.listSpaces(path).map((space) => [space.name, space])),
    enter: async () => readSentText(await ask('enter')),
    ...(host.hasStatus(path) && {
      status: async () => (await ask('status')) as Readonly<Record<string, number>>,
    }),
    isIdle: async (tool) => tool === undefined && (await ask('isIdle')) === true,
    ...(manifest.contentOf === true && {
      contentOf: async (target: string) => {
        const content = await host.request({ type: 'contentOf', path, target });
        return content === undefined ? undefined : readSentText(content);
      },
    }),
    ...(manifest.complete === true && {
      complete: async (typed: string, limit: number) => {
        const addresses = await host.request({ type: 'complete', path, typed, limit });
        return (addresses as readonly unknown[]).map(readSentText);
      },
    }),
    ...(manifest.locate === true && {
      locate: async (wanted: string, near: boolean) => {
        const found = Object(await host.request({ type: 'locate', path, name: wanted, near })) as Located;
        if (found.target === undefined) return undefined;
        return { target: readSentText(found.target), isExact: found.isExact === true };
      },
    }),
    ...(manifest.search === true && {
      search: async (query: string, limit: number) => {
        const hits = await host.request({ type: 'search', path, query, limit });
        return hits as Awaited<ReturnType<NonNullable<SpaceDefinition['search']>>>;
      },
    }),
  };
}

/** Creates the functions of a tool; its other properties come from its manifest. */
function makeRemoteTool(manifest: ToolManifest, path: readonly string[], host: Host): ToolDefinition {
  const tool = manifest.name;
  const call = (type: ToolFunctionName, args: Args, { context, change }: { context: ToolContext; change?: number }) => {
    const facts = toCallFacts(context, manifest);
    const listener = { signal: context.signal, on: (message: Said) => relay(message, context, host) };
    const request = { type, path, tool, args, facts, ...(change !== undefined && { change }) };
    return host.request(request, listener);
  };
  const plan = async (args: Args, context: ToolContext) => {
    const planned = await call('plan', args, { context });
    const { change, touches, preview } = Object(planned) as Readonly<Record<string, unknown>>;
    if (typeof change !== 'number' || !Array.isArray(touches)) return toReturned(planned);
    return {
      touches: touches as readonly { readonly path: string }[],
      preview: () => String(preview),
      apply: async (applied: ToolContext) => toReturned(await call('apply', args, { context: applied, change })),
    };
  };
  const parse = (field: string | undefined) => async (payload: { value: unknown; issues: unknown[] }) => {
    const request = { type: 'parse', path, tool, value: payload.value, ...(field !== undefined && { field }) } as const;
    const { value, issues } = (await host.request(request)) as { value: unknown; issues: unknown[] };
    payload.value = value;
    payload.issues.push(...issues);
    return payload;
  };
  const shape = Object.fromEntries(manifest.params.map(({ name }) => [name, { _zod: { run: parse(name) } }]));
  return {
    params: { _zod: { run: parse(undefined), def: { shape } } } as unknown as $ZodObject,
    invoke: async (args: Args, context: ToolContext) => toReturned(await call('invoke', args, { context })),
    plan,
    target: async (args: Args, context: ToolContext) => String(await call('target', args, { context })),
    preview: async (args: Args, context: ToolContext) => String(await call('preview', args, { context })),
  } as unknown as ToolDefinition;
}

type Said = Exclude<FromProcess, { readonly type: 'result' }>;

/** Passes on the messages and questions of a tool while it runs. */
function relay(message: Said, context: ToolContext, host: Host): void {
  if (message.type === 'output') return context.output(readSentText(message.text));
  if (message.type === 'progress') {
    const [done, total, text] = message.args;
    return context.progress(
      Number(done),
      typeof total === 'number' ? total : undefined,
      text === undefined ? undefined : readSentText(text),
    );
  }
  const { id, ask, name, args } = message;
  const answer = async (): Promise<unknown> => {
    if (name === 'ask') return context.ask(args[0] as Parameters<ToolContext['ask']>[0]);
    if (name === 'model') return context.model(readSentText(args[0]));
    return context.requestApproval(readSentText(args[0]), args[1] === undefined ? undefined : readSentText(args[1]));
  };
  answer().then(
    (value) => host.reply({ type: 'reply', id, ask, value }),
    (error: unknown) => host.reply({ type: 'reply', id, ask, error: toWire(error) }),
  );
}

function toWire(error: unknown): WireError {
  const { name = 'Error', message = String(error), code, hints } = Object(error) as Partial<WireError>;
  return { name, message, ...(code !== undefined && { code }), ...(hints !== undefined && { hints }) };
}

/** Restores a result as the tool returned it: errors are error objects again, and the value for code is a function. */
function toReturned(value: unknown): object | string {
  const { whole, ...rest } = Object(value) as { readonly whole?: unknown };
  if (!isToolOutput(rest)) return value as object | string;
  const inner = typeof whole === 'object' && whole !== null && 'value' in whole ? whole.value : undefined;
  const { errors } = rest;
  return {
    ...rest,
    ...(Array.isArray(errors) && { errors: errors.map((one) => toError(one as WireError)) }),
    ...(inner !== undefined && { whole: () => inner as string | object }),
  };
}

function toCallFacts(context: ToolContext, { name }: ToolManifest): CallFacts {
  const { space, answerLimit, range, argument, block, fromCode, session } = context;
  const tag = `<${name}:>`;
  const qualified = context.tag(tag);
  return {
    space,
    answerLimit,
    prefix: qualified === tag ? '' : qualified.slice(1, qualified.length - tag.length + 1),
    ...(range !== undefined && { range }),
    ...(argument !== undefined && { argument }),
    block,
    fromCode,
    session: session.id,
  };
}
