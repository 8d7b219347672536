import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Duplex, Readable } from 'node:stream';
import { createEnvironment, createPieceMask, maskUrlPasswords, type Inheritance } from './environment.ts';
import { findIsolation, findProgram, prepareProgram } from './find-program.ts';
import type { Isolation, Launch, Platform } from './platform/platform.ts';
import { supervise, type ProgramLimits, type Supervisor } from './supervise.ts';

export interface Program {
  /**
   * Name or path of the program; a name is looked up in the PATH, outside the project. Or how a program is started that
   * was found before.
   */
  readonly command: string | Launch;
  /** Default: none. They are not used if it is known how it is started. */
  readonly args?: readonly string[];
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
  /** Receives its standard output as it arrives, without passwords in URLs that it inherited. */
  readonly onOutput?: ((text: string) => void) | undefined;
  /** Rules of the system for names and variables. Default: those of this one. */
  readonly platform?: Platform;
  /** What it may do on this machine. Default: everything. */
  readonly limits?: ProgramLimits | undefined;
  /** True if it may use the network of this machine, whatever its limits. Default: false. */
  readonly network?: boolean | undefined;
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

/** Time between SIGTERM and SIGKILL, in milliseconds. */
const PATIENCE_MS = 500;
/** Maximum wait for output streams that an escaped process keeps open, in milliseconds. */
const AFTERMATH_MS = 250;

type ProgramOutput = Pick<Program, 'onOutput' | 'inherits' | 'platform'>;

/** A started program, together with the processes that it starts. */
export class RunningProgram {
  /** Resolves when the program and its whole group have ended; never rejects. */
  readonly ended: Promise<ProgramResult>;
  readonly #supervisor: Supervisor;
  readonly #output: OutputTail;
  readonly #errors: OutputTail;
  #isRunning = true;
  #wasStopped = false;
  readonly #mask: (text: string) => string;
  readonly #passOn: (piece: string, isLast?: boolean) => void;

  constructor(supervisor: Supervisor, { onOutput, inherits, platform }: ProgramOutput) {
    this.#mask = inherits === 'project' ? (text) => maskUrlPasswords(text, platform?.variables) : (text) => text;
    this.#supervisor = supervisor;
    const mask = inherits === 'project' ? createPieceMask(platform?.variables) : (piece: string) => piece;
    this.#passOn = (piece, isLast) => {
      const text = mask(piece, isLast);
      if (text !== '') onOutput?.(text);
    };
    this.#output = collect(supervisor.process.stdout!, this.#passOn);
    this.#errors = collect(supervisor.process.stderr!);
    this.ended = this.#watch();
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  /** Output so far, without passwords in URLs that it inherited, or the end of it if it is very long. */
  get output(): string {
    return this.#mask(this.#output.text);
  }

  /** Number of characters dropped from the beginning of the output. */
  get dropped(): number {
    return this.#output.dropped;
  }

  /** Sends SIGTERM to the group, and SIGKILL half a second later if it has not ended. On Windows it ends at once. */
  async stop(): Promise<void> {
    this.#wasStopped = true;
    this.#supervisor.end('SIGTERM');
    const timer = setTimeout(() => this.#supervisor.end('SIGKILL'), PATIENCE_MS);
    await this.ended;
    clearTimeout(timer);
  }

  async #watch(): Promise<ProgramResult> {
    const { stdout, stderr, stdio } = this.#supervisor.process;
    const pipe = stdio[3] as Duplex;
    let said = '';
    pipe.setEncoding('utf8').on('data', (text: string) => (said += text));
    pipe.on('error', () => undefined);
    const closed = Promise.all([stdout!, stderr!].map((stream) => once(stream, 'close').catch(() => undefined)));
    await once(this.#supervisor.process, 'exit');
    this.#isRunning = false;
    const timer = Promise.withResolvers<void>();
    const timeout = setTimeout(timer.resolve, AFTERMATH_MS);
    await Promise.race([closed, timer.promise]);
    clearTimeout(timeout);
    for (const stream of [stdout!, stderr!, pipe]) stream.destroy();
    this.#passOn('', true);
    const code = this.#wasStopped || said === '' ? null : Number.parseInt(said, 10);
    return { code, output: this.output, errors: this.#mask(this.#errors.text) };
  }
}

/**
 * Starts a program without passing its command to a shell. It gets no input, and ends with this process, even after a
 * crash.
 *
 * @throws the system's error, such as ENOENT, when it cannot be started
 */
export async function startProgram(program: Program, isolation?: Isolation): Promise<RunningProgram> {
  return new RunningProgram(await startSupervisor(program, 'ignore', isolation), program);
}

/** A program to talk to. */
export interface OpenedProgram {
  /** Has the input, output and errors of the program, and exits after it. */
  readonly process: ChildProcess;
  /** Ends it with everything that it has started, at once. */
  end(): void;
}

/**
 * Starts a program to communicate with over its input and output. The program and its group end with this process.
 *
 * @throws the system's error, such as ENOENT, when it cannot be started
 */
export async function openProgram(program: Program, isolation?: Isolation): Promise<OpenedProgram> {
  const within = isolation ?? (await findIsolation());
  const supervisor = await startSupervisor(program, 'pipe', within.type === 'tree' ? within : { type: 'group' });
  // Nobody needs the exit code, but the supervisor waits until it is read.
  supervisor.process.stdio[3]!.on('error', () => undefined);
  (supervisor.process.stdio[3] as Duplex).resume();
  return { process: supervisor.process, end: () => supervisor.end('SIGKILL') };
}

async function startSupervisor(program: Program, input: 'ignore' | 'pipe', isolation?: Isolation): Promise<Supervisor> {
  const { command, folder, project = folder, environment = {}, inherits = 'quiet', mergesErrors = false } = program;
  const launch = typeof command === 'string' ? await findLaunch(command, program) : command;
  const within = isolation ?? (await findIsolation());
  const place = { inherits, project, ...(program.platform && { platform: program.platform }) };
  const variables = createEnvironment(place, launch.variables, environment);
  const entrance = within.type === 'tree' ? undefined : await program.limits?.enter(folder, program.network);
  return supervise({ launch, folder, environment: variables, input, mergesErrors, entrance }, within);
}

async function findLaunch(name: string, program: Program): Promise<Launch> {
  const { args = [], platform } = program;
  const found = await findProgram(name, program);
  if (found === undefined) throw createAbsentError(name);
  return prepareProgram(found, args, platform);
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

/** Maximum length of the kept output of a program, in characters; of longer output, the end is kept. */
export const LONGEST_OUTPUT = 10 * 1024 * 1024;

const PIECE = 64 * 1024;

/** Collects text that arrives in pieces, and keeps the end of it. */
class OutputTail {
  readonly #pieces: string[] = [];
  #length = 0;
  /** Number of characters dropped from the beginning. */
  dropped = 0;

  add(piece: string): void {
    const last = this.#pieces.length - 1;
    if (last >= 0 && this.#pieces[last]!.length < PIECE) this.#pieces[last] += piece;
    else this.#pieces.push(piece);
    this.#length += piece.length;
    while (this.#length - this.#pieces[0]!.length >= LONGEST_OUTPUT) {
      const { length } = this.#pieces.shift()!;
      this.#length -= length;
      this.dropped += length;
    }
  }

  get text(): string {
    return this.#pieces.join('').slice(-LONGEST_OUTPUT);
  }
}

/** Matches a terminal control sequence; a sequence that contains text may be unterminated. */
const TERMINAL_CODE =
  // oxlint-disable-next-line no-control-regex
  /\u001B(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]|[\]P^_X][^\u0007\u001B]{0,4096}(?:\u0007|\u001B\\)?|[ -/]{0,8}[0-~])/g;
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g;

/**
 * Returns the output of a program as a person would see it: without control codes, and with only the last version of an
 * overwritten line.
 */
export function toReadableOutput(output: string): string {
  const lines = output.replaceAll(TERMINAL_CODE, '').replaceAll('\r\n', '\n').split('\n');
  const last = lines.map((line) => line.slice(line.trimEnd().lastIndexOf('\r') + 1));
  return last.join('\n').replaceAll(CONTROL, '').trimEnd();
}

/**
 * Runs a program and waits for its end. If the signal aborts, the program is ended with everything that it has started.
 *
 * @throws the signal's reason; the system error, such as ENOENT, if the program cannot be started
 */
export async function runProgram(program: Program, signal: AbortSignal): Promise<ProgramResult> {
  signal.throwIfAborted();
  const running = await startProgram(program);
  const stop = (): void => void running.stop();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const result = await running.ended;
  signal.removeEventListener('abort', stop);
  signal.throwIfAborted();
  return result;
}
