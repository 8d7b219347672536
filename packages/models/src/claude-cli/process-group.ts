import { spawn, type ChildProcess } from 'node:child_process';
import type { Environment } from '../environment.ts';

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

/** How much of what a command complains about is kept, in characters. */
const STDERR_CAP = 4000;

/**
 * A running command in a process group of its own, with nothing to read on standard input.
 *
 * Whatever it started dies with it: when it is killed, when it exits, and when this process exits.
 */
export class ProcessGroup {
  readonly exit: Promise<CommandExit>;
  private readonly child: ChildProcess | undefined;
  private readonly onParentExit = (): void => this.kill();
  private stderr = '';
  private gone = false;

  constructor(command: string, args: readonly string[], options: CommandOptions = {}) {
    try {
      this.child = spawn(command, args, { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
      process.once('exit', this.onParentExit);
      this.exit = this.watch(this.child);
    } catch (error) {
      // An argument list that is too long fails here and not with an event.
      this.exit = Promise.resolve({ kind: 'not-started', error: error as Error });
    }
  }

  /** Standard output as it comes. Ends early, without an error, when the group is killed. */
  async *output(): AsyncGenerator<string, void> {
    const stdout = this.child?.stdout;
    if (stdout === undefined || stdout === null) return;
    try {
      yield* stdout.setEncoding('utf8') as AsyncIterable<string>;
    } catch {
      // Destroyed while it was read; `exit` tells why.
    }
  }

  /** Ends the whole group at once. Called once or more. */
  kill(): void {
    this.killGroup();
    // Somebody who left the group may still hold the other end.
    this.child?.stdout?.destroy();
    this.child?.stderr?.destroy();
  }

  private killGroup(): void {
    const pid = this.child?.pid;
    // Once the command is gone its number may belong to somebody else.
    if (pid === undefined || this.gone) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // Nobody is left in the group.
    }
  }

  private watch(child: ChildProcess): Promise<CommandExit> {
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.stderr = (this.stderr + text).slice(-STDERR_CAP);
    });
    return new Promise((resolve) => {
      child.once('error', (error) => this.end(resolve, { kind: 'not-started', error }));
      child.once('exit', () => {
        // Children that outlive the command would keep its output open, so that `close` never came.
        this.killGroup();
        this.gone = true;
      });
      child.once('close', (code, signal) => {
        const { stderr } = this;
        this.end(
          resolve,
          signal === null ? { kind: 'exited', code: code ?? 0, stderr } : { kind: 'killed', signal, stderr },
        );
      });
    });
  }

  private end(resolve: (exit: CommandExit) => void, exit: CommandExit): void {
    process.off('exit', this.onParentExit);
    resolve(exit);
  }
}
