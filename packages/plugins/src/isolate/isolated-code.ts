import {
  BaeError,
  openSpaces,
  type SpaceDefinition,
  type SpaceTree,
  type ToolContext,
  type ToolDefinition,
} from '@bae/core';
import { $ZodObject } from 'zod/v4/core';
import { makeUserFolder } from '../disk.ts';
import { limitLoadTime } from '../load/load-time.ts';
import { checkFit, type CodeOptions, fillOptions, makeLazyTool, type PluginCode } from '../load/lazy-space.ts';
import type { SpaceManifest, ToolManifest } from '../manifest/plugin-manifest.ts';
import { PluginError } from '../plugin-error.ts';
import { IsolatedProcess } from './isolated-process.ts';
import {
  toError,
  readSentText,
  type CallFacts,
  type FromProcess,
  type LoadReport,
  type OpenedCode,
  type ToolFunctionName,
  type WireError,
} from './wire.ts';

type Args = Readonly<Record<string, unknown>>;

/** Creates the spaces of a package whose code runs in a separate process, which is started when first needed. */
export function createIsolatedCode(options: CodeOptions & { readonly dataFolder?: string | undefined }): PluginCode {
  const { plugin } = options;
  let process: IsolatedProcess | undefined;
  let loading: Promise<SpaceTree> | undefined;
  let tree: SpaceTree | undefined;
  let secrets: readonly string[] = [];

  const start = async (): Promise<SpaceTree> => {
    const trusted = options.permit();
    const filled = fillOptions(options);
    secrets = filled.secrets;
    const { dataFolder } = options;
    // The process may write to the folder but cannot create it.
    if (dataFolder !== undefined) makeUserFolder(dataFolder);
    const report = (message: LoadReport): void => {
      // A process reports only about its own package.
      if (message.type === 'wanted') trusted?.trust.addWanted(trusted.path, message.wanted);
      else trusted?.trust.addLoads(trusted.path, message.loads);
    };
    const started = new IsolatedProcess(plugin.name, { dataFolder, report });
    process = started;
    const { name, entry } = plugin;
    const sent = trusted && { ...trusted, trust: undefined, loads: trusted.trust.loadsOf(trusted.path) };
    const request = { type: 'open', name, entry, options: filled.options, dataFolder } as const;
    const opening = started.request({ ...request, ...(sent && { trusted: sent }) });
    const opened = limitLoadTime(opening, `${name} was not loaded`, 'it waits for something');
    try {
      const { spaces, withStatus } = (await opened) as OpenedCode;
      checkFit(plugin, spaces);
      const host = { process: () => started, withStatus };
      return (tree = openSpaces({ spaces: spaces.map((space) => makeSpace(space, [], host)) }).tree);
    } catch (error) {
      started.end('was not opened');
      if (error instanceof PluginError) throw error;
      if (BaeError.is(error)) throw new PluginError(error.message, error.hints, error);
      throw new PluginError(`${name} cannot be loaded: ${String(error)}.`, [], error);
    }
  };
  return {
    name: plugin.name,
    get tree() {
      return process?.isOver === false ? tree : undefined;
    },
    get secrets() {
      return secrets;
    },
    async load() {
      if (process?.isOver === true) loading = undefined;
      loading ??= start();
      try {
        return await loading;
      } catch (error) {
        loading = undefined;
        throw error;
      }
    },
    async dispose() {
      await loading?.catch(() => undefined);
      loading = tree = undefined;
      await process?.close();
    },
  };
}

interface Host {
  process(): IsolatedProcess;
  readonly withStatus: readonly string[];
}

function makeSpace(manifest: SpaceManifest, above: readonly string[], host: Host): SpaceDefinition {
  const path = [...above, manifest.name];
  const children = Object.fromEntries(manifest.children.map((child) => [child.name, makeSpace(child, path, host)]));
  const tools = manifest.tools.map((tool) => {
    const remote = makeRemoteTool(tool, path, host);
    return [tool.name, makeLazyTool(tool, () => Promise.resolve(remote))] as const;
  });
  const ask = (type: 'enter' | 'status') => host.process().request({ type, path });
  return {
    name: manifest.name,
    description: manifest.description,
    ...(manifest.group !== undefined && { group: manifest.group }),
    tools: Object.fromEntries(tools),
    children: () => children,
    enter: async () => readSentText(await ask('enter')),
    ...(host.withStatus.includes(path.join('.')) && {
      status: async () => (await ask('status')) as Readonly<Record<string, number>>,
    }),
    ...(manifest.search === true && {
      search: async (query: string, limit: number) => {
        const hits = await host.process().request({ type: 'search', path, query, limit });
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
    return host.process().request(request, listener);
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
    const { value, issues } = (await host.process().request(request)) as { value: unknown; issues: unknown[] };
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
    (value) => host.process().send({ type: 'reply', id, ask, value }),
    (error: unknown) => host.process().send({ type: 'reply', id, ask, error: toWire(error) }),
  );
}

function toWire(error: unknown): WireError {
  const { name = 'Error', message = String(error), code, hints } = Object(error) as Partial<WireError>;
  return { name, message, ...(code !== undefined && { code }), ...(hints !== undefined && { hints }) };
}

/** Restores a result as the tool returned it: errors are error objects again, and the value for code is a function. */
function toReturned(value: unknown): object | string {
  const { text, whole, errors } = Object(value) as Readonly<Record<string, unknown>>;
  if (typeof text !== 'string') return value as object | string;
  const inner = typeof whole === 'object' && whole !== null && 'value' in whole ? whole.value : undefined;
  const { whole: _, ...rest } = value as { readonly whole?: unknown };
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
