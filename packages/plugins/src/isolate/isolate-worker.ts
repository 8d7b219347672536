// Entry point of the process of one package. It communicates over file descriptor 3, with one line of JSON per message.
import { Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { BaeError, openSpaces, type SpaceDefinition, type ToolContext } from '@bae/core';
import { isToolOutput, readReturned } from '@bae/core/pipeline';
import { safeParseAsync } from 'zod/v4/core';
import { importPlugin, type PluginModule } from '../load/import-plugin.ts';
import { DEEPEST, describeTree } from '../manifest/describe-spaces.ts';
import type { TrustedCode } from '../trust/trusted-modules.ts';
import {
  type Asked,
  type CurrentSpaces,
  decodeMessage,
  encodeMessage,
  type FromProcess,
  type LoadReport,
  type OpenedCode,
  type OpenMessage,
  type SentTrust,
  type SpaceRequest,
  type Request,
  divideLines,
  toError,
  type ToProcess,
  type WireError,
} from './wire.ts';

const pipe = new Socket({ fd: 3, readable: true, writable: true });
const send = (message: FromProcess | LoadReport): void => void pipe.write(`${encodeMessage(message)}\n`);

type ToolRequest = Extract<Request, { readonly facts: unknown }>;
type Opened = ReturnType<typeof openSpaces>;
type Tree = Opened['tree'];
type Planned = { apply(context: ToolContext): unknown; preview(): unknown; readonly touches: unknown };

/** Maximum number of planned changes that have not been applied; the oldest are forgotten. */
const MOST_CHANGES = 100;

interface Opening extends Opened {
  /** Describes the spaces that bae knows. */
  sketch: string;
}

/** Spaces of each mount of the package, by number. */
const openings = new Map<number, Opening>();
const stops = new Map<number, AbortController>();
const replies = new Map<number, { resolve(value: unknown): void; reject(error: unknown): void }>();
const changes = new Map<number, Planned>();
/** Resources that sessions have seen, by session id. */
const seen = new Map<string, Map<string, string>>();
let asked = 0;
let planned = 0;

// A separate thread, because code in an endless loop would not notice that bae has ended.
new Worker(
  `const parent = process.ppid; setInterval(() => { if (process.ppid !== parent) process.kill(process.pid, 'SIGKILL'); }, 500);`,
  { eval: true },
).unref();
pipe.on('close', () => process.exit(0));
pipe.on('error', () => process.exit(0));
pipe.on(
  'data',
  divideLines((line) => receive(decodeMessage(line) as ToProcess)),
);
// As in bae itself, an unhandled rejection does not end the process.
process.on('unhandledRejection', () => undefined);

function receive(message: ToProcess): void {
  if (message.type === 'abort') return stops.get(message.id)?.abort();
  if (message.type === 'close') return void close(message.opening);
  // What cannot even send an error, since it has broken what that needs, would be waited for until its time is up.
  if (message.type !== 'reply') return void answer(message).catch(() => process.exit(1));
  const waiting = replies.get(message.ask);
  replies.delete(message.ask);
  if ('error' in message) waiting?.reject(toError(message.error));
  else waiting?.resolve(message.value);
}

async function answer(request: Request): Promise<void> {
  const { id } = request;
  const stop = new AbortController();
  stops.set(id, stop);
  try {
    const value = await handleRequest(request, stop.signal);
    send({ type: 'result', id, value, ...describeNews(request) });
  } catch (error) {
    send({ type: 'result', id, error: toWireError(error), ...describeNews(request) });
  } finally {
    stops.delete(id);
  }
}

async function close(number: number | undefined): Promise<void> {
  const closed = number === undefined ? [...openings.keys()] : [number];
  const disposing = closed.map(async (one) => openings.get(one)?.dispose());
  for (const one of closed) openings.delete(one);
  await Promise.allSettled(disposing);
  if (number === undefined) process.exit(0);
}

async function handleRequest(request: Request, signal: AbortSignal): Promise<unknown> {
  if (request.type === 'open') return open(request);
  const space = findSpace(request);
  switch (request.type) {
    case 'enter':
      return space.enter();
    case 'status':
      return space.status?.() ?? {};
    case 'isIdle':
      return (await space.isIdle?.()) ?? false;
    case 'contentOf':
      return space.contentOf?.(request.target);
    case 'complete':
      return (await space.complete?.(request.typed, request.limit)) ?? [];
    case 'locate':
      return space.locate?.(request.name, request.near);
    case 'search':
      return space.search?.(request.query, request.limit) ?? [];
    case 'parse': {
      const { params } = findTool(space, request.tool);
      const schema = request.field === undefined ? params : params._zod.def.shape[request.field];
      const payload = { value: request.value, issues: [] };
      const result = await schema!._zod.run(payload, { async: true });
      return { value: result.value, issues: result.issues.map((issue) => toWireIssue(issue)) };
    }
    default:
      return callTool(request, space, signal);
  }
}

async function open({ id, name, entry, options, dataFolder, trusted }: OpenMessage): Promise<OpenedCode> {
  const module = await importPlugin({ name, entry }, { trusted: trusted && toTrustedCode(name, trusted) });
  const data = dataFolder === undefined ? [] : [{ token: Symbol.for('bae.data-folder'), value: dataFolder }];
  const opened = openSpaces({ spaces: module.spaces(await fitOptions(module, options), data), provide: data });
  openings.set(id, { ...opened, sketch: sketchTree(opened.tree) });
  return { opening: id, ...describeCurrent(opened.tree) };
}

function describeCurrent(tree: Tree): CurrentSpaces {
  const counting = walk(tree, [], (space, path) => (space.status === undefined ? [] : [path.join('.')]));
  return { spaces: describeTree(tree), withStatus: counting.flat() };
}

/** Describes the spaces after a request, if it or anything else has changed which there are. */
function describeNews(request: Request): { readonly now?: CurrentSpaces } {
  const opening = request.type === 'open' ? undefined : openings.get(request.opening);
  if (opening === undefined) return {};
  const sketch = sketchTree(opening.tree);
  if (sketch === opening.sketch) return {};
  opening.sketch = sketch;
  return { now: describeCurrent(opening.tree) };
}

/** Returns a text that changes with the names and descriptions of spaces and with the names of tools. */
function sketchTree(tree: Tree): string {
  return JSON.stringify(walk(tree, [], ({ description, tools }, path) => [path, description, Object.keys(tools)]));
}

/** Returns what a function returns for each space below a path. */
function walk<T>(
  tree: Tree,
  above: readonly string[],
  read: (space: SpaceDefinition, path: readonly string[]) => T,
): T[] {
  if (above.length >= DEEPEST) return [];
  return tree.below(above).flatMap((space) => {
    const path = [...above, space.name];
    return [read(space, path), ...walk(tree, path, read)];
  });
}

/** Restores the decision of the person, whose records are kept by bae. */
function toTrustedCode(name: string, { path, files, loads }: SentTrust): TrustedCode {
  let known = loads;
  const trust: TrustedCode['trust'] = {
    loadsOf: () => known,
    addLoads: (_path, more) => {
      known = { files: { ...known?.files, ...more.files }, packages: { ...known?.packages, ...more.packages } };
      send({ type: 'loads', loads: more });
    },
    addWanted: (_path, wanted) => send({ type: 'wanted', wanted }),
  };
  return { name, path, files, trust };
}

async function fitOptions({ options: schema }: PluginModule, options: unknown): Promise<unknown> {
  if (schema === undefined) return options;
  const { success, data, error } = await safeParseAsync(schema, options ?? {});
  if (success) return data;
  const [issue] = error.issues;
  throw new Error(`${['options', ...issue!.path].join('.')}: ${issue!.message}`);
}

function findSpace({ opening, path }: SpaceRequest): SpaceDefinition {
  const space = openings.get(opening)?.tree.at(path);
  if (space === undefined) throw new Error(`${path.join('.')} no longer exists`);
  return space;
}

function findTool(space: SpaceDefinition, name: string) {
  const tool = Object.hasOwn(space.tools, name) ? space.tools[name] : undefined;
  if (tool === undefined) throw new Error(`${space.name} has no tool '${name}' any more`);
  return tool;
}

async function callTool(request: ToolRequest, space: SpaceDefinition, signal: AbortSignal): Promise<unknown> {
  const tool = findTool(space, request.tool);
  const context = makeContext(request, space, signal);
  if (request.type === 'apply') {
    const change = changes.get(request.change!);
    changes.delete(request.change!);
    if (change === undefined) throw new Error('the planned change is not known any more: plan it again');
    return toValue(await change.apply(context), request, context);
  }
  const args = request.args as Readonly<Record<string, unknown>>;
  const run = tool[request.type] as (args: unknown, context: ToolContext) => unknown;
  const target = request.type === 'plan' ? await tool.target?.(args, context) : undefined;
  const returned = await run.call(tool, args, typeof target === 'object' ? { ...context, target } : context);
  if (request.type === 'plan' && isPlanned(returned)) return keepChange(returned);
  if (request.type === 'target') return typeof returned === 'object' ? (returned as { path: string }).path : returned;
  return toValue(returned, request, context);
}

type Failing = { readonly _zod: { readonly def: { readonly error?: (issue: object) => unknown } } };

/** Converts an issue: without its schemas, which cannot be sent, but with the messages of their author. */
function toWireIssue(found: object): object {
  const { inst, schema, ...issue } = found as { readonly inst?: Failing; readonly schema?: Failing };
  const own = (inst?._zod.def.error ?? schema?._zod.def.error)?.(found);
  const text = typeof own === 'object' && own !== null ? (own as { readonly message?: unknown }).message : own;
  return typeof text === 'string' ? { ...issue, message: text } : issue;
}

function isPlanned(value: unknown): value is Planned {
  if (typeof value !== 'object' || value === null) return false;
  const { apply, preview, touches } = value as Partial<Planned>;
  return typeof apply === 'function' && typeof preview === 'function' && Array.isArray(touches);
}

async function keepChange(change: Planned): Promise<unknown> {
  const id = ++planned;
  changes.set(id, change);
  for (const old of changes.keys()) if (changes.size > MOST_CHANGES) changes.delete(old);
  return { change: id, touches: change.touches, preview: await change.preview() };
}

/** Converts the return value of a tool to data as bae itself does, before JSON would lose what it is. */
async function toValue(returned: unknown, { tool, facts }: ToolRequest, context: ToolContext): Promise<unknown> {
  const { signal, output, fromCode } = context;
  const value = await readReturned(returned, { tool: `${facts.space}.${tool}`, signal, output });
  if (!isToolOutput(value)) return value;
  const { whole, errors, ...rest } = value;
  return {
    ...rest,
    ...(errors && { errors: errors.map(toWireError) }),
    ...(whole && fromCode && { whole: { value: await whole() } }),
  };
}

function makeContext({ id, tool, facts }: ToolRequest, space: SpaceDefinition, signal: AbortSignal): ToolContext {
  const { prefix, session, ...given } = facts;
  const ask = (name: Asked, ...args: readonly unknown[]): Promise<unknown> => {
    const number = ++asked;
    send({ type: 'asked', id, ask: number, name, args });
    return new Promise((resolve, reject) => replies.set(number, { resolve, reject }));
  };
  const memory = seen.get(session) ?? new Map<string, string>();
  seen.set(session, memory);
  return {
    ...given,
    signal,
    definition: findTool(space, tool),
    // The process of a plugin has no files of the workspace.
    files: new Set(),
    tag: (text) => (prefix === '' ? text : text.replace(/^<(?=[\p{L}\p{N}_-]+:)/u, `<${prefix}`)),
    batch: [],
    session: { id: session, seen: memory },
    requestApproval: async (...args) => void (await ask('requestApproval', ...args)),
    ask: async (question) => (await ask('ask', question)) as Awaited<ReturnType<ToolContext['ask']>>,
    model: async (prompt) => String(await ask('model', prompt)),
    progress: (done, total, text) => send({ type: 'progress', id, args: [done, total, text] }),
    output: (text) => send({ type: 'output', id, text }),
  };
}

const RESTRICTED =
  'Its process may only read files and write to its data folder, unless the user sets "isolate": false.';

function toWireError(error: unknown): WireError {
  const { code, cause } = Object(error) as { readonly code?: unknown; readonly cause?: unknown };
  const isRestricted = [code, Object(cause).code].includes('ERR_ACCESS_DENIED');
  const say = (message: string): string => (isRestricted ? `${message} ${RESTRICTED}` : message);
  if (BaeError.is(error))
    return { name: error.name, message: say(error.message), code: error.code, hints: error.hints };
  if (error instanceof Error) {
    const name = error.name === 'Error' ? error.constructor.name : error.name;
    return { name, message: say(error.message) };
  }
  return { name: 'Error', message: String(error) };
}
