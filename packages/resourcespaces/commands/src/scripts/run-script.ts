import { basename, delimiter, join } from 'node:path';
import { ResourceError, type ToolContext, type ToolOutput } from '@bae/core';
import {
  type CommandLimits,
  explainLimits,
  explainNodeVersion,
  findShell,
  prepareShell,
  type Program,
  runProgram,
  toReadableOutput,
} from '@bae/project';
import { formatPath, formatQuantity, type WorkspaceRoot } from '@bae/workspace';
import { makeCommandTarget, quoteCommand, WITH_NETWORK } from '../command-words.ts';
import { findMissingProgram, leaveOutNoise, renderEnd, type RunEnd } from '../run-report.ts';
import { findTestTotal, findWarningTotal } from './describe-scripts.ts';
import { type Comparison, countFailures } from './first-runs.ts';
import { findTestFile, runsTests } from './find-scripts.ts';
import { suggestDiagnostics } from './no-script.ts';
import { suggestInstall } from './missing-tools.ts';
import { listPackagePrograms, type Script } from './script.ts';
import type { NarrowRun } from './narrow-check.ts';
import type { ScriptPart } from './script-parts.ts';

/** A script that is about to run. */
export interface WantedRun {
  readonly script: Script;
  readonly folder: string;
  /** Program and its arguments. */
  readonly command: readonly [string, ...string[]];
  /** The words that were given to it, which end the command. */
  readonly given?: readonly string[];
  /** The part that runs alone; absent for the whole script. */
  readonly part?: ScriptPart;
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
  /** Name of the script that repairs what this check finds. */
  readonly fix?: string;
}

export interface ScriptRun extends WantedRun, RunEnd {
  readonly output: string;
}

/** Says that npm runs a script in place of the package manager of the project; empty if it does not. */
function renderInstead({ missing, command: [program] }: Script): string {
  return missing === undefined || program === missing ? '' : `with npm, since ${missing} is not installed`;
}

/** Describes everything that runs, one step per line. */
export function previewRun(run: WantedRun): string {
  const { script, folder, command, variables, narrow, network, part } = run;
  const place = folder === '' ? '' : ` in ${formatPath(folder)}`;
  const steps = script.steps.map(({ name, text }) => `  ${name}: ${text}`);
  const settings = (script.settings ?? []).map((setting) => `  ${setting}`);
  if (narrow !== undefined)
    return [`runs ${quoteCommand(narrow.words)}${place}, ${renderFileScope(narrow)}`, ...settings, ...steps].join('\n');
  const instead = part === undefined ? renderInstead(script) : `part ${part.number} of ${script.name}`;
  const named = { ...variables, ...(script.pythonPath !== undefined && { PYTHONPATH: script.pythonPath }) };
  const line = part === undefined ? quoteCommand(command) : renderPartAlone(run, part);
  const head = `runs ${[...renderVariables(named), line].join(' ')}${place}${instead && `, ${instead}`}`;
  const inside = part === undefined ? [...settings, ...steps] : [];
  return [head, ...(network === true ? [`  ${WITH_NETWORK}`] : []), ...inside].join('\n');
}

/**
 * Lists a run as rules see it: the command of its script, then that of the part which runs alone. No word of a command
 * can be taken for the sign of a part, since that would be quoted.
 */
export function listRunTargets({ script, command, given = [], part, network }: WantedRun): readonly string[] {
  if (part === undefined) return [makeCommandTarget(command, network)];
  const alone = renderPartAlone({ given }, part);
  return [`${makeCommandTarget(script.command, network)} #part ${alone}`, makeCommandTarget([...part.words, ...given])];
}

/** Renders the text that a shell runs: the part as it is written in the script, then the given words. */
function renderPartAlone({ given = [] }: Pick<WantedRun, 'given'>, { text }: ScriptPart): string {
  return [text, quoteCommand(given)].join(' ').trimEnd();
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
  const alone =
    run.part === undefined ? renderInstead(run.script) || nameCommand(run) : `only ${renderPartAlone(run, run.part)}`;
  const instead = narrow === undefined ? alone : `with ${narrow.words[0]} ${renderFileScope(narrow)}`;
  const end = run.code === 0 ? [renderEnd(run)] : [renderEnd(run), ...describeFailure(run)];
  const covered = run.script.covers === undefined ? '' : `, which runs ${run.script.covers.join(', ')}`;
  return `${run.code === 0 ? 'ok' : 'FAILED'} ${run.script.name} (${end.join(', ')})${instead && ` ${instead}`}${covered}`;
}

/** Names the command of a script that failed, if the name alone does not say what ran: that of a tool, or of make. */
function nameCommand({ code, script, command }: ScriptRun): string {
  if (code === 0 || basename(script.file) === 'package.json') return '';
  const line = quoteCommand(command);
  return line.length > MOST_OF_COMMANDS ? '' : `running ${line}`;
}

/** Names what may be why a script fails here and nowhere else: a program that is missing, and variables that are set. */
function describeFailure({ output, variables }: ScriptRun): readonly string[] {
  const missing = findMissingProgram(output);
  return [...(missing === undefined ? [] : [`${missing} is not installed`]), ...renderVariables(variables)];
}

/** Longest command that is shown in the line of a run, in characters. */
const MOST_OF_COMMANDS = 80;

/**
 * Says of a check that passed how many tests did, how often it warned, and which commands it is made of.
 *
 * @param tag the tag that shows its output
 */
function renderTotal({ code, output, script, narrow }: ScriptRun, tag: string): string {
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

function addToPath(folders: string, name: string): string {
  return [folders, process.env[name] ?? ''].filter((one) => one !== '').join(delimiter);
}

/** Lists the folders in which a script of a package finds programs. */
function listScriptPath(root: WorkspaceRoot, { folder }: WantedRun): string {
  return addToPath(listPackagePrograms(root, folder).join(delimiter), 'PATH');
}

/** Prepares what runs in place of a script: a tool over some files, or a part. */
async function prepareAlone(
  root: WorkspaceRoot,
  run: WantedRun,
): Promise<Partial<Pick<Program, 'command' | 'args' | 'environment'>>> {
  const { narrow, part, script } = run;
  if (narrow !== undefined)
    return { command: narrow.program, args: narrow.words.slice(1), environment: narrow.environment };
  if (part === undefined) return {};
  const shell = await findShell({ folder: root.folder });
  if (shell?.name !== 'sh')
    throw new ResourceError('a part of a script runs in sh, which is not installed.', [`<run_script:${script.name}>`]);
  return {
    command: prepareShell(shell, renderPartAlone(run, part)),
    environment: { PATH: listScriptPath(root, run) },
  };
}

/** Runs a script to its end. @throws ResourceError if its program is not installed */
export async function runScript(
  { root, limits }: ScriptPlace,
  wanted: WantedRun,
  { signal, output: onOutput }: Pick<ToolContext, 'signal' | 'output'>,
): Promise<ScriptRun> {
  const [program, ...args] = wanted.command;
  const launched = await prepareAlone(root, wanted);
  const folder = join(root.folder, wanted.folder);
  const { pythonPath } = wanted.script;
  const python = pythonPath === undefined ? {} : { PYTHONPATH: addToPath(join(root.folder, pythonPath), 'PYTHONPATH') };
  const started = performance.now();
  try {
    const { code, output } = await runProgram(
      {
        command: program,
        args,
        ...launched,
        folder,
        project: root.folder,
        environment: { ...SCRIPT_ENVIRONMENT, ...python, ...wanted.variables, ...launched.environment },
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
    const inPackage = wanted.folder === '' ? '' : ` package=${wanted.folder}`;
    if (missing !== undefined)
      throw explainMissing(program, wanted.script, [
        ...(wanted.script.called ?? []).slice(0, 3).map((name) => `<run_script:${name}${inPackage}>`),
        ...((await findTestFile(root)) === undefined ? [] : ['<source.tests.test:>']),
        ...(await suggestDiagnostics(root, wanted.folder)),
      ]);
    const why = `runs the scripts of ${formatPath(file)}`;
    throw new ResourceError(`${program} is not installed, and ${why}. The user can install it.`, [], error);
  }
}

/** Matches programs that choose the Node which runs others. */
const CHOOSES_NODE = /(?:^|[\s;&|])(?:nvm|fnm|nodenv|volta|mise|asdf|n|npx)\s|\bnode@/;

/**
 * Says why a failed script may have failed only here: the Node that ran it, and the limits of commands.
 *
 * @param withNetwork the call that runs it with the network
 */
export async function explainFailedScript(
  { root, limits }: ScriptPlace,
  run: ScriptRun,
  { signal, tag, withNetwork }: Pick<ToolContext, 'signal' | 'tag'> & { readonly withNetwork: string },
): Promise<readonly string[]> {
  const { code, output, network, folder, script } = run;
  if (code === 0) return [];
  const isOfNode =
    basename(script.file) === 'package.json' && !script.steps.some(({ text }) => CHOOSES_NODE.test(text));
  const path = listScriptPath(root, run);
  const node = isOfNode ? await explainNodeVersion(root, { folder, path, output }, signal) : '';
  const lines = node === '' ? [] : [node];
  if (!(await limits.hold())) return lines;
  const hasNetwork = network === true || !(await limits.holdNetwork());
  const met = explainLimits({ output, hasNetwork, withNetwork });
  // A tool around the tests, such as one for coverage, may write where the tests themselves do not.
  const canTest = met.length > 0 && runsTests(script) && (await findTestFile(root)) !== undefined;
  return [...lines, ...met, ...(canTest ? [`The tests alone: ${tag('<source.tests.test:>')}`] : [])];
}

/** Explains that a script did not run, if it ended because a program that it calls is not installed. */
async function explainNotRun(
  { script, code, output, folder }: ScriptRun,
  root: WorkspaceRoot,
): Promise<ResourceError | undefined> {
  const program = code === NO_PROGRAM ? findMissingProgram(output) : undefined;
  return program === undefined ? undefined : explainMissing(program, script, await suggestInstall(root, folder));
}

function explainMissing(program: string, { name }: Script, hints: readonly string[]): ResourceError {
  return new ResourceError(`${program} is not installed, and '${name}' calls it. The user can install it.`, hints);
}

/** The checks that ran, and a line about each that did not. */
interface CheckRuns {
  readonly runs: readonly ScriptRun[];
  readonly missing: readonly string[];
}

/**
 * Runs checks one after the other; those whose program is not installed are left out and named.
 *
 * @throws ResourceError when none can run
 */
export async function runChecks(
  place: ScriptPlace,
  checks: readonly WantedRun[],
  context: Pick<ToolContext, 'signal' | 'output' | 'progress' | 'tag'>,
): Promise<CheckRuns> {
  const runs: ScriptRun[] = [];
  const missing: { readonly name: string; readonly reason: ResourceError }[] = [];
  for (const [index, check] of checks.entries()) {
    const { name } = check.script;
    context.progress(index, checks.length, name);
    try {
      const run = await runScript(place, check, context);
      const reason = await explainNotRun(run, place.root);
      if (reason === undefined) runs.push(run);
      else missing.push({ name, reason });
    } catch (error) {
      if (!(error instanceof ResourceError)) throw error;
      missing.push({ name, reason: error });
    }
  }
  if (runs.length === 0)
    throw new ResourceError([...new Set(missing.map(({ reason }) => reason.message))].join('\n'), [
      ...new Set(missing.flatMap(({ reason }) => reason.hints)),
    ]);
  const lines = missing.map(({ name, reason }) => {
    const others = reason.hints.length === 0 ? '' : ` Instead: ${reason.hints.map(context.tag).join(', ')}`;
    return `NOT RUN ${name}: ${reason.message}${others}`;
  });
  return { runs, missing: lines };
}

/** What checks came to. */
interface CheckReport {
  readonly runs: readonly (ScriptRun & Comparison)[];
  /** Lines about those that did not run. */
  readonly missing: readonly string[];
  /** Those that passed before, and did not run again. */
  readonly kept: readonly WantedRun[];
  /** Lines about the files that they changed. */
  readonly changed: readonly string[];
  /** Name of the package, as in the call. */
  readonly package: string;
}

/** Renders the answer of checks: a line for each, then the output of those that failed. */
export async function renderChecks(
  place: ScriptPlace,
  { runs, missing, kept, changed, package: name }: CheckReport,
  { tag, signal }: Pick<ToolContext, 'tag' | 'signal'>,
): Promise<ToolOutput> {
  const write = (script: string, { folder }: WantedRun): string =>
    tag(`<run_script:${script}${folder === '' ? '' : ` package=${name}`}>`);
  const failed = runs.filter(({ code }) => code !== 0);
  const limits = await Promise.all(
    failed.map((run) => {
      const withNetwork = write(run.script.name, run).replace(/>$/, ' network=true>');
      return explainFailedScript(place, run, { signal, tag, withNetwork });
    }),
  );
  const left = missing.length === 0 ? '' : `, ${missing.length} not run`;
  const sentence = countFailures(failed);
  const count = formatQuantity(runs.length + kept.length, 'check');
  const again = tag(`<check:${name && `${name} `}all=true>`);
  const isNarrow = runs.some(({ narrow }) => narrow !== undefined);
  const text = [
    ...kept.map(({ script }) => `ok ${script.name}: passed before, and nothing has changed since`),
    // Of a check that passed, the output is not shown.
    ...runs.map((run) => renderHead(run) + run.comparison + renderTotal(run, write(run.script.name, run))),
    ...missing,
    ...(failed.length === 0 ? [] : [sentence]),
    ...failed.flatMap((run) => (run.fix === undefined ? [] : [`To repair what can be: ${write(run.fix, run)}`])),
    ...new Set(limits.flat()),
    ...(kept.length > 0 ? [`Run all again: ${again}`] : isNarrow ? [`All files: ${again}`] : []),
    ...changed,
    ...failed.flatMap(({ script, output, news }) => [
      ...(news.length === 0 ? [] : [`--- ${script.name}: what is new`, ...news]),
      `--- ${script.name}`,
      leaveOutNoise(output, false),
    ]),
  ].join('\n');
  const hint = failed.length === 0 ? `0 failures in ${count}${left}` : sentence;
  return { text, format: 'log', hint, failed: failed.length > 0 };
}
