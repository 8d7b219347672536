import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Duplex, Readable } from 'node:stream';
import { createEnvironment, type Inheritance } from './environment.ts';
import { findProgram } from './find-program.ts';
import { findIsolation, type Isolation } from './isolation.ts';
import { OutputTail } from './program-output.ts';

export interface Program {
  /** Name or path of the program; a name is found on the PATH, outside of the project. */
  readonly command: string;
  readonly args: readonly string[];
  /** Absolute path of the folder it runs in. */
  readonly folder: string;
  /** Absolute path of the project, whose programs are not found by name. Default: the folder. */
  readonly project?: string;
  /** Added to what it inherits. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Default: `quiet`. */
  readonly inherits?: Inheritance;
  /** True to have errors in the output, in the order in which both were written. Default: false. */
  readonly mergesErrors?: boolean;
  /** Gets its standard output as it comes. */
  readonly onOutput?: ((text: string) => void) | undefined;
}

/** How a program ended. */
export interface ProgramResult {
  /** Null when the program was stopped, or killed with all that watched it; above 128 when a signal ended it, as shells count. */
  readonly code: number | null;
  /** Standard output and standard error; only the last part if they are very long. */
  readonly output: string;
  readonly errors: string;
}

/**
 * Ends the group when the pipe to bae closes, however bae ended; else says the code, and ends what is left. Traps keep
 * it alive when the group is asked to end.
 */
const SUPERVISE = `exec 4>&2 2>/dev/null
(trap '' HUP INT TERM; exec </dev/null >/dev/null 4>&-; read -r _ <&3; kill -s KILL -- -$$) &
trap : HUP INT TERM
"$@" 2>&4 3>&- 4>&-
echo $? >&3
kill -s KILL -- -$$`;

/** The first process of a namespace, which ends with it. It has to be another one than the program: signals pass it by. */
const BEGIN = `exec 4>&2 2>/dev/null; "$@" 2>&4 4>&-; exit $?`;

/** From the friendly request to end until there is no choice. */
const PATIENCE_MS = 500;
/** How long output is waited for that a process which got away may still write. */
const AFTERMATH_MS = 250;

/** A program that was started, with everything that it starts itself. */
export class RunningProgram {
  /** Settles when the program and all of its group have ended; never rejects. */
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

  /** What it has printed so far, or the last part of it. */
  get output(): string {
    return this.#output.text;
  }

  /** Characters of the output that came before, and are not kept. */
  get dropped(): number {
    return this.#output.dropped;
  }

  /** Asks all of the group to end, and ends what does not within half a second. */
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
    // Its number is taken for as long as it is not known to have ended.
    if (!this.#isRunning) return;
    try {
      process.kill(-this.#child.pid!, signal);
    } catch {
      // It has just ended.
    }
  }
}

/**
 * Starts a program, without a shell of its own. It has no input, and ends with this process, whatever ends that.
 *
 * @throws the system's error, such as ENOENT, when it cannot be started
 */
export async function startProgram(program: Program, isolation?: Isolation): Promise<RunningProgram> {
  return new RunningProgram(await spawnProgram(program, 'ignore', isolation), program.onOutput);
}

/**
 * Starts a program to talk to over its input and output. It and its group end with this process, and when the pipe with
 * the number 3 closes.
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
    // Makes a process group that can be ended as a whole.
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
