import type { SessionInfo } from '@bae/store';
import { printResult, type CommandContext } from '../command-line/command.ts';
import { getPathKind } from '../config/disk.ts';
import { locateDatabase } from '../kept-session.ts';
import { makeLineVisible } from '../terminal/terminal-text.ts';

/** `bae sessions`: which conversations can be resumed, newest first. */
export async function runSessions(context: CommandContext): Promise<number> {
  const sessions = await listSessions(locateDatabase(context.root, context));
  const lines = sessions.length === 0 ? ['(no sessions) bae ask "…" starts one.'] : sessions.map(renderSession);
  printResult(context, { sessions }, () => lines);
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
