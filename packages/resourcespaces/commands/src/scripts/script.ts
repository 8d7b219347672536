import { createHash } from 'node:crypto';

/** A script or target that a project defines. */
export interface Script {
  readonly name: string;
  /** Commands that it runs, as written in the file, including those before and after it. */
  readonly steps: readonly ScriptStep[];
  /** The command line that is all it runs; absent if it runs more, or if that is not certain. */
  readonly line?: string;
  readonly file: string;
  /** Hash that changes with any script in the file, because one script may run another, and with the settings. */
  readonly fingerprint: string;
  /** Program and its arguments; the arguments of the script are appended. */
  readonly command: readonly [string, ...string[]];
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
