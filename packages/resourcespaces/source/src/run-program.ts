import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Program {
  /** Name or path of the program; found on the PATH. */
  readonly command: string;
  readonly args: readonly string[];
  /** Absolute path of the folder it runs in. */
  readonly folder: string;
  /** Added to the environment of this process; undefined leaves a variable as it is there. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** True for code that needs no secrets of the user: variables that are named like them are left out. */
  readonly withoutSecrets?: boolean;
}

/** How a program ended. */
export interface ProgramResult {
  readonly code: number | null;
  /** Standard output and standard error; only the last part if they are very long. */
  readonly output: string;
  readonly errors: string;
}

/** Characters that are kept of each stream. */
const LONGEST_OUTPUT = 8 * 1024 * 1024;

/**
 * Runs a program, without a shell, and waits for its end. When the signal fires the program is killed with
 * everything that it started.
 *
 * @throws the signal's reason; the system's error, such as ENOENT, when the program cannot be started
 */
export async function runProgram(program: Program, signal: AbortSignal): Promise<ProgramResult> {
  signal.throwIfAborted();
  const child = spawn(program.command, program.args, {
    cwd: program.folder,
    env: createEnvironment(program),
    stdio: ['ignore', 'pipe', 'pipe'],
    // Makes a process group that can be killed as a whole.
    detached: true,
  });
  const kill = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // Nothing of the group is left.
    }
  };
  signal.addEventListener('abort', kill, { once: true });
  const output = collectOutput(child.stdout);
  const errors = collectOutput(child.stderr);
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    signal.throwIfAborted();
    return { code, output: output(), errors: errors() };
  } finally {
    signal.removeEventListener('abort', kill);
    // Ends what it left running in the background.
    kill();
  }
}

/** The environment of a program: without colours and questions, unless it is given otherwise. */
function createEnvironment({ environment: given = {}, withoutSecrets = false }: Program): NodeJS.ProcessEnv {
  const inherited = inheritEnvironment(withoutSecrets);
  const changes = Object.entries({ NO_COLOR: '1', FORCE_COLOR: '0', CI: '1', ...given });
  return Object.fromEntries([
    ...Object.entries(inherited),
    ...changes.map(([name, value]) => [name, value ?? inherited[name]]),
  ]);
}

const MODEL_KEY = /API_?KEY$/i;
const SECRET =
  /(?:^|_)(?:TOKEN|SECRETS?|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|(?:PRIVATE|ACCESS|ACCOUNT|SIGNING)_?KEY(?:_ID)?)(?:_|$)|API_?KEY/i;

/** The environment without API keys of models, which no program of the project needs, and perhaps without other secrets. */
function inheritEnvironment(withoutSecrets: boolean): NodeJS.ProcessEnv {
  const isLeftOut = (name: string) => MODEL_KEY.test(name) || (withoutSecrets && SECRET.test(name));
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !isLeftOut(name)));
}

function collectOutput(stream: NodeJS.ReadableStream): () => string {
  let text = '';
  stream.setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    text = (text + chunk).slice(-LONGEST_OUTPUT);
  });
  return () => text;
}
