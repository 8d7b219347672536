import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Duplex, Readable } from 'node:stream';
import { createEnvironment, type Inheritance } from './environment.ts';
import { findProgram } from './find-program.ts';
import { findIsolation, type Isolation } from './isolation.ts';
import { OutputTail } from './program-output.ts';

export interface Program {
  /** Name or path of the program; a name is looked up in the PATH, outside the project. */
  readonly command: string;
  readonly args: readonly string[];
  /** Absolute path of its working folder. */
  readonly folder: string;
  /** Absolute path of the project, in which programs are not looked up by name. Default: the folder. */
  readonly project?: string;
  /** Additional variables besides the inherited ones. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Default: `quiet`. */
  readonly inherits?: Inheritance;
  /** True to include standard error in the output, in the order of writing. Default: false. */
  readonly mergesErrors?: boolean;
  /** Receives its standard output as it arrives. */
  readonly onOutput?: ((text: string) => void) | undefined;
}

/** Exit code and output of a program. */
export interface ProgramResult {
  /**
   * Exit code; above 128 if a signal ended the program, as in shells; null if it was stopped, or killed together with
   * its supervisor.
   */
  readonly code: number | null;
  /** Standard output and standard error; only the last part if they are very long. */
  readonly output: string;
  readonly errors: string;
}

/**
 * Shell script that ends the group when the pipe to bae closes, even if bae crashed. If the program ends first, it
 * reports the exit code and ends the remaining processes. Traps keep it alive when the group receives SIGTERM.
 */
const SUPERVISE = `exec 4>&2 2>/dev/null
(trap '' HUP INT TERM; exec </dev/null >/dev/null 4>&-; read -r _ <&3; kill -s KILL -- -$$) &
trap : HUP INT TERM
"$@" 2>&4 3>&- 4>&-
echo $? >&3
kill -s KILL -- -$$`;

/**
 * Shell script for the first process of a namespace, which ends with it. It cannot be the program itself, because the
 * first process ignores most signals.
 */
const BEGIN = `exec 4>&2 2>/dev/null; "$@" 2>&4 4>&-; exit $?`;

/** Time between SIGTERM and SIGKILL, in milliseconds. */
const PATIENCE_MS = 500;
/** Maximum wait for output streams that an escaped process keeps open, in milliseconds. */
const AFTERMATH_MS = 250;

/** A started program, together with the processes that it starts. */
export class RunningProgram {
  /** Resolves when the program and its whole group have ended; never rejects. */
  readonly ended: Promise<ProgramResult>;
  readonly #child: ChildProcess;
  readonly #output: OutputTail;
  readonly #errors: OutputTail;
  #isRunning = true;
  #wasStopped = false;

  constructor(child: ChildProcess, onOutput?: (text: string) => void) {
    this.#child = child;
    this.#output = collect(child.stdout!, onOutput);
    this.#errors = collect(child.stderr!);
    this.ended = this.#watch();
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** Output so far, or the end of it if it is very long. */
  get output(): string {
    return this.#output.text;
  }

  /** Number of characters dropped from the beginning of the output. */
  get dropped(): number {
    return this.#output.dropped;
  }

  /** Sends SIGTERM to the group, and SIGKILL half a second later if it has not ended. */
  async stop(): Promise<void> {
    this.#wasStopped = true;
    this.#signal('SIGTERM');
    const timer = setTimeout(() => this.#signal('SIGKILL'), PATIENCE_MS);
    await this.ended;
    clearTimeout(timer);
  }

  async #watch(): Promise<ProgramResult> {
    const { stdout, stderr, stdio } = this.#child;
    const pipe = stdio[3] as Duplex;
    let said = '';
    pipe.setEncoding('utf8').on('data', (text: string) => (said += text));
    pipe.on('error', () => undefined);
    const closed = Promise.all([stdout!, stderr!].map((stream) => once(stream, 'close').catch(() => undefined)));
    await once(this.#child, 'exit');
    this.#isRunning = false;
    const timer = Promise.withResolvers<void>();
    const timeout = setTimeout(timer.resolve, AFTERMATH_MS);
    await Promise.race([closed, timer.promise]);
    clearTimeout(timeout);
    for (const stream of [stdout!, stderr!, pipe]) stream.destroy();
    const code = this.#wasStopped || said === '' ? null : Number.parseInt(said, 10);
    return { code, output: this.#output.text, errors: this.#errors.text };
  }

  #signal(signal: 'SIGTERM' | 'SIGKILL'): void {
    // Its process ID cannot be reused until its end has been observed.
    if (!this.#isRunning) return;
    try {
      process.kill(-this.#child.pid!, signal);
    } catch {
      // The group has just ended.
    }
  }
}

/**
 * Starts a program without passing its command to a shell. It gets no input, and ends with this process, even after a
 * crash.
 *
 * @throws the system's error, such as ENOENT, when it cannot be started
 */
export async function startProgram(program: Program, isolation?: Isolation): Promise<RunningProgram> {
  return new RunningProgram(await spawnProgram(program, 'ignore', isolation), program.onOutput);
}

/**
 * Starts a program to communicate with over its input and output. The program and its group end with this process, and
 * when the pipe with descriptor 3 closes.
 *
 * @throws the system's error, such as ENOENT, when it cannot be started
 */
export function openProgram(program: Program): Promise<ChildProcess> {
  return spawnProgram(program, 'pipe', { type: 'group' });
}

async function spawnProgram(program: Program, input: 'ignore' | 'pipe', isolation?: Isolation): Promise<ChildProcess> {
  const { command, args, folder, project = folder, environment, inherits = 'quiet', mergesErrors = false } = program;
  const found = await findProgram(command, { folder, project });
  if (found === undefined) throw createAbsentError(command);
  const within = isolation ?? (await findIsolation());
  const started = [found.path, ...args];
  const words = within.type === 'group' ? started : [...within.command, '/bin/sh', '-c', BEGIN, 'sh', ...started];
  const script = mergesErrors ? `exec 2>&1\n${SUPERVISE}` : SUPERVISE;
  const child = spawn('/bin/sh', ['-c', script, 'sh', ...words], {
    cwd: folder,
    env: { ...createEnvironment(inherits, project, environment) },
    stdio: [input, 'pipe', 'pipe', 'pipe'],
    // Creates a process group that can be ended as a whole.
    detached: true,
  });
  await once(child, 'spawn');
  return child;
}

function createAbsentError(command: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`spawn ${command} ENOENT`), { code: 'ENOENT', path: command });
}

function collect(stream: Readable, onOutput?: (text: string) => void): OutputTail {
  const tail = new OutputTail();
  stream.setEncoding('utf8');
  stream.on('data', (piece: string) => {
    tail.add(piece);
    onOutput?.(piece);
  });
  stream.on('error', () => undefined);
  return tail;
}
