import { once } from 'node:events';
import { hostname } from 'node:os';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { ConfigurationError } from '@bae/core';
import { startServer, Workspaces } from '@bae/server';
import type { CommandContext } from '../command-line/command.ts';
import { UsageError, explainListenFailure, explainError } from '../command-line/errors.ts';
import { getPathKind } from '../config/disk.ts';
import { loadSettings, printNotices } from '../config/settings.ts';
import { readVersion } from '../package-folder.ts';
import { extendPatience } from '../process-guards.ts';
import { locateServerData } from '../user-key.ts';
import { getDatabaseUrl, openFileBackend, openSharedBackend, type Backend, type Work } from './backend.ts';
import { listSpacesIn, openServedAgents } from './open-agent.ts';
import { runToken, showAudit, splitList } from './tokens.ts';

const PORT = 4310;
/** Default maximum number of sessions that are worked on at the same time. */
const SESSIONS = 8;
/** Time limit for running calls when the process is asked to end, in milliseconds. */
const DRAIN_MS = 20_000;
/** Time that a request waits for a database that is restarting, in milliseconds; after that, its client tries again. */
const RETRY_MS = 2000;

/**
 * Runs `bae serve`, which offers agents over HTTP until the process is asked to end, and `bae serve token` for access.
 */
export async function runServe(context: CommandContext): Promise<number> {
  const [what, ...words] = context.positionals;
  if (what !== undefined && what !== 'token' && what !== 'audit')
    throw new UsageError(`bae serve takes nothing, token or audit; got '${what}'.`);
  if (what !== 'token' && words.length > 0) throw new UsageError(`bae serve ${what} takes nothing; got '${words[0]}'.`);
  const url = getDatabaseUrl(context);
  const backend =
    url === undefined
      ? openFileBackend(locateServerData(context), context)
      : await openSharedBackend(url, context, { retryMs: RETRY_MS });
  try {
    if (what === 'token') return await runToken(backend.store, words, context);
    if (what === 'audit') return await showAudit(backend.store, context);
    return await serve(backend, context);
  } finally {
    await backend.close();
  }
}

/**
 * Runs `bae worker`, which works on the sessions of servers that share a database. When asked to end, it finishes the
 * running calls and hands over the sessions.
 */
export async function runWorker(context: CommandContext): Promise<number> {
  const { options, positionals, terminal } = context;
  if (positionals[0] !== undefined) throw new UsageError(`bae worker takes nothing; got '${positionals[0]}'.`);
  refuseYes(context, 'worker');
  const url = getDatabaseUrl(context);
  if (url === undefined)
    throw new UsageError(
      'bae worker needs the database of its servers: bae worker --database postgres://USER@HOST/NAME',
    );
  const backend = await openSharedBackend(url, context);
  try {
    const { work, sessions } = await openWork(backend, context);
    await work.begin();
    const line = `bae works on up to ${sessions} sessions at a time, as ${hostname()} ${process.pid}`;
    terminal.out.write(options.json ? `${JSON.stringify({ pid: process.pid, sessions })}\n` : `${line}\n`);
    await drainAtEnd(work, { context, rest: 'other workers continue with the rest' });
    return 0;
  } finally {
    await backend.close();
  }
}

function refuseYes({ options }: CommandContext, command: string): void {
  if (options.yes)
    throw new UsageError(
      `bae ${command} takes no --yes: writes are allowed by rules of a --config file, or by replies.`,
    );
}

/** Opens the work on sessions, as the settings and options of servers and workers say. */
async function openWork(backend: Backend, context: CommandContext) {
  const { sessions = SESSIONS } = context.options;
  const report = createErrorLog(context);
  printNotices(await loadSettings({ ...context, trustedOnly: true }), context.terminal);
  const workspaces = openWorkspaces(context);
  const openAgent = openServedAgents(context, workspaces, backend.openTasks);
  const { findObstacle } = workspaces;
  const work = await backend.openWork({ openAgent, findObstacle, most: sessions, report });
  extendPatience(DRAIN_MS + 5000);
  return { work, workspaces, sessions, report };
}

/** Waits until the process is asked to end, and then for the running calls. */
async function drainAtEnd(
  work: Work,
  { context: { terminal, signal }, rest }: { readonly context: CommandContext; readonly rest: string },
): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort');
  terminal.err.write(`bae is shutting down: it finishes the running calls, and ${rest}\n`);
  await work.drain(AbortSignal.timeout(DRAIN_MS));
}

function openWorkspaces(context: CommandContext): Workspaces {
  const { options, terminal, root } = context;
  const folders =
    options.folders === undefined ? new Map([['here', root]]) : readFolders(options.folders, terminal.cwd);
  return new Workspaces({
    folders,
    gitHosts: splitList(options.gitHosts),
    ...(options.gitConfig !== undefined && { gitConfig: resolve(terminal.cwd, options.gitConfig) }),
    data: locateServerData(context),
    env: terminal.env,
  });
}

async function serve(backend: Backend, context: CommandContext): Promise<number> {
  const { options, terminal } = context;
  const { store, notifier, isShared } = backend;
  const { address = '127.0.0.1', port = PORT } = options;
  refuseYes(context, 'serve');
  if (isIP(address) === 0) throw new UsageError(`--address: expected an IP address; got '${address}'.`);
  const { work, workspaces, report } = await openWork(backend, context);
  const server = await startServer({
    store,
    notifier,
    dispatcher: work,
    workspaces,
    listSpaces: listSpacesIn(workspaces, context),
    report,
    address,
    port,
    version: readVersion(),
    hosts: splitList(options.hosts),
    origins: splitList(options.origins),
  }).catch((error: NodeJS.ErrnoException) => {
    throw explainListenFailure(error, { address, port, retry: 'bae serve --port 0' });
  });
  if (options.telemetry) (await import('@bae/telemetry')).observeQueue(() => store.countUnfinished());
  if (!isShared) await work.begin();
  const tokens = (await store.listTokens()).filter(({ revoked }) => revoked === undefined).length;
  const lines = [`bae serves at ${server.url}, described at ${server.url}/openapi.json`];
  if (tokens === 0) lines.push('There is no token yet. Create one: bae serve token create NAME');
  if (isShared) lines.push('Prompts wait in the database for workers: bae worker --database URL');
  if (!isLoopback(address)) lines.push(explainAddress(address, options.hosts));
  terminal.out.write(options.json ? `${JSON.stringify({ url: server.url })}\n` : `${lines.join('\n')}\n`);
  // Done before the server closes, so that its readers receive the last events.
  const rest = isShared ? 'workers continue with the rest' : 'the rest continues at the next start';
  await drainAtEnd(work, { context, rest });
  await server.close();
  return 0;
}

function explainAddress(address: string, hosts: string | undefined): string {
  const names = hosts === undefined ? ' Name it for its clients, too: --hosts NAME.' : '';
  return (
    `Anyone who can reach ${address} can try tokens, and can read the network traffic: ` +
    `put a proxy with TLS in front of it.${names}`
  );
}

function isLoopback(address: string): boolean {
  return address.startsWith('127.') || address === '::1';
}

function readFolders(list: string, cwd: string): ReadonlyMap<string, string> {
  const folders = splitList(list).map((entry) => {
    const [, name, path] = /^([A-Za-z_][A-Za-z0-9_-]*)=(.+)$/s.exec(entry) ?? [];
    if (name === undefined)
      throw new UsageError(`--folders: expected NAME=PATH; got '${entry}'.`, { command: 'serve' });
    const folder = resolve(cwd, path!);
    if (getPathKind(folder) !== 'folder')
      throw new ConfigurationError(`--folders: there is no folder ${folder}.`, ['--folders NAME=PATH']);
    return [name, folder] as const;
  });
  return new Map(folders);
}

/** Time in which an error is written once, in milliseconds: a database that is away fails several times a second. */
const QUIET_MS = 60_000;

/**
 * Creates a function that writes errors to the log of a server or worker: the same one at most once a minute, with the
 * number of times that it was left out before.
 */
export function createErrorLog(
  { options, terminal }: Pick<CommandContext, 'options' | 'terminal'>,
  now: () => number = () => performance.now(),
): (error: unknown) => void {
  const written = new Map<string, { readonly at: number; leftOut: number }>();
  return (error) => {
    const text = explainError(error, { debug: options.debug });
    const time = now();
    const last = written.get(text);
    if (last !== undefined && time - last.at < QUIET_MS) {
      last.leftOut++;
      return;
    }
    for (const [other, { at }] of written) if (time - at >= QUIET_MS) written.delete(other);
    written.set(text, { at: time, leftOut: 0 });
    const times =
      last === undefined || last.leftOut === 0 ? '' : `(${last.leftOut} more of these since the last one)\n`;
    terminal.err.write(text + times);
  };
}
