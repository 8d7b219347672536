import type { KeyMenu } from '../terminal/keyboard.ts';
import { makeLineVisible, padToWidth, truncate } from '../terminal/terminal-text.ts';
import { cancelWork, listCancelled, type NumberedWork, type RunningWork, type Work } from './running-work.ts';
import type { ShellCommand } from '../shell/shell-commands.ts';

/** Maximum number of rows of one page. */
const PAGE = 5;
const WIDEST_PLACE = 20;

export interface MenuScreen {
  columns(): number;
  rows(): number;
  /** Prints a line above the menu. */
  print(line: string): void;
}

/** Menu of what runs now: a number or Enter cancels one, Ctrl-C all, Escape closes it. */
export class RunningMenu implements KeyMenu {
  readonly #running: RunningWork;
  readonly #screen: MenuScreen;
  /** Number of the chosen work. */
  #chosen = 1;

  constructor(running: RunningWork, screen: MenuScreen) {
    this.#running = running;
    this.#screen = screen;
    running.list(true);
  }

  render(): readonly string[] {
    const works = this.#running.list();
    if (works.length === 0) return [];
    const at = this.#findChosen(works);
    const size = this.#pageSize;
    const first = at - (at % size);
    const columns = this.#screen.columns() - 1;
    const pages = Math.ceil(works.length / size);
    const page = pages > 1 ? `page ${first / size + 1} of ${pages}, ` : '';
    const keys = `#=cancel Enter=cancel ${works[at]!.number} ^C=all ${pages > 1 ? '←/→=page ' : ''}esc=back`;
    const rows = renderWork(works.slice(first, first + size)).map(
      (row, index) => `${first + index === at ? '›' : ' '} ${row}`,
    );
    return [...rows, `${page}${keys}`].map((row) => truncate(row, columns));
  }

  press(key: string): 'stay' | 'close' | 'pass' {
    const works = this.#running.list();
    const at = this.#findChosen(works);
    const goTo = (to: number): 'stay' => {
      this.#chosen = works[Math.max(0, Math.min(works.length - 1, to))]?.number ?? 1;
      return 'stay';
    };
    const page = this.#pageSize;
    if (key === 'up' || key === 'down') return goTo(at + (key === 'up' ? -1 : 1));
    if (key === 'left' || key === 'right') return goTo((Math.floor(at / page) + (key === 'left' ? -1 : 1)) * page);
    if (key === 'return') return this.#cancel(works.slice(at, at + 1));
    if (/^[1-9]$/.test(key)) return this.#cancel(works.filter(({ number }) => String(number) === key));
    if (key === 'ctrl-c') {
      this.#cancel(listCancelled(works));
      return 'close';
    }
    return key === 'escape' ? 'close' : 'pass';
  }

  get #pageSize(): number {
    // The hint, the toolbar and the typed text also need a row.
    return Math.max(1, Math.min(PAGE, this.#screen.rows() - 5));
  }

  /** Returns the index of the chosen work or, if it has ended, of the next one. */
  #findChosen(works: readonly NumberedWork[]): number {
    const at = works.findIndex(({ number }) => number === this.#chosen);
    if (at >= 0) return at;
    const next = works.findIndex(({ number }) => number > this.#chosen);
    return next >= 0 ? next : Math.max(0, works.length - 1);
  }

  #cancel(works: readonly Work[]): 'stay' {
    void cancelWork(works, (report) => this.#screen.print(report));
    return 'stay';
  }
}

/** Renders rows such as `2  12 s  terminal  npm start`. */
export function renderWork(works: readonly NumberedWork[]): readonly string[] {
  const ages = works.map(({ ms }) => renderAge(ms));
  const places = works.map(({ place }) => truncate(makeLineVisible(place), WIDEST_PLACE));
  const [numberWidth, ageWidth, placeWidth] = [works.map(({ number }) => `${number}`), ages, places].map((texts) =>
    Math.max(0, ...texts.map(({ length }) => length)),
  ) as [number, number, number];
  return works.map(({ number, title }, index) => {
    const place = padToWidth(places[index]!, placeWidth);
    return `${`${number}`.padStart(numberWidth)}  ${ages[index]!.padStart(ageWidth)}  ${place}  ${makeLineVisible(title)}`;
  });
}

/** Renders a duration such as `8 s`, `3 min` or `2 h`. */
function renderAge(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds < 100) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 100 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`;
}

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
  else void cancelWork(which === 'all' ? listCancelled(works) : chosen, (report) => screen.print(report));
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
