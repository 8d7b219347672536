import { join } from 'node:path';
import { ResourceError, type ToolContext } from '@bae/core';
import { type CommandLimits, explainLimits, runProgram, toReadableOutput } from '@bae/project';
import { formatPath, formatQuantity, type WorkspaceRoot } from '@bae/workspace';
import { quoteCommand, WITH_NETWORK } from '../command-words.ts';
import { findMissingProgram, renderEnd, type RunEnd } from '../run-report.ts';
import { findTestTotal, findWarningTotal } from './describe-scripts.ts';
import { suggestInstall } from './missing-tools.ts';
import type { Script } from './script.ts';
import type { NarrowRun } from './narrow-check.ts';

/** A script that is about to run. */
export interface WantedRun {
  readonly script: Script;
  readonly folder: string;
  /** Program and its arguments. */
  readonly command: readonly [string, ...string[]];
  /** Identifies all that is known to run. */
  readonly digest: string;
  /** Files of the workspace that the scripts name. */
  readonly named: readonly string[];
  /** Environment variables that are set for it. */
  readonly variables?: Readonly<Record<string, string>>;
  /** True if it may use the network in spite of limits. Default: false. */
  readonly network?: boolean;
  /** What runs instead, only over the files that the session has changed. */
  readonly narrow?: NarrowRun;
}

export interface ScriptRun extends WantedRun, RunEnd {
  readonly output: string;
}

/** Says that npm runs a script in place of the package manager of the project; empty if it does not. */
function renderInstead({ missing, command: [program] }: Script): string {
  return missing === undefined || program === missing ? '' : `with npm, since ${missing} is not installed`;
}

/** Describes everything that runs, one step per line. */
export function previewRun({ script, folder, command, variables, narrow, network }: WantedRun): string {
  const place = folder === '' ? '' : ` in ${formatPath(folder)}`;
  const steps = script.steps.map(({ name, text }) => `  ${name}: ${text}`);
  const settings = (script.settings ?? []).map((setting) => `  ${setting}`);
  if (narrow !== undefined)
    return [`runs ${quoteCommand(narrow.words)}${place}, ${renderFileScope(narrow)}`, ...settings, ...steps].join('\n');
  const instead = renderInstead(script);
  const head = `runs ${[...renderVariables(variables), quoteCommand(command)].join(' ')}${place}${instead && `, ${instead}`}`;
  return [head, ...(network === true ? [`  ${WITH_NETWORK}`] : []), ...settings, ...steps].join('\n');
}

/** Renders `over the 3 files changed in this session`. */
function renderFileScope({ files }: NarrowRun): string {
  return `over the ${formatQuantity(files.length, 'file')} changed in this session`;
}

/** Renders environment variables as they are written before a command: `CI=1`. */
function renderVariables(variables: WantedRun['variables'] = {}): readonly string[] {
  return Object.entries(variables).map(([name, value]) => `${name}=${value}`);
}

export function renderHead(run: ScriptRun): string {
  const { narrow } = run;
  const instead =
    narrow === undefined ? renderInstead(run.script) : `with ${narrow.words[0]} ${renderFileScope(narrow)}`;
  const end = run.code === 0 ? [renderEnd(run)] : [renderEnd(run), ...describeFailure(run)];
  return `${run.code === 0 ? 'ok' : 'FAILED'} ${run.script.name} (${end.join(', ')})${instead && ` ${instead}`}`;
}

/** Names what may be why a script fails here and nowhere else: a program that is missing, and variables that are set. */
function describeFailure({ output, variables }: ScriptRun): readonly string[] {
  const missing = findMissingProgram(output);
  return [...(missing === undefined ? [] : [`${missing} is not installed`]), ...renderVariables(variables)];
}

/** Longest text of a script that is shown where it passed, in characters. */
const MOST_OF_COMMANDS = 80;

/**
 * Says of a check that passed how many tests did, how often it warned, and which commands it is made of.
 *
 * @param tag the tag that shows its output
 */
export function renderTotal({ code, output, script, narrow }: ScriptRun, tag: string): string {
  if (code !== 0) return '';
  const text = script.steps.find(({ name }) => name === script.name)?.text ?? '';
  const commands = narrow === undefined && text.length <= MOST_OF_COMMANDS && text.includes('&&') ? text : undefined;
  const warnings = findWarningTotal(output);
  const parts = [findTestTotal(output), warnings && `${warnings} (${tag})`, commands];
  const known = parts.filter((part) => part !== undefined);
  return known.length === 0 ? '' : `: ${known.join('; ')}`;
}

/** Exit code of a shell that does not find a program. */
const NO_PROGRAM = 127;

/** Set for every script: npm announces no new version of itself in the output. */
const SCRIPT_ENVIRONMENT = { npm_config_update_notifier: 'false' };

/** Where scripts run: a workspace, and the limits of its commands. */
export interface ScriptPlace {
  readonly root: WorkspaceRoot;
  readonly limits: CommandLimits;
}

/** Runs a script to its end. @throws ResourceError if its program is not installed */
export async function runScript(
  { root, limits }: ScriptPlace,
  wanted: WantedRun,
  { signal, output: onOutput }: Pick<ToolContext, 'signal' | 'output'>,
): Promise<ScriptRun> {
  const { narrow } = wanted;
  const [program, ...args] = narrow === undefined ? wanted.command : [narrow.program, ...narrow.words.slice(1)];
  const folder = join(root.folder, wanted.folder);
  const started = performance.now();
  try {
    const { code, output } = await runProgram(
      {
        command: program,
        args,
        folder,
        project: root.folder,
        environment: {
          ...SCRIPT_ENVIRONMENT,
          ...wanted.variables,
          ...narrow?.environment,
        },
        inherits: 'project',
        mergesErrors: true,
        onOutput,
        limits,
        network: wanted.network,
      },
      signal,
    );
    return { ...wanted, code, seconds: (performance.now() - started) / 1000, output: toReadableOutput(output) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    const { missing, file } = wanted.script;
    if (missing !== undefined)
      throw explainMissing(program, wanted.script, ['<source.tests.test:>', '<source.diagnostics:>']);
    const why = `runs the scripts of ${formatPath(file)}`;
    throw new ResourceError(`${program} is not installed, and ${why}. The user can install it.`, [], error);
  }
}

/**
 * Says which limits a failed script may have met.
 *
 * @param withNetwork the call that runs it with the network; undefined if there is none
 */
export async function explainScriptLimits(
  { code, output, network }: ScriptRun,
  limits: CommandLimits,
  withNetwork?: string,
): Promise<readonly string[]> {
  if (code === 0 || !(await limits.hold())) return [];
  const hasNetwork = network === true || !(await limits.holdNetwork());
  return explainLimits({ output, hasNetwork, withNetwork });
}

/** Explains that a script did not run, if it ended because a program that it calls is not installed. */
export async function explainNotRun(
  { script, code, output, folder }: ScriptRun,
  root: WorkspaceRoot,
): Promise<ResourceError | undefined> {
  const program = code === NO_PROGRAM ? findMissingProgram(output) : undefined;
  return program === undefined ? undefined : explainMissing(program, script, await suggestInstall(root, folder));
}

function explainMissing(program: string, { name }: Script, hints: readonly string[]): ResourceError {
  return new ResourceError(`${program} is not installed, and '${name}' calls it. The user can install it.`, hints);
}
