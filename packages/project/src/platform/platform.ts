import type { PlatformPath } from 'node:path';

/** Environment variables. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** A program: the path that is started, and the file that it resolves to. */
export interface FoundProgram {
  /** Absolute. */
  readonly path: string;
  readonly realPath: string;
  /** What is started in its place; undefined for a program that starts by itself. */
  readonly instead?: ShimTarget | undefined;
}

/** What a shim of a package manager starts. */
export interface ShimTarget {
  /** Absolute path of the program, often Node. */
  readonly program: string;
  /** Arguments before those of the call: options, and the script. */
  readonly args: readonly string[];
  /** Absolute path of the script or, of a program without one, of the program. */
  readonly script: string;
  readonly variables: Variables;
}

/** A program with its arguments, as the system starts it. */
export interface Launch {
  /** Absolute path. */
  readonly file: string;
  readonly args: readonly string[];
  /** Variables that are set for it. */
  readonly variables: Variables;
  /** True if the arguments are already quoted for the command line of Windows. */
  readonly isQuoted: boolean;
}

/** A shell, and how it is given a text to run. */
export interface Shell {
  /** Name for people and rules: `sh` or `cmd`. */
  readonly name: 'sh' | 'cmd';
  readonly program: FoundProgram;
  /** Options before the text. */
  readonly options: readonly string[];
}

/**
 * Method by which all processes that a program has started are ended with it: no process can leave a `namespace`, not
 * even a daemon with its own session, which would survive in a process `group`; from a `tree`, a process is lost whose
 * parent has ended.
 */
export type Isolation =
  | { readonly type: 'group' }
  /** Command that creates a namespace and runs its arguments as a command there. */
  | { readonly type: 'namespace'; readonly command: readonly [string, ...string[]] }
  /** Command that ends a process, whose number is its last argument, and all below it. */
  | { readonly type: 'tree'; readonly command: readonly [string, ...string[]] };

/** Finds a program by its name or path; see `findProgram`. */
export type Find = (name: string) => Promise<FoundProgram | undefined>;

/** What differs between systems when programs are found, started and ended. */
export interface Platform {
  /** Functions for paths on its disks. */
  readonly path: PlatformPath;
  /** Environment variables of bae. */
  readonly variables: Variables;
  /** True if commands are written as on Windows: paths with backslashes, names of variables in any case. */
  readonly isWindows: boolean;
  /** Matches the variables that every program needs. */
  readonly basics: RegExp;
  /** Variables for programs that are not scripts of the project. */
  readonly protection: Variables;
  /** PATH if none is set. */
  readonly defaultPath: string;
  /** Tests whether a program is named by a path instead of a name that is looked up. */
  isPath(name: string): boolean;
  /** Lists the files that a path of a program can mean, in the order of trying. */
  listFiles(path: string): readonly string[];
  /** Lists the names under which a program is known, from a path or name. */
  listNames(path: string): readonly string[];
  /** Finds out what a program starts if it is a shim of a package manager. */
  readShim(path: string, find: Find): Promise<ShimTarget | undefined>;
  /** Explains why an argument cannot be handed to a program; undefined if all can. */
  explainUnsafe(program: FoundProgram, args: readonly string[]): string | undefined;
  /** Decides how a program is started. @throws Error for an argument that cannot be handed to it */
  prepare(program: FoundProgram, args: readonly string[]): Launch;
  findShell(find: Find): Promise<Shell | undefined>;
  /** Decides how a shell is started with a text. */
  prepareShell(shell: Shell, text: string): Launch;
  /** Finds out how everything that a program started is ended with it. */
  findIsolation(find: Find): Promise<Isolation>;
}

/** Returns a variable of bae. */
export function getSystemVariable({ variables, isWindows }: Platform, name: string): string | undefined {
  if (!isWindows || variables[name] !== undefined) return variables[name];
  const found = Object.keys(variables).find((one) => one.toUpperCase() === name.toUpperCase());
  return found === undefined ? undefined : variables[found];
}

/** Joins variables; of those with the same name, the last one counts. */
export function mergeVariables({ isWindows }: Platform, ...parts: readonly Variables[]): Record<string, string> {
  const merged = new Map<string, readonly [string, string]>();
  for (const [name, value] of parts.flatMap((part) => Object.entries(part))) {
    if (value !== undefined) merged.set(isWindows ? name.toUpperCase() : name, [name, value]);
  }
  return Object.fromEntries(merged.values());
}
