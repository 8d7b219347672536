import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { badPattern } from './check-pattern.ts';
import { FileError } from './errors/file-error.ts';

/** One run of ripgrep. */
export interface RipgrepRun {
  /** Absolute path of the program. */
  readonly program: string;
  /** Folder that the paths start from. */
  readonly root: string;
  readonly pattern: string;
  /** Options besides those that every search has. */
  readonly options: readonly string[];
  /** What to search, each beginning with `./`. */
  readonly paths: readonly string[];
  readonly signal?: AbortSignal | undefined;
  /** Gets every record of the JSON output; an over-long one as undefined. */
  readonly onRecord: (record: string | undefined) => void;
}

// Nothing outside the workspace's own .gitignore files decides what is searched.
const ALWAYS = [
  '--no-config',
  '--json',
  '--no-messages',
  '--no-follow',
  '--hidden',
  '--no-require-git',
  '--no-ignore-global',
  '--no-ignore-dot',
  '--no-ignore-exclude',
  '--crlf',
];
const LONGEST_RECORD = 8 * 1024 * 1024;

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
  const child = spawn(run.program, args, { cwd: run.root, env: {}, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const kill = (): void => killGroup(child.pid);
  run.signal?.addEventListener('abort', kill, { once: true });
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint = (complaint + text).slice(0, 10_000)));
  child.stdout.setEncoding('utf8').on('data', recordSplitter(run.onRecord));
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.on('error', reject).on('close', resolve);
    });
    run.signal?.throwIfAborted();
    // 2 also means that some file could not be read; then there is no complaint, and the rest counts.
    if (code !== 0 && code !== 1 && complaint !== '') throw complaintError(complaint, run.pattern);
    if (code === null) throw new FileError('the search was stopped from outside. Try it again.', [`<Grep:TODO>`]);
  } finally {
    run.signal?.removeEventListener('abort', kill);
  }
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

/** Cuts output into lines; of a line that is too long only the fact is passed on. */
function recordSplitter(onRecord: RipgrepRun['onRecord']): (text: string) => void {
  let pending = '';
  let tooLong = false;
  return (text) => {
    let start = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      onRecord(tooLong ? undefined : pending + text.slice(start, end));
      pending = '';
      tooLong = false;
      start = end + 1;
    }
    if (tooLong) return;
    pending += text.slice(start);
    tooLong = pending.length > LONGEST_RECORD;
    if (tooLong) pending = '';
  };
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
