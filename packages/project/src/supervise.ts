import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Isolation, Launch } from './platform/platform.ts';
import type { SupervisedProgram } from './supervisor-worker.ts';

/** A program that is ready to start. */
export interface Start {
  readonly launch: Launch;
  /** Absolute path of its working folder. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly input: 'ignore' | 'pipe';
  readonly mergesErrors: boolean;
  /** How it gets within its limits; undefined if it has none. */
  readonly entrance?: Entrance | undefined;
}

/** A process that holds the other end of a pipe to bae, and runs a program. */
export interface Supervisor {
  /** Has the input and output of the program, and the pipe as descriptor 3, which reports the exit code. */
  readonly process: ChildProcess;
  /** Ends the program and what it started, if it runs: `SIGTERM` asks it, where the system can ask. */
  end(signal: 'SIGTERM' | 'SIGKILL'): void;
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
 * first process ignores most signals. Its arguments are variables, `--` and the command.
 */
const BEGIN = `exec 4>&2 2>/dev/null
while [ "$1" != -- ]; do export "$1"; shift; done
shift
"$@" 2>&4 4>&-
exit $?`;

/**
 * Starts a program under a supervisor, by which it ends with bae.
 *
 * @throws the system's error when the supervisor cannot be started
 */
export async function supervise(start: Start, isolation: Isolation): Promise<Supervisor> {
  const supervisor = isolation.type === 'tree' ? startNode(start, isolation.command) : startShell(start, isolation);
  try {
    await once(supervisor.process, 'spawn');
  } finally {
    start.entrance?.dispose();
  }
  return supervisor;
}

type ShellIsolation = Exclude<Isolation, { readonly type: 'tree' }>;

/** Variables that make other programs run code. */
const RUNS_CODE = /^(?:LD_|GLIBC_|GCONV_PATH$|LOCPATH$|LIBMOUNT_|BASH_FUNC_|BASH_ENV$|ENV$|SHELLOPTS$|BASHOPTS$|PS4$)/;
/** Variables for which each program of the start would load the files of a language. */
const LANGUAGE = /^(?:LANG|LANGUAGE|LC_\w+)$/;

function startShell(start: Start, isolation: ShellIsolation): Supervisor {
  const { folder, input, mergesErrors, entrance } = start;
  const { words, environment } =
    entrance === undefined ? listStartWords(start, isolation) : listEntering(start, entrance);
  const script = mergesErrors ? `exec 2>&1\n${SUPERVISE}` : SUPERVISE;
  // The supervisor itself uses descriptor 4.
  const descriptors = entrance === undefined ? [] : (['ignore', ...entrance.descriptors] as const);
  const shell = spawn('/bin/sh', ['-c', script, 'sh', ...words], {
    cwd: folder,
    env: environment,
    stdio: [input, 'pipe', 'pipe', 'pipe', ...descriptors],
    // Creates a process group that can be ended as a whole.
    detached: true,
  });
  const end: Supervisor['end'] = (signal) => {
    // Its process ID cannot be reused until its end has been observed.
    if (shell.exitCode !== null || shell.signalCode !== null) return;
    try {
      process.kill(-shell.pid!, signal);
    } catch {
      // The group has just ended.
    }
  };
  return { process: shell, end };
}

interface Words {
  readonly words: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

function listStartWords({ launch, environment }: Start, isolation: ShellIsolation): Words {
  const started = [launch.file, ...launch.args];
  if (isolation.type === 'group') return { words: started, environment };
  const { early, late } = divide(environment, LANGUAGE);
  return { words: [...isolation.command, '/bin/sh', '-c', BEGIN, 'sh', ...late, '--', ...started], environment: early };
}

/** The programs that set the limits are not limited themselves, so the project has no say in what they run. */
function listEntering({ launch, environment }: Start, entrance: Entrance): Words {
  const { early: safe, late: risky } = divide(environment, RUNS_CODE);
  const { early, late } = divide(safe, LANGUAGE);
  // The names of some are none for a shell.
  const set = risky.length === 0 ? [] : [entrance.env, ...risky];
  const { command, script, args, drop } = entrance;
  const begin = ['/bin/sh', '-c', `${script}\n${BEGIN}`, 'sh', ...args, ...late, '--'];
  const words = [...command, ...begin, ...drop, ...set, launch.file, ...launch.args];
  return { words, environment: early };
}

/** Divides variables into those of the whole start, and those that only the program gets: `NAME=value`. */
function divide(environment: Words['environment'], isLate: RegExp) {
  const variables = Object.entries(environment);
  const late = variables.filter(([name]) => isLate.test(name)).map(([name, value]) => `${name}=${value}`);
  return { early: Object.fromEntries(variables.filter(([name]) => !isLate.test(name))), late };
}

function startNode(start: Start, endTree: readonly [string, ...string[]]): Supervisor {
  const supervisor = spawn(process.execPath, [locateSupervisor()], {
    // Windows adds what Node needs; settings for Node are those of the program.
    env: {},
    stdio: [start.input, 'pipe', 'pipe', 'pipe'],
    // Otherwise Windows ends it with bae, before it can end the program.
    detached: true,
    windowsHide: true,
  });
  const pipe = supervisor.stdio[3] as Duplex;
  pipe.on('error', () => undefined);
  const { launch, folder, environment, mergesErrors } = start;
  const program: SupervisedProgram = { ...launch, folder, environment, mergesErrors, endTree };
  pipe.write(`${JSON.stringify(program)}\n`);
  // Its end of the pipe closes, as at the end of bae.
  return { process: supervisor, end: () => void pipe.destroy() };
}

function locateSupervisor(): string {
  const file = import.meta.url.endsWith('.ts') ? './supervisor-worker.ts' : './supervisor-worker.js';
  return fileURLToPath(new URL(file, import.meta.url));
}

/** How a program is started within limits. */
export interface Entrance {
  /** Words before the command of the first process within the limits. */
  readonly command: readonly string[];
  /** Beginning of the shell script of that process, and its arguments. */
  readonly script: string;
  readonly args: readonly string[];
  /** Words before the program, which then has no rights to change its limits. The first process keeps them. */
  readonly drop: readonly string[];
  /** Descriptors from 5 on of the process that enters: a table of mounts, and namespaces. */
  readonly descriptors: readonly number[];
  /** Absolute path of `env`, which sets variables within the limits. */
  readonly env: string;
  /** Releases what the start needed; called once the process has started. */
  dispose(): void;
}

/** Limits that a program can be started within. */
export interface ProgramLimits {
  /**
   * Prepares the start of a program in a folder; undefined if there are no limits.
   *
   * @param network true if it may use the network of this machine
   */
  enter(folder: string, network?: boolean): Promise<Entrance | undefined>;
}
