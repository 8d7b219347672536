import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import type { Environment } from '../provider-settings.ts';

/** Outcome of a command. */
export type CommandExit =
  | { readonly kind: 'exited'; readonly code: number; readonly stderr: string }
  | { readonly kind: 'killed'; readonly signal: string; readonly stderr: string }
  | { readonly kind: 'not-started'; readonly error: Error };

/** Environment and folder of a command. */
export interface CommandOptions {
  /** Environment variables. Default: those of this process. */
  readonly env?: Environment;
  /** Working folder. Default: that of this process. */
  readonly cwd?: string;
}

const IS_WINDOWS = process.platform === 'win32';

/** Maximum length of the kept end of standard error, in characters. */
const STDERR_CAP = 4000;

/**
 * Running command in a process group of its own, with empty standard input.
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
      // Without a group, Windows ends it with this process as long as it is not detached.
      const detached = !IS_WINDOWS;
      this.#child = spawn(command, args, { env, cwd, detached, windowsHide: true, stdio: ['ignore', 'pipe', 'pipe'] });
      process.once('exit', this.#onParentExit);
      this.exit = this.#watch(this.#child);
    } catch (error) {
      // An argument list that is too long throws here and causes no event.
      this.exit = Promise.resolve({ kind: 'not-started', error: error as Error });
    }
  }

  /** Yields standard output as it arrives. Ends early, without an error, when the group is killed. */
  async *output(): AsyncGenerator<string, void> {
    const stdout = this.#child?.stdout;
    if (stdout === undefined || stdout === null) return;
    try {
      yield* stdout.setEncoding('utf8') as AsyncIterable<string>;
    } catch {
      // Destroyed while it was being read; `exit` has the reason.
    }
  }

  /** Ends the whole group immediately. May be called more than once. */
  kill(): void {
    this.#killGroup();
    // A process that left the group may still hold the other end.
    this.#child?.stdout?.destroy();
    this.#child?.stderr?.destroy();
  }

  #killGroup(): void {
    const pid = this.#child?.pid;
    // After the command has exited, its process id may be reused.
    if (pid === undefined || this.#hasExited) return;
    endProcesses(pid);
  }

  #watch(child: ChildProcess): Promise<CommandExit> {
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-STDERR_CAP);
    });
    const exit = new Promise<CommandExit>((resolve) => {
      child.once('error', (error) => resolve({ kind: 'not-started', error }));
      child.once('exit', () => {
        // Children that outlive the command would keep its output open, so that `close` would never be emitted.
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

/** Ends a group or, on Windows, a process and all below it. */
function endProcesses(pid: number): void {
  if (IS_WINDOWS) {
    // Synchronous, because this process may be about to exit.
    const program = `${process.env['SystemRoot'] ?? 'C:\\Windows'}\\System32\\taskkill.exe`;
    spawnSync(program, ['/T', '/F', '/PID', String(pid)], { stdio: 'ignore', windowsHide: true });
    return;
  }
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The group is empty.
  }
}
