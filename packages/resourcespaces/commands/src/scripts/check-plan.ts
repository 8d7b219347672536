import { createHash } from 'node:crypto';
import { ConflictError, type ToolContext } from '@bae/core';
import { readState, type WorkspaceRoot } from '@bae/workspace';
import { countPrograms, type ProgramWatch, type WatchedRun } from '../changed-files.ts';
import type { CheckRun } from './first-runs.ts';
import type { Script } from './script.ts';

/** What a shell does besides running one command after the other until one fails. */
const OTHER_SYNTAX = /[;|`$<>()\n]|(?<!&)&(?!&)/;

/** Matches a command that runs another script of the same package, without arguments for it. */
const CALL =
  /^(?:npm|pnpm|yarn|bun)(?:\s+(?:-s|--silent))*(?:\s+run(?:-script)?)?(?:\s+(?:-s|--silent))*\s+(?<one>[\w:.-]+)$|^(?:run-[sp]|npm-run-all2?)(?<several>(?:\s+[\w:.-]+)+)$/;

/**
 * Leaves out the checks that another one runs as well, where `test` begins with `npm run lint`: they would run twice.
 * The others name what they cover.
 *
 * @param all the scripts of their file
 * @param able those that can run: no other covers a check
 */
export function leaveOutCovered(
  checks: readonly Script[],
  { all, able }: { readonly all: readonly Script[]; readonly able: readonly Script[] },
): readonly Script[] {
  const calls = new Map(checks.map((check) => [check, able.includes(check) ? listCalled(check, all) : new Set()]));
  // Of two that run each other, both stay.
  const covers = (outer: Script, inner: Script): boolean =>
    outer !== inner && calls.get(outer)!.has(inner.name) && !calls.get(inner)!.has(outer.name);
  return checks
    .filter((check) => !checks.some((other) => covers(other, check)))
    .map((check) => {
      const covered = checks.filter((other) => covers(check, other)).map(({ name }) => name);
      return covered.length === 0 ? check : { ...check, covers: covered };
    });
}

/** Lists the names of the scripts that a script runs in any case before it can succeed, through others too. */
function listCalled(script: Script, all: readonly Script[], known = new Set<string>()): ReadonlySet<string> {
  for (const { text } of script.steps) {
    if (OTHER_SYNTAX.test(text)) continue;
    const names = text.split('&&').flatMap((command) => {
      const { one, several } = CALL.exec(command.trim())?.groups ?? {};
      return one === undefined ? (several?.trim().split(/\s+/) ?? []) : [one];
    });
    for (const name of names) {
      const called = all.find((other) => other.name === name && other.file === script.file);
      if (called === undefined || name === script.name || known.has(name)) continue;
      known.add(name);
      listCalled(called, all, known);
    }
  }
  return known;
}

/** Names of scripts that repair what a formatter or linter finds, by that of its check without the word for checking. */
const FIXES: readonly ((name: string) => string)[] = [
  (name) => `${name}:fix`,
  (name) => `fix:${name}`,
  (name) => `${name}-fix`,
  (name) => `${name}:write`,
  (name) => name,
  () => 'fix',
];

/** Finds the script that repairs what a check finds; undefined if none is named for that. */
export function findFix(check: Script, all: readonly Script[]): string | undefined {
  const name = check.name.replace(/^check[:-]?(?=.)|[:-]?check$/, '');
  if (!/^(?:format|fmt|prettier|lint|eslint)$/.test(name)) return undefined;
  const names = FIXES.map((make) => make(name)).filter((one) => one !== check.name);
  return names.find((one) => all.some((script) => script.name === one && script.file === check.file));
}

/** What package managers write when they install something, which no search finds. */
const INSTALLED = 'node_modules/{.package-lock.json,.modules.yaml,.yarn-integrity,.yarn-state.yml}';

interface ProjectState {
  /** Differs after a file of the project was changed, by whomever. */
  readonly files: string;
  /** Number of the programs that were started, which may have changed what no search finds. */
  readonly programs: number;
}

type Caller = Pick<ToolContext, 'session' | 'signal'>;

/** Checks that run. */
export interface TrackedWork<T> {
  /** Keys of checks that do not run, because they have passed. */
  readonly kept?: readonly string[];
  readonly work: () => Promise<T>;
  /** Reads the checks that ran as a whole from the result. */
  readonly read: (result: T) => readonly CheckRun[];
}

/** The checks of a session that passed, with the state of the project at that time. */
export class PassedChecks {
  readonly #states = new Map<string, ProjectState>();
  readonly #root: WorkspaceRoot;
  readonly #watch: ProgramWatch;

  constructor(root: WorkspaceRoot, watch: ProgramWatch) {
    this.#root = root;
    this.#watch = watch;
  }

  /**
   * Runs checks, and notes those that passed and left the project as it was. What is known of the files is what was
   * looked at for undo.
   *
   * @throws ConflictError if something has changed since one that is kept passed
   */
  async run<T>(caller: Caller, { kept = [], work, read }: TrackedWork<T>): Promise<WatchedRun<T>> {
    const programs = countPrograms(this.#root, caller.session.id);
    const installed = await this.#findInstalled(caller);
    const run = await this.#watch.run(caller, async (before) => {
      const now = toProjectState(programs, before, installed);
      if (!kept.every((key) => this.#hasPassed(key, now)))
        throw new ConflictError('files of the project have changed in the meantime.');
      return work();
    });
    const { before, after } = run.stamps;
    const then = toProjectState(programs, before, installed);
    const now =
      after && toProjectState(countPrograms(this.#root, caller.session.id), after, await this.#findInstalled(caller));
    for (const { key, code } of read(run.result)) {
      if (code === 0 && now !== undefined && then?.files === now.files) this.#states.set(key, now);
      else this.#states.delete(key);
    }
    return run;
  }

  /** Returns a test for the keys of checks that have passed, since when nothing was changed and no other program ran. */
  async find(caller: Caller): Promise<(key: string) => boolean> {
    const programs = countPrograms(this.#root, caller.session.id);
    if (this.#states.size === 0 || programs === undefined) return () => false;
    const files = await this.#root.stamps({ pattern: '**/*', signal: caller.signal });
    const now = toProjectState(programs, files, await this.#findInstalled(caller));
    return (key) => this.#hasPassed(key, now);
  }

  #hasPassed(key: string, now: ProjectState | undefined): boolean {
    const then = this.#states.get(key);
    return now !== undefined && then?.files === now.files && then.programs === now.programs;
  }

  async #findInstalled({ signal }: Caller): Promise<ReadonlyMap<string, string>> {
    // The folder may be a link that leads out of the workspace.
    const found = await this.#root.stamps({ pattern: INSTALLED, all: true, signal }).catch(() => new Map());
    signal.throwIfAborted();
    return found;
  }
}

/** Describes the state of a project; undefined while programs run. */
function toProjectState(
  programs: number | undefined,
  ...files: readonly ReadonlyMap<string, string>[]
): ProjectState | undefined {
  if (programs === undefined) return undefined;
  const states = files.flatMap((stamps) => Array.from(stamps, ([path, stamp]) => [path, readState(stamp)]));
  return { programs, files: createHash('sha256').update(JSON.stringify(states)).digest('hex') };
}
