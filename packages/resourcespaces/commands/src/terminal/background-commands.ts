import { ResourceError } from '@bae/core';
import type { RunningProgram } from '@bae/project';
import { renderEnd, type RunEnd } from '../run-report.ts';

/** Maximum number of running commands, and of commands whose output is kept. */
const MOST_RUNNING = 8;
const MOST_KEPT = 20;

/** A running or finished command in the background. */
export interface BackgroundCommand {
  readonly id: number;
  readonly command: string;
  readonly program: RunningProgram;
  /** Start time in milliseconds, from `performance.now()`. */
  readonly started: number;
  /** Undefined while it runs. */
  end?: RunEnd;
  /** Lines that name the files that were changed while it ran; none before it has ended. */
  changed: readonly string[];
  /** Lines that say which limits it may have met. */
  limits: readonly string[];
  /** Resolves when it has ended and its changes are listed. */
  readonly over: Promise<void>;
}

/** What is said about a command once it has ended. */
export interface EndReports {
  /** Renders lines that name the changed files. */
  readonly listChanged: () => Promise<readonly string[]>;
  /** Renders lines that say which limits it may have met, from its output. */
  readonly listLimits: (output: string) => Promise<readonly string[]>;
}

/** Background commands of a session. */
export class BackgroundCommands {
  readonly #commands = new Map<number, BackgroundCommand>();
  #last = 0;

  get running(): readonly BackgroundCommand[] {
    return this.list().filter(({ end }) => end === undefined);
  }

  list(): readonly BackgroundCommand[] {
    return [...this.#commands.values()];
  }

  /**
   * @throws ResourceError if the maximum number of commands is running
   */
  checkRoom(): void {
    const [first] = this.running;
    if (this.running.length < MOST_RUNNING) return;
    throw new ResourceError(`${MOST_RUNNING} commands run in the background, which is the maximum.`, [
      `<stop:${first!.id}>`,
    ]);
  }

  add(command: string, program: RunningProgram, reports: EndReports): BackgroundCommand {
    const id = ++this.#last;
    const over = program.ended.then(({ code }) => this.#close(added, code, reports));
    const added: BackgroundCommand = {
      id,
      command,
      program,
      started: performance.now(),
      changed: [],
      limits: [],
      over,
    };
    this.#commands.set(id, added);
    return added;
  }

  async #close(command: BackgroundCommand, code: number | null, { listChanged, listLimits }: EndReports) {
    command.end = { code, seconds: (performance.now() - command.started) / 1000 };
    command.limits = code === 0 || code === null ? [] : await listLimits(command.program.output);
    command.changed = await listChanged();
    const over = this.list().filter(({ end }) => end !== undefined);
    for (const { id } of over.slice(0, -MOST_KEPT)) this.#commands.delete(id);
  }

  /**
   * @throws ResourceError if no command has that number
   */
  get(id: number): BackgroundCommand {
    const found = this.#commands.get(id);
    if (found !== undefined) return found;
    const ids = this.list().map((command) => command.id);
    const known = ids.length === 0 ? 'None was started.' : `There are ${ids.join(', ')}.`;
    throw new ResourceError(`no command ${id} in the background. ${known}`, [
      ids.length === 0 ? '<exec:npm start background=true>' : `<tail:${ids.at(-1)}>`,
    ]);
  }

  /** Ends all commands, and waits until their changes are listed. */
  async stopAll(): Promise<void> {
    await Promise.all(this.running.map(({ program }) => program.stop()));
    await Promise.all(this.list().map(({ over }) => over));
  }
}

/** Renders `3: npm start (running)`, without the time, so that the text changes only with the state. */
export function renderBackground({ id, command, end }: BackgroundCommand): string {
  const state = end === undefined ? 'running' : renderEnd(end);
  return `${id}: ${command} (${state})`;
}
