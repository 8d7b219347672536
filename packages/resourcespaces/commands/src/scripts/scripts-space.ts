import { join } from 'node:path';
import {
  type Change,
  ConflictError,
  findNearestName,
  inject,
  ResourceError,
  resourcespace,
  type Resourcespace,
  tool,
  type ToolContext,
} from '@bae/core';
import {
  type CommandAccess,
  COMMANDS,
  describeClosedCommands,
  findPackageFolder,
  runProgram,
  toReadableOutput,
} from '@bae/project';
import { formatPath, formatQuantity, WORKSPACE_ROOT, type WorkspaceRoot } from '@bae/workspace';
import { z } from 'zod';
import { FilesBefore } from '../changed-files.ts';
import { makeCommandTarget, splitCommand } from '../command-words.ts';
import { renderCode, renderEnd, type RunEnd } from '../run-report.ts';
import { chooseChecks, findScripts, findTestFile, type Script } from './find-scripts.ts';

const inPackage = z.string().default('').describe('Package of the project; default the one at its root');

const PARAMS = {
  read: z.object({
    target: z
      .string()
      .default('')
      .meta({ description: 'Name of a script, or a part of it; default all', examples: [''] }),
    package: inPackage,
  }),
  run_script: z.object({
    target: z
      .string()
      .meta({ description: 'Name of a script; what follows it is passed to the script', examples: ['build'] }),
    package: inPackage,
  }),
  check: z.object({ package: inPackage }),
} as const;

type ArgsOf<T extends keyof typeof PARAMS> = z.output<(typeof PARAMS)[T]>;

const LIMIT_MS = 20 * 60 * 1000;

/** Scripts of a project: those of its package, and targets of its makefile. */
@resourcespace({ name: 'scripts', description: 'What the project can run by name: its build, its checks.' })
export class ScriptsSpace implements Resourcespace {
  readonly #root: WorkspaceRoot;
  readonly #commands: CommandAccess | undefined;
  /** First runs of the checks in this session, by folder and name. */
  readonly #first = new Map<string, FirstRun>();
  /** True once a script was run here, which may have changed files. */
  #hasRun = false;

  constructor(
    @inject(WORKSPACE_ROOT) root: WorkspaceRoot,
    @inject(COMMANDS, { isOptional: true }) commands?: CommandAccess,
  ) {
    this.#root = root;
    this.#commands = commands;
  }

  async enter(): Promise<string> {
    const scripts = await findScripts(this.#root, '');
    if (scripts.length === 0) return `No scripts: ${NO_SCRIPTS}.`;
    const checks = chooseChecks(scripts).map(({ name }) => name);
    const testFile = await findTestFile(this.#root);
    return [
      `Scripts: ${scripts.map(({ name }) => name).join(', ')}.`,
      ...(checks.length === 0 ? [] : [`Checks: ${checks.join(', ')}.`]),
      ...describeMissingManager(scripts),
      describeWords(scripts, testFile),
      ...(testFile === undefined ? [] : [`One test file: <source.tests.test:${testFile}>.`]),
    ].join(' ');
  }

  /** True while the project has no scripts. */
  async isIdle(): Promise<boolean> {
    return (await findScripts(this.#root, '')).length === 0;
  }

  @tool({ description: 'Scripts, and what each of them runs.', params: PARAMS.read })
  async read({ target, package: name }: ArgsOf<'read'>) {
    const scripts = await findScripts(this.#root, await findPackageFolder(this.#root, name));
    if (scripts.length === 0 && target !== '') throw this.#explainNone(name);
    const exact = scripts.filter((script) => script.name === target);
    const found = exact.length > 0 ? exact : scripts.filter((script) => script.name.includes(target));
    if (found.length === 0 && target !== '') throw createNoScriptError(target, scripts);
    const lines = found.map((script) => {
      const runs = script.steps.map(({ text }) => text).join(' && ');
      return `${script.name}: ${runs}  (${formatPath(script.file)})`;
    });
    return { text: lines.join('\n') || `No scripts: ${NO_SCRIPTS}.`, format: 'plain' as const, rows: found.length };
  }

  @tool({
    description: 'What a script printed, and which files it changed.\nWords behind its name are given to the script.',
    params: PARAMS.run_script,
    effect: 'external',
    timeoutMs: LIMIT_MS,
    plan: true,
    // A remembered answer for a script applies only until the file changes.
    async target(this: ScriptsSpace, args) {
      const { script, command } = await this.find(args);
      return `${makeCommandTarget(command)} #${script.fingerprint}`;
    },
  })
  async run_script(args: ArgsOf<'run_script'>): Promise<Change> {
    const wanted = await this.find(args);
    return {
      touches: [{ outside: makeCommandTarget(wanted.command) }],
      preview: () => previewRun(wanted),
      apply: async (context) => {
        const { signal } = context;
        await this.#refuseChanged([wanted]);
        const before = await FilesBefore.look(this.#root, signal);
        this.#hasRun = true;
        const run = await runScript(this.#root, wanted, context);
        const lines = [renderHead(run), run.output, ...(await before.renderChanged(signal))];
        return { text: lines.filter((line) => line !== '').join('\n'), format: 'log', hint: renderCode(run) };
      },
    };
  }

  @tool({
    description:
      'What the checks of the project say: format, lint, types, tests.\nThose that its scripts are named for, one after the other.',
    params: PARAMS.check,
    effect: 'external',
    timeoutMs: LIMIT_MS,
    plan: true,
    async target(this: ScriptsSpace, { package: name }) {
      const checks = await this.findChecks(name);
      const names = checks.map(({ script }) => script.name).join(' ');
      return `command:#checks ${names} #${checks.map(({ script }) => script.fingerprint).join(' ')}`;
    },
  })
  async check({ package: name }: ArgsOf<'check'>): Promise<Change> {
    const checks = await this.findChecks(name);
    return {
      touches: checks.map(({ command }) => ({ outside: makeCommandTarget(command) })),
      preview: () => checks.map(previewRun).join('\n'),
      apply: async (context) => {
        await this.#refuseChanged(checks);
        const isBeforeChanges = await this.#isUnchangedBy(context.session.id);
        const runs: ScriptRun[] = [];
        for (const check of checks) {
          context.progress(runs.length, checks.length, check.script.name);
          runs.push(await runScript(this.#root, check, context));
        }
        const compared = runs.map((run) => ({ ...run, ...this.#compareWithFirst(run, isBeforeChanges) }));
        const lines = compared.map((run) => renderHead(run) + run.comparison);
        const failed = compared.filter(({ code }) => code !== 0);
        const sentence = countFailures(failed);
        const logs = failed.flatMap(({ script, output, news }) => [
          ...(news.length === 0 ? [] : [`--- ${script.name}: what is new`, ...news]),
          `--- ${script.name}`,
          output,
        ]);
        const hint = failed.length === 0 ? `0 failures in ${formatQuantity(runs.length, 'check')}` : sentence;
        const summary = failed.length === 0 ? [] : [sentence];
        return { text: [...lines, ...summary, ...logs].join('\n'), format: 'log', hint };
      },
    };
  }

  // Options of decorators cannot access #private members.

  private async find({ target, package: name }: ArgsOf<'run_script'>): Promise<WantedRun> {
    const folder = await findPackageFolder(this.#root, name);
    const [called = '', ...args] = splitCommand(target, `<run_script:NAME 'a | b'>`);
    const scripts = await findScripts(this.#root, folder);
    const script = scripts.find((one) => one.name === called);
    if (scripts.length === 0) throw this.#explainNone(name);
    if (script === undefined) throw createNoScriptError(called, scripts);
    return { script, folder, command: [...script.command, ...args] };
  }

  private async findChecks(name: string): Promise<readonly WantedRun[]> {
    const folder = await findPackageFolder(this.#root, name);
    const scripts = await findScripts(this.#root, folder);
    const checks = chooseChecks(scripts);
    if (checks.length > 0) return checks.map((script) => ({ script, folder, command: script.command }));
    if (scripts.length === 0) throw this.#explainNone(name);
    throw new ResourceError('no script is named like a check: lint, typecheck, test.', [
      '<R:>',
      ...scripts.slice(0, 1).map((script) => `<run_script:${script.name}>`),
    ]);
  }

  #explainNone(name: string): ResourceError {
    const where = name === '' ? 'here' : `in ${name}`;
    const fact = `there are no scripts ${where}: ${NO_SCRIPTS}.`;
    const isClosed = this.#commands?.isOpen === false;
    return new ResourceError(isClosed ? `${fact} ${describeClosedCommands(this.#commands)}` : fact);
  }

  /**
   * @throws ConflictError if a file has changed since consent was asked for
   */
  async #refuseChanged(wanted: readonly WantedRun[]): Promise<void> {
    for (const { script, folder } of wanted) {
      const now = (await findScripts(this.#root, folder)).find(({ name }) => name === script.name);
      if (now?.fingerprint !== script.fingerprint)
        throw new ConflictError(`${script.file} has changed in the meantime.`);
    }
  }

  /** Tests whether a session has changed nothing yet, as far as that is known. */
  async #isUnchangedBy(session: string): Promise<boolean> {
    if (this.#hasRun) return false;
    const changes = await this.#root.operations();
    return changes.every((change) => change.session !== session);
  }

  /** Compares the output of a check with that of its first run in this session. */
  #compareWithFirst(run: ScriptRun, isBeforeChanges: boolean): Comparison {
    const key = `${run.folder}\0${run.script.name}`;
    const first = this.#first.get(key);
    if (first === undefined) {
      this.#first.set(key, { ...run, isBeforeChanges });
      return { comparison: '', news: [], ...(isBeforeChanges && { isOlder: true }) };
    }
    const known = first.isBeforeChanges ? { isOlder: first.code !== 0 } : {};
    if ((first.code === 0) !== (run.code === 0))
      return { comparison: first.code === 0 ? ', passed before' : ', failed before', news: [], ...known };
    if (run.code === 0) return { comparison: '', news: [] };
    const news = listNewLines(first.output, run.output);
    const what = news.length === 0 ? 'all of it was there before' : formatQuantity(news.length, 'new line');
    const isOlder = first.isBeforeChanges ? { isOlder: news.length === 0 } : {};
    return { comparison: `, failed before: ${what}`, news, ...isOlder };
  }
}

interface Comparison {
  readonly comparison: string;
  /** Lines of the output that were not there before. */
  readonly news: readonly string[];
  /** For a failure: true if it was there before the session changed anything. Absent if that is not known. */
  readonly isOlder?: boolean;
}

/** Renders `2 failures, both there before you`; without the rest if it is not known how it was. */
function countFailures(failed: readonly Comparison[]): string {
  const count = formatQuantity(failed.length, 'failure');
  if (failed.some(({ isOlder }) => isOlder === undefined)) return count;
  const older = failed.filter(({ isOlder }) => isOlder).length;
  if (older === 0) return `${count}, not there before you`;
  if (older < failed.length) return `${count}, ${older} of them there before you`;
  return `${count}, ${['', 'both ', 'all '][Math.min(older, 3) - 1]}there before you`;
}

interface WantedRun {
  readonly script: Script;
  readonly folder: string;
  /** Program and its arguments. */
  readonly command: readonly [string, ...string[]];
}

interface ScriptRun extends WantedRun, RunEnd {
  readonly output: string;
}

interface FirstRun extends ScriptRun {
  readonly isBeforeChanges: boolean;
}

/**
 * Lists the lines of an output that an earlier one does not have, ignoring numbers, because positions and times change.
 */
function listNewLines(before: string, after: string): readonly string[] {
  const known = new Set(before.split('\n').map(stripNumbers));
  return after.split('\n').filter((line) => !known.has(stripNumbers(line)));
}

function stripNumbers(line: string): string {
  return line.replaceAll(/\d+(?:\.\d+)?/g, '0').trim();
}

const NO_SCRIPTS = 'there is no package.json with scripts, composer.json, Makefile or justfile';

/** Says that the package manager is not installed, and what runs all the same. */
function describeMissingManager(scripts: readonly Script[]): readonly string[] {
  const affected = scripts.filter(({ missing }) => missing !== undefined);
  const [first] = affected;
  if (first === undefined) return [];
  const stuck = affected.filter(({ command: [program] }) => program !== 'npm').map(({ name }) => name);
  const others = stuck.length === 0 ? '' : `, but for those that call it: ${stuck.join(', ')}`;
  const runs =
    stuck.length === affected.length ? 'its scripts call it and cannot run' : `npm runs the scripts${others}`;
  return [`${first.missing} is not installed: ${runs}.`];
}

/** Shows how words are given to a script, with one that there is. */
function describeWords(scripts: readonly Script[], testFile: string | undefined): string {
  const test = testFile === undefined ? undefined : scripts.find(({ name }) => /^tests?$/.test(name));
  const call = test === undefined ? `${scripts[0]!.name} --help` : `${test.name} ${testFile}`;
  return `Words behind a name are given to the script: <run_script:${call}>.`;
}

/** Says that npm runs a script in place of the package manager of the project; empty if it does not. */
function renderInstead({ missing, command: [program] }: Script): string {
  return missing === undefined || program === missing ? '' : `with npm, since ${missing} is not installed`;
}

/** Describes everything that runs, one step per line. */
function previewRun({ script, folder, command }: WantedRun): string {
  const place = folder === '' ? '' : ` in ${formatPath(folder)}`;
  const steps = script.steps.map(({ name, text }) => `  ${name}: ${text}`);
  const settings = (script.settings ?? []).map((setting) => `  ${setting}`);
  const instead = renderInstead(script);
  const head = `runs ${makeCommandTarget(command).slice('command:'.length)}${place}${instead && `, ${instead}`}`;
  return [head, ...settings, ...steps].join('\n');
}

function renderHead(run: ScriptRun): string {
  const instead = renderInstead(run.script);
  return `${run.code === 0 ? 'ok' : 'FAILED'} ${run.script.name} (${renderEnd(run)})${instead && ` ${instead}`}`;
}

function createNoScriptError(name: string, scripts: readonly Script[]): ResourceError {
  const names = scripts.map((script) => script.name);
  const nearest = findNearestName(name, names);
  const remedy = nearest === undefined ? `There are ${names.join(', ') || 'none'}.` : `Did you mean ${nearest}?`;
  return new ResourceError(`no script '${name}'. ${remedy}`, [
    nearest === undefined ? '<R:>' : `<run_script:${nearest}>`,
  ]);
}

/** Set for every script: npm announces no new version of itself in the output. */
const SCRIPT_ENVIRONMENT = { npm_config_update_notifier: 'false' };

async function runScript(
  root: WorkspaceRoot,
  wanted: WantedRun,
  { signal, output: onOutput }: Pick<ToolContext, 'signal' | 'output'>,
): Promise<ScriptRun> {
  const [program, ...args] = wanted.command;
  const folder = join(root.folder, wanted.folder);
  const started = performance.now();
  try {
    const { code, output } = await runProgram(
      {
        command: program,
        args,
        folder,
        project: root.folder,
        environment: SCRIPT_ENVIRONMENT,
        inherits: 'project',
        mergesErrors: true,
        onOutput,
      },
      signal,
    );
    return { ...wanted, code, seconds: (performance.now() - started) / 1000, output: toReadableOutput(output) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    const { missing, name } = wanted.script;
    const why = missing === undefined ? `runs the scripts of ${formatPath(wanted.script.file)}` : `'${name}' calls it`;
    const others = missing === undefined ? [] : ['<source.tests.test:>', '<source.diagnostics:>'];
    throw new ResourceError(`${program} is not installed, and ${why}. Ask the user to install it.`, others, error);
  }
}
