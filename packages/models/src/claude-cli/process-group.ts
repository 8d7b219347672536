import { spawn, type ChildProcess } from 'node:child_process';
import type { Environment } from '../provider-settings.ts';

/** How a command ended. */
export type CommandExit =
  | { readonly kind: 'exited'; readonly code: number; readonly stderr: string }
  | { readonly kind: 'killed'; readonly signal: string; readonly stderr: string }
  | { readonly kind: 'not-started'; readonly error: Error };

/** Where a command runs. */
export interface CommandOptions {
  /** Default: this process's own environment. */
  readonly env?: Environment;
  /** Default: this process's own folder. */
  readonly cwd?: string;
}

/** Characters of standard error that are kept, from its end. */
const STDERR_CAP = 4000;

/**
 * A running command in a process group of its own, with nothing to read on standard input.
 *
 * All its child processes end with it: when it is killed, when it exits, and when this process exits.
 */
export class ProcessGroup {
  readonly exit: Promise<CommandExit>;
  readonly #child: ChildProcess | undefined;
  readonly #onParentExit = (): void => this.kill();
  #stderr = '';
  #hasExited = false;

  constructor(command: string, args: readonly string[], options: CommandOptions = {}) {
    const { env, cwd } = options;
    try {
      this.#child = spawn(command, args, { env, cwd, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
      process.once('exit', this.#onParentExit);
      this.exit = this.#watch(this.#child);
    } catch (error) {
      // An argument list that is too long fails here and not with an event.
      this.exit = Promise.resolve({ kind: 'not-started', error: error as Error });
    }
  }

  /** Standard output as it comes. Ends early, without an error, when the group is killed. */
  async *output(): AsyncGenerator<string, void> {
    const stdout = this.#child?.stdout;
    if (stdout === undefined || stdout === null) return;
    try {
      yield* stdout.setEncoding('utf8') as AsyncIterable<string>;
    } catch {
      // Destroyed while it was read; `exit` has the reason.
    }
  }

  /** Ends the whole group at once. May be called more than once. */
  kill(): void {
    this.#killGroup();
    // A process that left the group may still hold the other end.
    this.#child?.stdout?.destroy();
    this.#child?.stderr?.destroy();
  }

  #killGroup(): void {
    const pid = this.#child?.pid;
    // After the command has exited, its number may belong to another process.
    if (pid === undefined || this.#hasExited) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // The group is empty.
    }
  }

  #watch(child: ChildProcess): Promise<CommandExit> {
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-STDERR_CAP);
    });
    const exit = new Promise<CommandExit>((resolve) => {
      child.once('error', (error) => resolve({ kind: 'not-started', error }));
      child.once('exit', () => {
        // Children that outlive the command would keep its output open, so that `close` never came.
        this.#killGroup();
        this.#hasExited = true;
      });
      child.once('close', (code, signal) => {
        const stderr = this.#stderr;
        resolve(signal === null ? { kind: 'exited', code: code ?? 0, stderr } : { kind: 'killed', signal, stderr });
      });
    });
    return exit.finally(() => process.off('exit', this.#onParentExit));
  }
}
