import { execFile } from 'node:child_process';
import { dirname, resolve } from 'node:path';
import { compilerEnvironment } from './compiler-environment.ts';
import { compilerPath } from './compiler-path.ts';

/** Something wrong with the settings of a project. */
export interface ProjectProblem {
  /** Absolute path of the settings file that has to be mended. */
  readonly file: string;
  /** From 1; undefined when it is not about one line. */
  readonly line?: number;
  readonly code: number;
  readonly message: string;
}

/** What a project is made of. */
export interface ProjectFacts {
  /** Absolute paths of the files that belong to the project, what is installed or built left out. */
  readonly files: readonly string[];
  /** Why the project is not checked as its settings want it. */
  readonly problems: readonly ProjectProblem[];
}

const LONGEST_OUTPUT = 64 * 1024 * 1024;

/**
 * Asks the compiler what belongs to a project; nothing is checked for that.
 *
 * @param config absolute path of its tsconfig.json
 */
export async function readProjectFacts(config: string, signal: AbortSignal): Promise<ProjectFacts> {
  const folder = dirname(config);
  const args = ['-p', config, '--listFilesOnly', '--pretty', 'false'];
  const options = { cwd: folder, env: compilerEnvironment(), signal, maxBuffer: LONGEST_OUTPUT };
  const { promise, resolve: done, reject } = Promise.withResolvers<string>();
  execFile(compilerPath(), args, options, (_, stdout) => {
    // With problems in the settings it lists the files all the same, and ends with a code.
    if (signal.aborted) reject(signal.reason as Error);
    else done(stdout);
  });
  return parseProjectFacts(await promise, config);
}

/** Reads the output of `tsc --listFilesOnly`. */
export function parseProjectFacts(output: string, config: string): ProjectFacts {
  const files: string[] = [];
  const problems: ProjectProblem[] = [];
  for (const line of output.split(/\r?\n/)) {
    const problem = parseProblem(line, config);
    const last = problems.at(-1);
    if (problem !== undefined) problems.push(problem);
    else if (/^\s/.test(line) && last !== undefined) problems.push(continued(problems.pop() ?? last, line));
    else if (isOwn(line)) files.push(line);
  }
  return { files, problems };
}

function parseProblem(text: string, config: string): ProjectProblem | undefined {
  const [, place, line, code, message] = /^(?:(.+?)\((\d+),\d+\): )?error TS(\d+): (.*)$/.exec(text) ?? [];
  if (code === undefined || message === undefined) return undefined;
  const file = place === undefined ? config : resolve(dirname(config), place);
  return { file, ...(line === undefined ? {} : { line: Number(line) }), code: Number(code), message };
}

function continued(problem: ProjectProblem, line: string): ProjectProblem {
  return { ...problem, message: `${problem.message} ${line.trim()}` };
}

function isOwn(path: string): boolean {
  return path !== '' && !/[\\/]node_modules[\\/]/.test(path) && !/\.d\.[cm]?ts$/.test(path);
}
