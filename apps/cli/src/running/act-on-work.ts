import type { ShellCommand } from '../shell/shell-commands.ts';
import type { KeyMenu } from '../terminal/keyboard.ts';
import { renderWork, RunningMenu, type MenuScreen } from './running-menu.ts';
import { cancelAll, type RunningWork } from './running-work.ts';

/** `/tasks` where the shell has no other command of this name. */
export const RUNNING: ShellCommand = {
  does: 'what runs now, to cancel it',
  run: async () => undefined,
};

export interface WorkScreen extends MenuScreen {
  /** Undefined if nobody can press a key. */
  readonly openMenu?: ((menu: KeyMenu) => void) | undefined;
}

/**
 * Shows what runs (no words), or cancels some of it (`cancel 2`, `cancel all`). Returns false for other words, and if
 * nothing runs that could be shown.
 */
export function actOnWork(
  [verb, which, ...more]: readonly string[],
  running: RunningWork,
  screen: WorkScreen,
): boolean {
  if (verb !== undefined && verb !== 'cancel') return false;
  const works = running.list(verb === undefined);
  if (verb === undefined) {
    if (works.length > 0 && screen.openMenu !== undefined) screen.openMenu(new RunningMenu(running, screen));
    else for (const row of renderWork(works)) screen.print(row);
    return works.length > 0;
  }
  const chosen = which === 'all' ? works : works.filter(({ number }) => String(number) === which);
  if (chosen.length === 0 || more.length > 0) screen.print(explainCancel(which, works.length > 0));
  else if (which === 'all') void cancelAll(works).then((reports) => reports.forEach((report) => screen.print(report)));
  else void chosen[0]!.cancel().then((report) => report !== undefined && screen.print(report));
  return true;
}

function explainCancel(which: string | undefined, hasWork: boolean): string {
  const task = /^\d+$/.test(which ?? '')
    ? `; a task that you share with agents is cancelled by /tasks edit ${which} status=cancelled`
    : '';
  if (!hasWork) return `nothing runs now${task}.`;
  const fact = which === undefined ? 'cancel what?' : `nothing that runs has the number ${which}${task}.`;
  return `${fact} /tasks shows what runs; /tasks cancel 1 cancels the first, /tasks cancel all everything.`;
}
