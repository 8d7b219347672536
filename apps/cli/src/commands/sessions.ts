import type { SessionInfo } from '@bae/store';
import { kindOfPath } from '../config/disk.ts';
import { workingFolder } from '../config/settings.ts';
import { databaseFile } from '../sessions/keep-session.ts';
import { visibleLine } from '../terminal/make-visible.ts';
import type { CommandContext } from './command.ts';

/** `bae sessions`: which conversations can be gone on with, newest first. */
export async function runSessions(context: CommandContext): Promise<number> {
  const { options, terminal } = context;
  const sessions = await keptSessions(databaseFile(workingFolder(options, terminal.cwd), context));
  if (options.json) terminal.out.write(`${JSON.stringify({ sessions })}\n`);
  else if (sessions.length === 0) terminal.out.write('(no sessions) bae ask "…" starts one.\n');
  else for (const session of sessions) terminal.out.write(`${sessionLine(session)}\n`);
  return 0;
}

async function keptSessions(file: string): Promise<readonly SessionInfo[]> {
  // Looking must not leave a file behind.
  if (kindOfPath(file) === 'nothing') return [];
  const { Store } = await import('@bae/store');
  const store = Store.open(file);
  try {
    return store.sessions();
  } finally {
    store.close();
  }
}

function sessionLine({ id, started, turns, calls, prompt }: SessionInfo): string {
  const when = started.toISOString().slice(0, 16).replace('T', ' ');
  const counts = `${turns} turn${turns === 1 ? '' : 's'}, ${calls} call${calls === 1 ? '' : 's'}`;
  return `${id}  ${when}  ${counts}  ${prompt === undefined ? '' : visibleLine(prompt)}`.trimEnd();
}
