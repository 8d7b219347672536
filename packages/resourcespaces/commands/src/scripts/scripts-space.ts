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
  adviseCommand,
  type CommandAccess,
  COMMANDS,
  describeClosedCommands,
  findPackageFolder,
  runProgram,
  toReadableOutput,
} from '@bae/project';
import { formatPath, formatQuantity, WORKSPACE_ROOT, type WorkspaceRoot } from '@bae/workspace';
import { z } from 'zod';
import { FilesBefore, listChangedFiles } from '../changed-files.ts';
import { makeCommandTarget, quoteCommand, splitCommand } from '../command-words.ts';
import { renderCode, renderEnd, type RunEnd } from '../run-report.ts';
import { describeChecks, describeMissingManager, describeTestFile, describeWords } from './describe-scripts.ts';
import { type CheckRun, countFailures, FirstRuns } from './first-runs.ts';
import { chooseChecks, findScripts, findTestFile, runsTests, type Script } from './find-scripts.ts';
import { narrowCheck, type NarrowRun } from './narrow-check.ts';

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
  check: z.object({
    // Usually without a package.
    package: inPackage.meta({ examples: [''] }),
    all: z.boolean().default(false).describe('Over all files; default only the changed ones where the tool can'),
  }),
} as const;

type ArgsOf<T extends keyof typeof PARAMS> = z.output<(typeof PARAMS)[T]>;

const LIMIT_MS = 20 * 60 * 1000;

/** Set for tests in a check: runners that wait for changes of files end after one run with it, and write no snapshots. */
const TEST_VARIABLES = { CI: '1' };

/** Scripts of a project: those of its package, and targets of its makefile. */
@resourcespace({ name: 'scripts', description: 'What the project can run by name: its build, its checks.' })
export class ScriptsSpace implements Resourcespace {
  readonly #root: WorkspaceRoot;
  readonly #commands: CommandAccess | undefined;
  readonly #firstRuns = new FirstRuns();
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
    if (scripts.length === 0) return this.#describeNone('No scripts');
    const checks = chooseChecks(scripts).map(({ name }) => name);
    const testFile = await findTestFile(this.#root);
    return [
      `Scripts: ${scripts.map(({ name }) => name).join(', ')}.`,
      ...describeChecks(checks),
      ...describeMissingManager(scripts),
      describeWords(scripts, testFile),
      ...describeTestFile(testFile),
      'Files are read and edited at home: <home.E:…>.',
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
    const advice = target === '' && found.length > 0 ? describeTestFile(await findTestFile(this.#root)) : [];
    const text = [...lines, ...advice].join('\n') || this.#describeNone('No scripts');
    return { text, format: 'plain' as const, rows: found.length };
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
        await this.#refuseChanged([wanted]);
        const before = await FilesBefore.look(this.#root, context);
        this.#hasRun = true;
        const run = await runScript(this.#root, wanted, context);
        const lines = [renderHead(run), run.output, ...(await before.renderChanged(context))];
        return { text: lines.filter((line) => line !== '').join('\n'), format: 'log', hint: renderCode(run) };
      },
    };
  }

  @tool({
    description:
      'What the checks of the project say: format, lint, types, tests.\nThose that its scripts are named for, one after the other. A known formatter or linter looks only at the files changed in this session.',
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
  async check({ package: name, all }: ArgsOf<'check'>, caller: ToolContext): Promise<Change> {
    const found = await this.findChecks(name);
    const checks = all ? found : await this.#narrow(found, caller);
    const commands = checks.flatMap(({ command, narrow }) => (narrow ? [command, narrow.words] : [command]));
    return {
      touches: commands.map((words) => ({ outside: makeCommandTarget(words) })),
      preview: () => checks.map(previewRun).join('\n'),
      apply: async (context) => {
        await this.#refuseChanged(checks);
        const isBeforeChanges = await this.#isUnchangedBy(context);
        const { runs, missing } = await this.#runAll(checks, context);
        const compared = runs.map((run) => ({ ...run, ...this.#firstRuns.compare(toCheckRun(run), isBeforeChanges) }));
        const lines = [...compared.map((run) => renderHead(run) + run.comparison), ...missing];
        const failed = compared.filter(({ code }) => code !== 0);
        const sentence = countFailures(failed);
        const logs = failed.flatMap(({ script, output, news }) => [
          ...(news.length === 0 ? [] : [`--- ${script.name}: what is new`, ...news]),
          `--- ${script.name}`,
          output,
        ]);
        const left = missing.length === 0 ? '' : `, ${missing.length} not run`;
        const hint = failed.length === 0 ? `0 failures in ${formatQuantity(runs.length, 'check')}${left}` : sentence;
        const summary = failed.length === 0 ? [] : [sentence];
        const rest = runs.some(({ narrow }) => narrow) ? [`All files: <check:${name && `${name} `}all=true>`] : [];
        return { text: [...lines, ...summary, ...rest, ...logs].join('\n'), format: 'log', hint };
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
    if (script === undefined) throw this.#explainUnknown(called, args, scripts);
    return { script, folder, command: [...script.command, ...args] };
  }

  private async findChecks(name: string): Promise<readonly WantedRun[]> {
    const folder = await findPackageFolder(this.#root, name);
    const scripts = await findScripts(this.#root, folder);
    const checks = chooseChecks(scripts);
    if (checks.length > 0)
      return checks.map((script) => ({
        script,
        folder,
        command: script.command,
        ...(runsTests(script) && { variables: TEST_VARIABLES }),
      }));
    if (scripts.length === 0) throw this.#explainNone(name);
    throw new ResourceError('no script is named like a check: lint, typecheck, test.', [
      '<R:>',
      ...scripts.slice(0, 1).map((script) => `<run_script:${script.name}>`),
    ]);
  }

  #explainNone(name: string): ResourceError {
    return new ResourceError(this.#describeNone(`there are no scripts ${name === '' ? 'here' : `in ${name}`}`));
  }

  /** Says that a name is no script, and how a program of that name is run, or the test file that it was given. */
  #explainUnknown(name: string, args: readonly string[], scripts: readonly Script[]): ResourceError {
    const { message, hints } = createNoScriptError(name, scripts);
    if (args.length === 0) return new ResourceError(message, hints);
    const { text, hints: commands } = adviseCommand(this.#commands, quoteCommand([name, ...args]));
    const tests = args.filter((arg) => /\.[cm]?[jt]sx?$/.test(arg)).map((file) => `<source.tests.test:${file}>`);
    return new ResourceError([message, text].filter((sentence) => sentence !== '').join(' '), [
      ...tests.slice(0, 1),
      ...commands,
      ...hints,
    ]);
  }

  /** Says where scripts would be, and what else could run programs. */
  #describeNone(fact: string): string {
    const closed = this.#commands?.isOpen === false ? ` ${describeClosedCommands(this.#commands)}` : '';
    return `${fact}: ${NO_SCRIPTS}.${closed}`;
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

  /** Lets each check that can do so look only at the files that a session has changed. */
  async #narrow(checks: readonly WantedRun[], caller: ToolContext): Promise<readonly WantedRun[]> {
    const changed = await listChangedFiles(this.#root, caller);
    return Promise.all(
      checks.map(async (check) => {
        const narrow = await narrowCheck(check.script, { root: this.#root, folder: check.folder, changed });
        return narrow === undefined ? check : { ...check, narrow };
      }),
    );
  }

  /**
   * Runs checks one after the other; those whose program is not installed are left out and named.
   *
   * @throws ResourceError when none can run
   */
  async #runAll(checks: readonly WantedRun[], context: ToolContext) {
    const runs: ScriptRun[] = [];
    const missing: string[] = [];
    for (const [index, check] of checks.entries()) {
      context.progress(index, checks.length, check.script.name);
      try {
        runs.push(await runScript(this.#root, check, context));
      } catch (error) {
        if (!(error instanceof ResourceError) || checks.length === 1) throw error;
        missing.push(`NOT RUN ${check.script.name}: ${error.message} Instead: ${error.hints.join(', ')}`);
        if (missing.length === checks.length) throw error;
      }
    }
    return { runs, missing };
  }

  /** Tests whether a session has changed nothing yet, as far as that is known. */
  async #isUnchangedBy(context: Pick<ToolContext, 'session'>): Promise<boolean> {
    return !this.#hasRun && (await listChangedFiles(this.#root, context))?.length === 0;
  }
}

interface WantedRun {
  readonly script: Script;
  readonly folder: string;
  /** Program and its arguments. */
  readonly command: readonly [string, ...string[]];
  /** Environment variables that are set for it. */
  readonly variables?: Readonly<Record<string, string>>;
  /** What runs instead, only over the files that the session has changed. */
  readonly narrow?: NarrowRun;
}

interface ScriptRun extends WantedRun, RunEnd {
  readonly output: string;
}

function toCheckRun({ script, folder, narrow, code, output }: ScriptRun): CheckRun {
  return { key: `${folder}\0${script.name}`, code, output, ...(narrow && { files: narrow.files }) };
}

const NO_SCRIPTS = 'there is no package.json with scripts, composer.json, Makefile or justfile';

/** Says that npm runs a script in place of the package manager of the project; empty if it does not. */
function renderInstead({ missing, command: [program] }: Script): string {
  return missing === undefined || program === missing ? '' : `with npm, since ${missing} is not installed`;
}

/** Describes everything that runs, one step per line. */
function previewRun({ script, folder, command, variables, narrow }: WantedRun): string {
  const place = folder === '' ? '' : ` in ${formatPath(folder)}`;
  const steps = script.steps.map(({ name, text }) => `  ${name}: ${text}`);
  const settings = (script.settings ?? []).map((setting) => `  ${setting}`);
  if (narrow !== undefined)
    return [`runs ${quoteCommand(narrow.words)}${place}, ${renderFileScope(narrow)}`, ...settings, ...steps].join('\n');
  const instead = renderInstead(script);
  const head = `runs ${[...renderVariables(variables), quoteCommand(command)].join(' ')}${place}${instead && `, ${instead}`}`;
  return [head, ...settings, ...steps].join('\n');
}

/** Renders `over the 3 files changed in this session`. */
function renderFileScope({ files }: NarrowRun): string {
  return `over the ${formatQuantity(files.length, 'file')} changed in this session`;
}

/** Renders environment variables as they are written before a command: `CI=1`. */
function renderVariables(variables: WantedRun['variables'] = {}): readonly string[] {
  return Object.entries(variables).map(([name, value]) => `${name}=${value}`);
}

function renderHead(run: ScriptRun): string {
  const { narrow } = run;
  const instead =
    narrow === undefined ? renderInstead(run.script) : `with ${narrow.words[0]} ${renderFileScope(narrow)}`;
  // What is set may be why tests fail here and nowhere else.
  const end = run.code === 0 ? [renderEnd(run)] : [renderEnd(run), ...renderVariables(run.variables)];
  return `${run.code === 0 ? 'ok' : 'FAILED'} ${run.script.name} (${end.join(', ')})${instead && ` ${instead}`}`;
}

function createNoScriptError(name: string, scripts: readonly Script[]): ResourceError {
  const names = scripts.map((script) => script.name);
  const nearest = findNearestName(name, names);
  const remedy = nearest === undefined ? `There are ${names.join(', ') || 'none'}.` : `Did you mean ${nearest}?`;
  // Whoever reads a file here forgot where they are.
  const file = /^[\w./@-]+\.\w+(?::[\d-]+)?$/.test(name) ? [`<home.R:${name}>`] : [];
  return new ResourceError(`no script '${name}'. ${remedy}`, [
    ...file,
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
