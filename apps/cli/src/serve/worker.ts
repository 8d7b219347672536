import { hostname } from 'node:os';
import type { CommandContext } from '../command-line/command.ts';
import { UsageError } from '../command-line/errors.ts';
import { loadSettings, printNotices } from '../config/settings.ts';
import { extendPatience } from '../process-guards.ts';
import { getDatabaseUrl, openSharedBackend } from './backend.ts';
import { createErrorLog } from './error-log.ts';
import { openServedAgents } from './open-agent.ts';
import { DRAIN_MS, openWorkspaces, SESSIONS } from './serve.ts';
import { once } from 'node:events';

/**
 * Runs `bae worker`, which works on the sessions of servers that share a database. When asked to end, it finishes the
 * running calls and hands over the sessions.
 */
export async function runWorker(context: CommandContext): Promise<number> {
  const { options, positionals, terminal, signal } = context;
  if (positionals[0] !== undefined) throw new UsageError(`bae worker takes nothing; got '${positionals[0]}'.`);
  if (options.yes)
    throw new UsageError('bae worker takes no --yes: writes are allowed by rules of a --config file, or by replies.');
  const url = getDatabaseUrl(context);
  if (url === undefined)
    throw new UsageError(
      'bae worker needs the database of its servers: bae worker --database postgres://USER@HOST/NAME',
    );
  printNotices(await loadSettings({ ...context, trustedOnly: true }), terminal);
  const { sessions = SESSIONS } = options;
  const report = createErrorLog(context);
  const backend = await openSharedBackend(url, context);
  try {
    const workspaces = openWorkspaces(context);
    const openAgent = openServedAgents(context, workspaces, backend.openTasks);
    const { findObstacle } = workspaces;
    const work = await backend.openWork({ openAgent, findObstacle, most: sessions, report });
    extendPatience(DRAIN_MS + 5000);
    await work.begin();
    const line = `bae works on up to ${sessions} sessions at a time, as ${hostname()} ${process.pid}`;
    terminal.out.write(options.json ? `${JSON.stringify({ pid: process.pid, sessions })}\n` : `${line}\n`);
    if (!signal.aborted) await once(signal, 'abort');
    terminal.err.write(
      'bae is shutting down: it finishes the running calls, and other workers continue with the rest\n',
    );
    await work.drain(AbortSignal.timeout(DRAIN_MS));
    return 0;
  } finally {
    await backend.close();
  }
}
