import { listProgramFolders } from './environment.ts';
import { findProgram, type ProgramPlace } from './find-program.ts';
import type { Platform } from './platform/platform.ts';
import { getPlatform } from './platform/this-platform.ts';
import { runProgram } from './running-program.ts';

/** The Node that runs the scripts of a package, as a package manager would start them. */
export interface ScriptNode {
  /** Absolute path of the program. */
  readonly program: string;
  /** The PATH of scripts: what the project has installed comes first. */
  readonly path: string;
  /** What other than the `node` of the PATH runs them, as a sentence; `''` if nothing does. */
  readonly difference: string;
}

/**
 * Finds the Node of the scripts of a package: one that the project installs, then the first of the PATH, then the one
 * that runs bae.
 *
 * @param signal ends the question for the version of one that the project installs
 */
export async function findScriptNode(place: ProgramPlace, signal: AbortSignal): Promise<ScriptNode> {
  const { folder, project = folder, platform = getPlatform() } = place;
  const installed = listInstalledPrograms(folder, project, platform);
  // What started bae, such as npx or a script, has put its own packages on the PATH.
  const shared = listProgramFolders(project, platform).filter((one) => !isOfPackages(one, platform));
  const find = (folders: readonly string[]) => findFirst(folders, { folder, project, platform });
  const [own, usual] = await Promise.all([find(installed), find(shared)]);
  const path = [...installed, ...shared].join(platform.path.delimiter);
  if (own !== undefined) {
    const [version, other] = await Promise.all(
      [own, usual].map((program) => askVersion(program, { folder, project }, signal)),
    );
    const difference = version === other ? '' : `Run by Node ${version ?? ''} of the project, not by that of the PATH.`;
    return { program: own, path, difference };
  }
  if (usual !== undefined) return { program: usual, path, difference: '' };
  const { execPath, versions } = process;
  return {
    program: execPath,
    path: [path, platform.path.dirname(execPath)].join(platform.path.delimiter),
    difference: `Run by Node ${versions.node} of bae: the PATH has none.`,
  };
}

/** Returns the version of the first Node in the folders of a PATH, such as `24.1.0`; undefined if there is none. */
export async function askFirstNode(
  path: string,
  { folder, project = folder, platform = getPlatform() }: ProgramPlace,
  signal: AbortSignal,
): Promise<string | undefined> {
  const program = await findFirst(path.split(platform.path.delimiter), { folder, project, platform });
  return askVersion(program, { folder, project }, signal);
}

/** Lists the folders for programs of packages that a script finds, from that of its package to that of the project. */
function listInstalledPrograms(folder: string, project: string, { path }: Platform): readonly string[] {
  const steps = path
    .relative(project, folder)
    .split(path.sep)
    .filter((step) => step !== '');
  return Array.from({ length: steps.length + 1 }, (_, index) =>
    path.join(project, ...steps.slice(0, steps.length - index), 'node_modules', '.bin'),
  );
}

function isOfPackages(folder: string, { path }: Platform): boolean {
  return path.basename(folder) === '.bin' && path.basename(path.dirname(folder)) === 'node_modules';
}

async function findFirst(folders: readonly string[], place: ProgramPlace & { platform: Platform }) {
  for (const folder of folders) {
    const found = await findProgram(place.platform.path.join(folder, 'node'), place);
    if (found !== undefined) return found.path;
  }
  return undefined;
}

interface VersionPlace {
  readonly folder: string;
  readonly project: string;
}

async function askVersion(command: string | undefined, place: VersionPlace, signal: AbortSignal) {
  if (command === undefined) return undefined;
  const { output } = await runProgram({ ...place, command, args: ['--version'] }, signal);
  return /^v(\d\S*)/.exec(output)?.[1];
}
