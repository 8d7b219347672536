import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { FileError } from '../errors.ts';
import { createPatternError } from './check-pattern.ts';

/** Settings shared by all runs of ripgrep for one search. */
export interface Ripgrep {
  readonly program: string;
  readonly root: string;
  readonly pattern: string;
  readonly signal?: AbortSignal | undefined;
}

export interface RipgrepRun {
  /** Options in addition to those of every search. */
  readonly options: readonly string[];
  /** Paths to search, each starting with `./`; `-` for the input. */
  readonly paths: readonly string[];
  /** Input to search, which is only read as far as needed. Default: nothing. */
  readonly input?: AsyncIterable<Uint8Array> | undefined;
  readonly onOutput: (bytes: Buffer) => void;
  /** Receives the output of the option `--debug`, line by line. */
  readonly onDebug?: (line: string) => void;
}

// Only the .gitignore files of the workspace decide which files are searched, and the memory for a regular expression
// is limited.
const ALWAYS = [
  '--no-config',
  '--no-messages',
  '--no-follow',
  '--hidden',
  '--no-require-git',
  '--no-ignore-global',
  '--no-ignore-parent',
  '--no-ignore-dot',
  '--no-ignore-exclude',
  '--crlf',
  '--no-mmap',
  '--path-separator=/',
  '--regex-size-limit=10M',
  '--dfa-size-limit=100M',
];

/**
 * Finds the program; undefined when it is missing.
 *
 * @param path null to use no program. Default: the packaged program, which not every platform has
 */
export async function findRipgrep(path?: string | null): Promise<string | undefined> {
  try {
    const program = path === undefined ? (await import('@vscode/ripgrep')).rgPath : path;
    return program !== null && existsSync(program) ? program : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Runs ripgrep until it ends. When the signal aborts, ripgrep is killed with all its child processes.
 *
 * @throws PatternError when it does not accept the pattern; the signal's reason when aborted
 */
export async function runRipgrep({ program, root, pattern, signal }: Ripgrep, run: RipgrepRun): Promise<void> {
  signal?.throwIfAborted();
  const args = [...ALWAYS, ...run.options, '-e', pattern, '--', ...run.paths];
  // Without an environment, it does not find a configuration file or a global ignore list.
  const child = spawn(program, args, { cwd: root, env: {}, detached: true, stdio: ['pipe', 'pipe', 'pipe'] });
  const kill = (): void => killRipgrep(child.pid);
  signal?.addEventListener('abort', kill, { once: true });
  const errors = new ErrorOutput(run.onDebug);
  child.stderr.setEncoding('utf8').on('data', (text: string) => errors.add(text));
  child.stdout.on('data', run.onOutput);
  try {
    const ended = new Promise<number | null>((resolve, reject) => {
      child.on('error', reject).on('close', resolve);
    });
    // The program may stop reading the input.
    const feed = pipeline(run.input ?? Readable.from([]), child.stdin).catch(() => undefined);
    const [code] = await Promise.all([ended, feed]);
    signal?.throwIfAborted();
    // Exit code 2 also means that some file could not be read; then there is no error output, and the other results are
    // valid.
    if (code !== 0 && code !== 1 && errors.text !== '') throw parseError(errors.text, pattern);
    if (code === null) throw new FileError('the search was stopped from outside. Try it again.', [`<Grep:TODO>`]);
  } finally {
    signal?.removeEventListener('abort', kill);
  }
}

function killRipgrep(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // The process has already ended.
  }
}

/** Separates errors from lines of `--debug`. */
class ErrorOutput {
  readonly #onDebug: RipgrepRun['onDebug'];
  #pending = '';
  text = '';

  constructor(onDebug: RipgrepRun['onDebug']) {
    this.#onDebug = onDebug;
  }

  add(text: string): void {
    const lines = (this.#pending + text).split('\n');
    this.#pending = lines.pop() ?? '';
    for (const line of lines) {
      if (line.startsWith('rg: DEBUG|')) this.#onDebug?.(line);
      else if (this.text.length < 10_000) this.text += `${line}\n`;
    }
  }
}

/** Reads the position from ripgrep's output: the pattern, and a caret under the fault. */
function parseError(output: string, pattern: string): Error {
  const lines = output.split('\n');
  const reason = /^(?:error|rg): (?!regex parse error)(.*)$/m.exec(output)?.[1] ?? 'ripgrep does not accept it';
  const drawn = lines.findIndex((line) => line.endsWith('regex parse error:')) + 1;
  if (drawn === 0) return createPatternError(pattern, reason, undefined);
  // The pattern is indented by four characters, and may be wrapped in a group.
  const shift = lines[drawn] === `    (?:${pattern})` ? 7 : 4;
  const at = (lines[drawn + 1] ?? '').indexOf('^') - shift;
  return createPatternError(pattern, reason, at < 0 ? undefined : at);
}
