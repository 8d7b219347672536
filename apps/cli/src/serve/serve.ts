import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { ConfigurationError } from '@bae/core';
import { startServer, Workspaces } from '@bae/server';
import type { CommandContext } from '../command-line/command.ts';
import { UsageError } from '../command-line/errors.ts';
import { getPathKind } from '../config/disk.ts';
import { loadSettings, printNotices } from '../config/settings.ts';
import { explainListenFailure } from '../listen-failure.ts';
import { readVersion } from '../package-folder.ts';
import { extendPatience } from '../process-guards.ts';
import { locateServerData } from '../user-key.ts';
import { getDatabaseUrl, openFileBackend, openSharedBackend, type Backend } from './backend.ts';
import { createErrorLog } from './error-log.ts';
import { openServedAgents } from './open-agent.ts';
import { listSpacesIn } from './space-names.ts';
import { runToken, showAudit, splitList } from './tokens.ts';
import { once } from 'node:events';

const PORT = 4310;
/** Default maximum number of sessions that are worked on at the same time. */
export const SESSIONS = 8;
/** Time limit for running calls when the server is asked to end, in milliseconds. */
export const DRAIN_MS = 20_000;
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

/** Opens the workspaces of sessions, given by options that are the same for servers and workers. */
export function openWorkspaces(context: CommandContext): Workspaces {
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

async function serve(
  { store, notifier, isShared, openWork, openTasks }: Backend,
  context: CommandContext,
): Promise<number> {
  const { options, terminal, signal } = context;
  const { address = '127.0.0.1', port = PORT, sessions = SESSIONS } = options;
  if (options.yes)
    throw new UsageError('bae serve takes no --yes: writes are allowed by rules of a --config file, or by replies.');
  if (isIP(address) === 0) throw new UsageError(`--address: expected an IP address; got '${address}'.`);
  const report = createErrorLog(context);
  printNotices(await loadSettings({ ...context, trustedOnly: true }), terminal);
  const workspaces = openWorkspaces(context);
  const openAgent = openServedAgents(context, workspaces, openTasks);
  const work = await openWork({
    openAgent,
    findObstacle: workspaces.findObstacle,
    most: sessions,
    report,
  });
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
  if (options.telemetry && work.load !== undefined)
    (await import('@bae/telemetry')).observeQueue(() => work.load ?? { waiting: 0, running: 0 });
  extendPatience(DRAIN_MS + 5000);
  if (!isShared) await work.begin();
  const tokens = (await store.listTokens()).filter(({ revoked }) => revoked === undefined).length;
  const lines = [`bae serves at ${server.url}, described at ${server.url}/openapi.json`];
  if (tokens === 0) lines.push('There is no token yet. Create one: bae serve token create NAME');
  if (isShared) lines.push('Prompts wait in the database for workers: bae worker --database URL');
  if (!isLoopback(address)) lines.push(explainAddress(address, options.hosts));
  terminal.out.write(options.json ? `${JSON.stringify({ url: server.url })}\n` : `${lines.join('\n')}\n`);
  if (!signal.aborted) await once(signal, 'abort');
  terminal.err.write('bae is shutting down: it finishes the running calls, and the rest continues at the next start\n');
  // Done before the server closes, so that its readers receive the last events.
  await work.drain(AbortSignal.timeout(DRAIN_MS));
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
