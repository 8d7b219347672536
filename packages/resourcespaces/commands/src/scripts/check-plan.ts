import { createHash } from 'node:crypto';
import type { ToolContext } from '@bae/core';
import { readState, type WorkspaceRoot } from '@bae/workspace';
import { countPrograms } from '../changed-files.ts';
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

/** The checks of a session that passed, with the state of the project at that time. */
export class PassedChecks {
  readonly #states = new Map<string, ProjectState>();
  readonly #root: WorkspaceRoot;

  constructor(root: WorkspaceRoot) {
    this.#root = root;
  }

  /** Runs checks, and notes those that passed and left the project as it was. */
  async track<T>(caller: Caller, work: () => Promise<T>, read: (result: T) => readonly CheckRun[]): Promise<T> {
    const before = await this.#look(caller);
    const result = await work();
    const after = await this.#look(caller);
    for (const { key, code } of read(result)) {
      if (code === 0 && after !== undefined && before?.files === after.files) this.#states.set(key, after);
      else this.#states.delete(key);
    }
    return result;
  }

  /** Returns a test for the keys of checks that have passed, since when nothing was changed and no other program ran. */
  async find(caller: Caller): Promise<(key: string) => boolean> {
    const now = this.#states.size === 0 ? undefined : await this.#look(caller);
    return (key) => {
      const then = this.#states.get(key);
      return now !== undefined && then?.files === now.files && then.programs === now.programs;
    };
  }

  /** Returns the state of the project; undefined while programs run. */
  async #look({ session, signal }: Caller): Promise<ProjectState | undefined> {
    const programs = countPrograms(this.#root, session.id);
    if (programs === undefined) return undefined;
    const files = await this.#root.stamps({ pattern: '**/*', signal });
    // The folder may be a link that leads out of the workspace.
    const installed = await this.#root.stamps({ pattern: INSTALLED, all: true, signal }).catch(() => []);
    signal.throwIfAborted();
    const states = Array.from([...files, ...installed], ([path, stamp]) => [path, readState(stamp)]);
    const hash = createHash('sha256').update(JSON.stringify(states));
    return { programs, files: hash.digest('hex') };
  }
}
