import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { FileError } from '../errors.ts';
import { badPattern } from './check-pattern.ts';
import type { GrepJob } from './grep-query.ts';

/** One run of ripgrep. */
export interface RipgrepRun {
  /** Absolute path of the program. */
  readonly program: string;
  /** Folder that the paths start from. */
  readonly root: string;
  readonly pattern: string;
  /** Options besides those that every search has. */
  readonly options: readonly string[];
  /** What to search, each beginning with `./`; `-` for the input. */
  readonly paths: readonly string[];
  /** What to search as the input; taken only as far as it is asked for. Default: nothing. */
  readonly input?: AsyncIterable<Uint8Array> | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onOutput: (bytes: Buffer) => void;
  /** Gets what the option `--debug` makes it say, line by line. */
  readonly onRemark?: (line: string) => void;
}

// Nothing outside the workspace's own .gitignore files decides what is searched, and no expression, however
// large, takes more memory than a search is worth.
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
  '--regex-size-limit=10M',
  '--dfa-size-limit=100M',
];

/**
 * Where the program is; undefined when it is not there.
 *
 * @param path null for none at all. Default: the packaged program, which not every platform has
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
 * Runs ripgrep to its end. Killed, with everything it may have started, when the signal aborts.
 *
 * @throws PatternError when it does not accept the pattern; the signal's reason when aborted
 */
export async function runRipgrep(run: RipgrepRun): Promise<void> {
  run.signal?.throwIfAborted();
  const args = [...ALWAYS, ...run.options, '-e', run.pattern, '--', ...run.paths];
  // Without an environment there is no configuration file and no global ignore list to be found.
  const child = spawn(run.program, args, { cwd: run.root, env: {}, detached: true, stdio: 'pipe' });
  const kill = (): void => killGroup(child.pid);
  run.signal?.addEventListener('abort', kill, { once: true });
  const complaint = new Complaint(run.onRemark);
  child.stderr.setEncoding('utf8').on('data', (text: string) => complaint.add(text));
  child.stdout.on('data', run.onOutput);
  try {
    const ended = new Promise<number | null>((resolve, reject) => {
      child.on('error', reject).on('close', resolve);
    });
    const [code] = await Promise.all([ended, feed(child.stdin, run.input)]);
    run.signal?.throwIfAborted();
    // 2 also means that some file could not be read; then there is no complaint, and the rest counts.
    if (code !== 0 && code !== 1 && complaint.text !== '') throw complaintError(complaint.text, run.pattern);
    if (code === null) throw new FileError('the search was stopped from outside. Try it again.', [`<Grep:TODO>`]);
  } finally {
    run.signal?.removeEventListener('abort', kill);
  }
}

/** Hands the input over, until it ends or nobody wants more of it. */
async function feed(stdin: Writable, input: AsyncIterable<Uint8Array> = Readable.from([])): Promise<void> {
  await pipeline(input, stdin).catch(() => undefined);
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

/** What is wrong, taken apart from remarks by the way. */
class Complaint {
  readonly #onRemark: RipgrepRun['onRemark'];
  #pending = '';
  text = '';

  constructor(onRemark: RipgrepRun['onRemark']) {
    this.#onRemark = onRemark;
  }

  add(text: string): void {
    const lines = (this.#pending + text).split('\n');
    this.#pending = lines.pop() ?? '';
    for (const line of lines) {
      if (line.startsWith('rg: DEBUG|')) this.#onRemark?.(line);
      else if (this.text.length < 10_000) this.text += `${line}\n`;
    }
  }
}

/** Reads the position out of ripgrep's drawing: the pattern, and a caret under the fault. */
function complaintError(complaint: string, pattern: string): Error {
  const lines = complaint.split('\n');
  const reason = /^(?:error|rg): (?!regex parse error)(.*)$/m.exec(complaint)?.[1] ?? 'ripgrep does not accept it';
  const drawn = lines.findIndex((line) => line.endsWith('regex parse error:')) + 1;
  if (drawn === 0) return badPattern(pattern, reason, undefined);
  // Indented by four, and put into a group of its own.
  const shift = lines[drawn] === `    (?:${pattern})` ? 7 : 4;
  const at = (lines[drawn + 1] ?? '').indexOf('^') - shift;
  return badPattern(pattern, reason, at < 0 ? undefined : at);
}

/** ripgrep, ready for one search: what all its runs have in common is settled. */
export interface RipgrepEngine {
  readonly job: GrepJob;
  readonly program: string;
  /** Where it begins: the folder that is held, whatever has its name by then. */
  readonly root: string;
  readonly signal: AbortSignal | undefined;
}

/** Runs it once. */
export function runEngine(
  { job, program, root, signal }: RipgrepEngine,
  run: Omit<RipgrepRun, 'program' | 'root' | 'pattern' | 'signal'>,
): Promise<void> {
  return runRipgrep({ program, root, pattern: job.query.pattern, signal, ...run });
}
