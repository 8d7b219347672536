import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { WorkspaceRoot } from '@bae/workspace';

/** A script or target that a project defines. */
export interface Script {
  readonly name: string;
  /** Commands that it runs, as written in the file, including those before and after it. */
  readonly steps: readonly ScriptStep[];
  /** The command line that is all it runs; absent if it runs more, or if that is not certain. */
  readonly line?: string;
  /** The commands that it runs one after the other and that can run alone, as written: `xo` and `ava` of `xo && ava`. */
  readonly parts?: readonly string[];
  /** Names of other scripts that it runs by a pattern, such as `test:*`. */
  readonly matched?: readonly string[];
  /** For a script that cannot run without that package manager, names of the scripts that it calls and npm runs. */
  readonly called?: readonly string[];
  /** For a check, names of others that it runs itself, and that do not run alone therefore. */
  readonly covers?: readonly string[];
  readonly file: string;
  /** Hash that changes with any script in the file, because one script may run another, and with the settings. */
  readonly fingerprint: string;
  /** Program and its arguments; the arguments of the script are appended. */
  readonly command: readonly [string, ...string[]];
  /** Path of a folder, relative to the root, that is added to `PYTHONPATH` for all programs that it starts. */
  readonly pythonPath?: string;
  /** False if what follows its name is not given to it but names others. */
  readonly takesWords?: false;
  /** Settings of the package manager that make it run more than the steps. */
  readonly settings?: readonly string[];
  /** Package manager of the project that is not installed; npm runs the script if that is its program. */
  readonly missing?: string;
}

/** A part of a script. */
export interface ScriptStep {
  readonly name: string;
  readonly text: string;
}

/** Returns a text that changes with what a file says. */
export function makeFingerprint(file: string, text: string): string {
  return createHash('sha256').update(`${file}\0${text}`).digest('hex').slice(0, 16);
}

/** Lists the absolute paths of folders in which scripts of a folder find the programs of packages, the nearest first. */
export function listPackagePrograms({ folder: base }: WorkspaceRoot, folder: string): readonly string[] {
  const parts = folder.split('/').filter((part) => part !== '');
  const ways = [...parts.keys(), parts.length].map((end) => parts.slice(0, end)).toReversed();
  return ways.map((way) => join(base, ...way, 'node_modules', '.bin'));
}
