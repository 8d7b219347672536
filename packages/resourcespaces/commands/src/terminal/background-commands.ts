import { ResourceError } from '@bae/core';
import type { RunningProgram } from '@bae/project';
import { renderEnd, type RunEnd } from '../run-report.ts';

/** Most that run at once, and most of which the output is kept. */
const MOST_RUNNING = 8;
const MOST_KEPT = 20;

/** A command that runs, or ran, in the background. */
export interface BackgroundCommand {
  readonly id: number;
  readonly command: string;
  readonly program: RunningProgram;
  /** In milliseconds, as `performance.now()`. */
  readonly started: number;
  /** Undefined while it runs. */
  end?: RunEnd;
}

/** The commands of a session that run in the background. */
export class BackgroundCommands {
  readonly #commands = new Map<number, BackgroundCommand>();
  #last = 0;

  get running(): readonly BackgroundCommand[] {
    return this.list().filter(({ end }) => end === undefined);
  }

  list(): readonly BackgroundCommand[] {
    return [...this.#commands.values()];
  }

  /** @throws ResourceError when as many run as may */
  checkRoom(): void {
    const [first] = this.running;
    if (this.running.length < MOST_RUNNING) return;
    throw new ResourceError(`${MOST_RUNNING} commands run in the background, and no more may.`, [
      `<stop:${first!.id}>`,
    ]);
  }

  add(command: string, program: RunningProgram): BackgroundCommand {
    const added: BackgroundCommand = { id: ++this.#last, command, program, started: performance.now() };
    this.#commands.set(added.id, added);
    void this.#watch(added);
    return added;
  }

  async #watch(command: BackgroundCommand): Promise<void> {
    const { code } = await command.program.ended;
    command.end = { code, seconds: (performance.now() - command.started) / 1000 };
    const over = this.list().filter(({ end }) => end !== undefined);
    for (const { id } of over.slice(0, -MOST_KEPT)) this.#commands.delete(id);
  }

  /** @throws ResourceError when there is none of that number */
  get(id: number): BackgroundCommand {
    const found = this.#commands.get(id);
    if (found !== undefined) return found;
    const ids = this.list().map((command) => command.id);
    const known = ids.length === 0 ? 'None was started.' : `There are ${ids.join(', ')}.`;
    throw new ResourceError(`no command ${id} in the background. ${known}`, [
      ids.length === 0 ? '<exec:npm start background=true>' : `<tail:${ids.at(-1)}>`,
    ]);
  }

  async stopAll(): Promise<void> {
    await Promise.all(this.running.map(({ program }) => program.stop()));
  }
}

/** `3: npm start (running)`: no time, so that what did not change reads the same. */
export function renderBackground({ id, command, end }: BackgroundCommand): string {
  const state = end === undefined ? 'running' : renderEnd(end);
  return `${id}: ${command} (${state})`;
}
