import { constants } from 'node:fs';
import { access, realpath, stat } from 'node:fs/promises';
import { listProgramFolders } from './environment.ts';
import type { Find, FoundProgram, Isolation, Launch, Platform, Shell } from './platform/platform.ts';
import { getPlatform } from './platform/this-platform.ts';

/** Where a program is looked up. */
export interface ProgramPlace {
  /** Absolute path of the folder that relative paths start at. */
  readonly folder: string;
  /** Absolute path of the project, in which programs are not looked up by name. Default: the folder. */
  readonly project?: string;
  /** Rules of the system. Default: those of this one. */
  readonly platform?: Platform;
}

/**
 * Finds a program: a path is resolved relative to the folder, and a name is looked up in the PATH, ignoring folders
 * that are relative or in the project. On Windows, endings such as `.exe` are tried. Returns undefined if no file is
 * found that can be started.
 */
export async function findProgram(name: string, place: ProgramPlace): Promise<FoundProgram | undefined> {
  const { folder, project = folder, platform = getPlatform() } = place;
  const { path } = platform;
  const wanted = platform.isPath(name)
    ? [path.resolve(folder, name)]
    : listProgramFolders(project, platform).map((one) => path.join(one, name));
  for (const file of wanted.flatMap((one) => platform.listFiles(one))) {
    try {
      await access(file, constants.X_OK);
      if (!(await stat(file)).isFile()) continue;
    } catch {
      // Try the next one.
      continue;
    }
    const instead = await platform.readShim(file, createFinder({ folder, project, platform }));
    return { path: file, realPath: await realpath(file), ...(instead && { instead }) };
  }
  return undefined;
}

/** Finds the shell of the system: `sh`, or `cmd.exe` on a Windows that has none. */
export function findShell(place: ProgramPlace): Promise<Shell | undefined> {
  return (place.platform ?? getPlatform()).findShell(createFinder(place));
}

/** Decides how a shell is started with a text that it runs. */
export function prepareShell(shell: Shell, text: string, platform: Platform = getPlatform()): Launch {
  return platform.prepareShell(shell, text);
}

/**
 * Decides how a program is started with its arguments, without a shell that would read them.
 *
 * @throws Error if an argument cannot be handed to a batch file of Windows
 */
export function prepareProgram(program: FoundProgram, args: readonly string[], platform = getPlatform()): Launch {
  return platform.prepare(program, args);
}

let isolation: Promise<Isolation> | undefined;

/** Returns the isolation that this machine supports, which is tested once. */
export function findIsolation(): Promise<Isolation> {
  return (isolation ??= getPlatform().findIsolation(createFinder({ folder: process.cwd() })));
}

function createFinder(place: ProgramPlace): Find {
  return (name) => findProgram(name, place);
}
