import { join } from 'node:path';
import { ResourceError } from '@bae/core';
import type { WorkspaceRoot } from '@bae/workspace';
import { runProgram } from '../run-program.ts';
import type { Script } from './find-scripts.ts';

/** A run of a script that has ended. */
export interface ScriptRun {
  readonly script: Script;
  /** Undefined when a signal ended it. */
  readonly code: number | null;
  readonly seconds: number;
  /** What it printed, without terminal codes. */
  readonly output: string;
}

interface RunRequest {
  readonly script: Script;
  readonly args: readonly string[];
  /** Folder of the script, below the root. */
  readonly folder: string;
}

/** Runs a script to its end. @throws ResourceError when its program is not installed */
export async function runScript(
  root: WorkspaceRoot,
  { script, args, folder }: RunRequest,
  signal: AbortSignal,
): Promise<ScriptRun> {
  const [program, ...first] = script.command;
  const started = performance.now();
  // As at the keyboard: a test may be about colours.
  const environment = { NO_COLOR: undefined, FORCE_COLOR: undefined, CI: undefined };
  try {
    const { code, output, errors } = await runProgram(
      {
        command: program,
        args: [...first, ...args],
        folder: join(root.folder, folder),
        environment,
        withoutSecrets: true,
      },
      signal,
    );
    const text = [output, errors].map((one) => one.trim()).filter((one) => one !== '');
    return { script, code, seconds: (performance.now() - started) / 1000, output: stripCodes(text.join('\n')) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new ResourceError(
      `${program} is not installed, and runs the scripts here. Ask the user to install it.`,
      ['<R:>'],
      error,
    );
  }
}

function stripCodes(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replaceAll(/\u001B(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001B]*(?:\u0007|\u001B\\)?|.)/g, '');
}
