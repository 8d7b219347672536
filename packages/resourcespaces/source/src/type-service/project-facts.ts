import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { ModuleFiles } from './module-files.ts';
import { TypeServiceError } from './language-protocol.ts';

/** Returns the version of the TypeScript compiler that is installed with this package. */
export function getCompilerVersion(): string {
  return (createRequire(import.meta.url)('typescript/package.json') as { readonly version: string }).version;
}

/**
 * Returns the path of that compiler, a native program; throws a TypeServiceError when there is none for this machine.
 */
export function findCompiler(): string {
  const { platform, arch } = process;
  const name = `@typescript/typescript-${platform}-${arch}/package.json`;
  try {
    const typescript = createRequire(import.meta.url).resolve('typescript/package.json');
    const folder = dirname(createRequire(typescript).resolve(name));
    return join(folder, 'lib', platform === 'win32' ? 'tsc.exe' : 'tsc');
  } catch (cause) {
    const message = `no TypeScript compiler is installed for ${platform} on ${arch}`;
    throw new TypeServiceError('not-installed', message, { cause });
  }
}

const VARIABLES = ['HOME', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'USERPROFILE'];

/**
 * Creates the environment of the compiler: no secrets, and no PATH, so that it cannot start other programs such as npm.
 */
export function makeEnvironment(): NodeJS.ProcessEnv {
  const variables = VARIABLES.map((name) => [name, process.env[name]]).filter(([, value]) => value !== undefined);
  return { ...(Object.fromEntries(variables) as NodeJS.ProcessEnv), PATH: '' };
}

const SETTINGS = ['tsconfig.json', 'jsconfig.json'];

/** Tests whether settings may apply to a file: there are some in its folder or above, wherever the compiler looks. */
export async function mayHaveSettings(file: string): Promise<boolean> {
  const folder = dirname(file);
  const here = SETTINGS.map((name) =>
    access(join(folder, name)).then(
      () => true,
      () => false,
    ),
  );
  return (await Promise.all(here)).includes(true) || (folder !== file && mayHaveSettings(folder));
}

/** An error in a settings file (an absolute path); without a line when it concerns the whole file. */
export interface ProjectProblem {
  readonly file: string;
  readonly line?: number;
  readonly code: number;
  readonly message: string;
}

/** The files of a project, and the errors in its settings. */
export interface ProjectFacts {
  readonly files: readonly string[];
  readonly problems: readonly ProjectProblem[];
}

const LONGEST_OUTPUT = 64 * 1024 * 1024;

/** Lists the files of the project of a tsconfig.json, and the errors in its settings, without checking types. */
export async function readProjectFacts(config: string, signal: AbortSignal): Promise<ProjectFacts> {
  const args = ['-p', config, '--listFilesOnly', '--pretty', 'false'];
  const options = { cwd: dirname(config), env: makeEnvironment(), signal, maxBuffer: LONGEST_OUTPUT };
  const output = await promisify(execFile)(findCompiler(), args, options).catch((error: unknown) => {
    signal.throwIfAborted();
    // If the settings have errors, the compiler fails after it has listed the files.
    return error as { readonly stdout: string };
  });
  return parseProjectFacts(output.stdout, config);
}

/** Parses the output of `tsc --listFilesOnly`. */
export function parseProjectFacts(output: string, config: string): ProjectFacts {
  const files: string[] = [];
  const problems: ProjectProblem[] = [];
  for (const line of output.split(/\r?\n/)) {
    const problem = parseSettingsProblem(line, config);
    const last = problems.at(-1);
    if (problem !== undefined) problems.push(problem);
    else if (/^\s/.test(line) && last) problems.splice(-1, 1, { ...last, message: `${last.message} ${line.trim()}` });
    else if (isSourcePath(line)) files.push(line);
  }
  return { files, problems };
}

function parseSettingsProblem(text: string, config: string): ProjectProblem | undefined {
  const [, place, line, code, message] = /^(?:(.+?)\((\d+),\d+\): )?error TS(\d+): (.*)$/.exec(text) ?? [];
  if (code === undefined || message === undefined) return undefined;
  const file = place === undefined ? config : resolve(dirname(config), place);
  return { file, ...(line === undefined ? {} : { line: Number(line) }), code: Number(code), message };
}

/** Returns true for a source file of the project itself: neither installed nor a declaration file. */
export function isSourcePath(path: string): boolean {
  return path !== '' && !/[\\/]node_modules[\\/]/.test(path) && !/\.d\.[cm]?ts$/.test(path);
}

/**
 * Lists the projects that a tsconfig.json references, directly or not: the compiler sees their sources, not their build
 * output.
 */
export async function listReferencedProjects(config: string, files: ModuleFiles): Promise<ReadonlySet<string>> {
  const { parse } = await import('jsonc-parser');
  const found = new Set<string>();
  const queue = [config];
  for (const one of queue) {
    const { references } = (parse((await files.read(one)) ?? '') ?? {}) as { readonly references?: unknown };
    for (const reference of Array.isArray(references) ? (references as readonly unknown[]) : []) {
      const { path } = (reference ?? {}) as { readonly path?: unknown };
      if (typeof path !== 'string') continue;
      const referenced = resolve(dirname(one), path.endsWith('.json') ? path : `${path}/tsconfig.json`);
      if (!found.has(referenced)) queue.push(referenced);
      found.add(referenced);
    }
  }
  return found;
}
