import type { SessionInfo } from '@bae/store';
import type { CommandContext } from '../command-line/command.ts';
import { getPathKind } from '../config/disk.ts';
import { resolveRoot } from '../config/settings.ts';
import { locateDatabase } from '../kept-session.ts';
import { makeLineVisible } from '../terminal/terminal-text.ts';

/** `bae sessions`: which conversations can be resumed, newest first. */
export async function runSessions(context: CommandContext): Promise<number> {
  const { options, terminal } = context;
  const sessions = await listSessions(locateDatabase(resolveRoot(options, terminal.cwd), context));
  if (options.json) terminal.out.write(`${JSON.stringify({ sessions })}\n`);
  else if (sessions.length === 0) terminal.out.write('(no sessions) bae ask "…" starts one.\n');
  else for (const session of sessions) terminal.out.write(`${renderSession(session)}\n`);
  return 0;
}

async function listSessions(file: string): Promise<readonly SessionInfo[]> {
  // Looking must not leave a file behind.
  if (getPathKind(file) === 'nothing') return [];
  const { Store } = await import('@bae/store');
  const store = Store.open(file);
  try {
    return store.sessions();
  } finally {
    store.close();
  }
}

function renderSession({ id, started, turns, calls, prompt }: SessionInfo): string {
  const when = started.toISOString().slice(0, 16).replace('T', ' ');
  const counts = `${turns} turn${turns === 1 ? '' : 's'}, ${calls} call${calls === 1 ? '' : 's'}`;
  return `${id}  ${when}  ${counts}  ${prompt === undefined ? '' : makeLineVisible(prompt)}`.trimEnd();
}
