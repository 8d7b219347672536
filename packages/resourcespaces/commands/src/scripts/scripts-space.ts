import { posix } from 'node:path';
import {
  type Change,
  ConflictError,
  inject,
  ResourceError,
  resourcespace,
  type Resourcespace,
  tool,
  type ToolContext,
  type ToolOutput,
} from '@bae/core';
import {
  type CommandAccess,
  type CommandLimits,
  COMMANDS,
  describeClosedCommands,
  findPackageFolder,
  getCommandLimits,
} from '@bae/project';
import { formatPath, nameFile, WORKSPACE_ROOT, type WorkspaceRoot } from '@bae/workspace';
import { z } from 'zod';
import { listChangedFiles, listWrittenFiles, ProgramWatch } from '../changed-files.ts';
import { makeCommandTarget, quoteCommand, splitCommand } from '../command-words.ts';
import { asksForOutput, findMissingProgram, leaveOutNoise, renderCode } from '../run-report.ts';
import {
  describeChecks,
  describeFutureTests,
  describeMissingManager,
  describeMissingPrograms,
  describeTestFile,
  describeWords,
} from './describe-scripts.ts';
import { findFix, PassedChecks } from './check-plan.ts';
import { type CheckRun, FirstRuns } from './first-runs.ts';
import {
  chooseShownScript,
  findAble,
  findCalledScript,
  findNamedChecks,
  findScripts,
  findTestFile,
  runsTests,
} from './find-scripts.ts';
import { identifyScript, renderChangedFiles } from './named-files.ts';
import { askAboutFiles } from '../used-files.ts';
import { describeInstall } from './missing-tools.ts';
import { narrowCheck } from './narrow-check.ts';
import { describeFirstPart, describeParts, findPart, findPartOfWords, isArgumentOf } from './script-parts.ts';
import { describeHiddenTasks } from './task-runners.ts';
import { createNoScriptError, explainUnknownScript, suggestDiagnostics, suggestRead } from './no-script.ts';
import {
  explainFailedScript,
  listRunTargets,
  previewRun,
  renderChecks,
  renderHead,
  runChecks,
  runScript,
  type ScriptPlace,
  type ScriptRun,
  type WantedRun,
} from './run-script.ts';

const inPackage = () => z.string().default('').describe('Package of the project; default the one at its root');
const PACKAGE_OR_CHECK = 'Package of the project, or a check of the one at its root; default all checks there';

const PARAMS = {
  read: () =>
    z.object({
      target: z
        .string()
        .default('')
        .meta({ description: 'Name of a script, or a part of it; default all', examples: [''] }),
      package: inPackage(),
    }),
  run_script: () =>
    z.object({
      target: z
        .string()
        .meta({ description: 'Name of a script; what follows it is passed to the script', examples: ['build'] }),
      part: z.string().default('').describe('Number or program of one of the commands that && joins; default all'),
      package: inPackage(),
      network: z.boolean().default(false).describe('With the network of this machine, if scripts have none'),
    }),
  check: () =>
    z.object({
      // Usually without a package.
      package: inPackage().meta({ description: PACKAGE_OR_CHECK, examples: [''] }),
      all: z.boolean().default(false).describe('All of them, over all files; default only what can have changed'),
    }),
} as const;

type ArgsOf<T extends keyof typeof PARAMS> = z.output<ReturnType<(typeof PARAMS)[T]>>;
type Caller = Pick<ToolContext, 'session' | 'files'>;

const LIMIT_MS = 20 * 60 * 1000;

/** Set for tests in a check: runners that wait for changes of files end after one run with it, and write no snapshots. */
const TEST_VARIABLES = { CI: '1' };

/** Scripts of a project: those of its package, and targets of its makefile. */
@resourcespace({
  name: 'scripts',
  description: 'What the project can run by name; scripts.check runs its tests, lint and types.',
})
export class ScriptsSpace implements Resourcespace {
  readonly #root: WorkspaceRoot;
  readonly #commands: CommandAccess | undefined;
  readonly #firstRuns = new FirstRuns();
  readonly #passed: PassedChecks;
  readonly #watch: ProgramWatch;
  readonly #limits: CommandLimits;
  /** True once a script was run here, which may have changed files. */
  #hasRun = false;

  constructor(
    @inject(WORKSPACE_ROOT) root: WorkspaceRoot,
    @inject(COMMANDS, { isOptional: true }) commands?: CommandAccess,
  ) {
    this.#root = root;
    this.#limits = getCommandLimits(root);
    this.#watch = new ProgramWatch(root, 'project');
    this.#passed = new PassedChecks(root, this.#watch);
    this.#commands = commands;
  }

  async enter(): Promise<string> {
    const scripts = await findScripts(this.#root, '');
    if (scripts.length === 0) return await this.#describeNone('No scripts');
    const { able, missing, checks } = await findAble(this.#root, scripts);
    const testFile = await findTestFile(this.#root);
    return [
      `Scripts: ${scripts.map(({ name }) => name).join(', ')}.`,
      ...describeChecks(checks.filter((one) => able.includes(one)).map(({ name }) => name)),
      ...describeMissingManager(scripts),
      ...describeMissingPrograms(missing, checks),
      ...(missing.size === 0 ? [] : await describeInstall(this.#root, '')),
      ...describeWords(able, testFile),
      ...describeFirstPart(able),
      ...describeTestFile(testFile),
      ...(await describeHiddenTasks(this.#root, '')),
      ...(await suggestDiagnostics(this.#root, '')).map((tag) => `Types: ${tag}.`),
      'Files are read and edited at home: <home.E:…>.',
    ].join(' ');
  }

  /** True while the project has no scripts. */
  async isIdle(tool?: string): Promise<boolean> {
    return tool === undefined && (await findScripts(this.#root, '')).length === 0;
  }

  /** Waits until the changes of scripts that were stopped are recorded. */
  async dispose(): Promise<void> {
    await this.#watch.settle();
    await this.#limits.close();
  }

  @tool({ description: 'Scripts, and what each of them runs.', params: PARAMS.read })
  async read({ target, package: name }: ArgsOf<'read'>, { tag, files }: ToolContext) {
    const folder = await findPackageFolder(this.#root, name);
    files.add(folder);
    const scripts = await findScripts(this.#root, folder);
    if (scripts.length === 0 && target !== '') throw await this.#explainNone(name, target);
    const exact = scripts.filter((script) => script.name === target);
    const found = exact.length > 0 ? exact : scripts.filter((script) => script.name.includes(target));
    if (found.length === 0 && target !== '') throw createNoScriptError(target, scripts);
    const { able, missing } = await findAble(this.#root, found);
    const lines = found.map((script) => {
      const path = script.pythonPath === undefined ? '' : `PYTHONPATH=${script.pythonPath} `;
      const runs = path + script.steps.map(({ text }) => text).join(' && ');
      const tool = missing.has(script) ? `, ${missing.get(script)} is not installed` : '';
      return `${script.name}: ${runs}  (${formatPath(script.file)}${describeParts(script)}${tool})`;
    });
    const isList = target === '' && found.length > 0;
    const hidden = isList ? await describeHiddenTasks(this.#root, folder) : [];
    const advice = isList ? describeTestFile(await findTestFile(this.#root), tag) : [];
    const first = chooseShownScript(able);
    if (isList && first !== undefined) lines.push(`Run one: ${tag(`<run_script:${first.name}>`)}.`);
    lines.push(...describeFirstPart(able, tag));
    const text = [...lines, ...hidden, ...advice].join('\n') || (await this.#describeNone('No scripts'));
    return { text, format: 'plain' as const, rows: found.length };
  }

  @tool({
    description: 'What a script prints; its arguments follow its name.\nAlso which files it changed.',
    params: PARAMS.run_script,
    effect: 'external',
    // What follows the name of a script is passed on to it.
    selects: ({ target }) => (/\s/.test(target.trim()) ? ['package', 'part'] : ['package', 'part', 'target']),
    timeoutMs: LIMIT_MS,
    plan: true,
    // A remembered answer for a script applies only until its file changes, or one that scripts name.
    async target(this: ScriptsSpace, args, caller) {
      const wanted = await this.find(args, caller);
      return `${listRunTargets(wanted)[0]} #${wanted.digest}`;
    },
  })
  async run_script(args: ArgsOf<'run_script'>, caller: ToolContext): Promise<Change> {
    const wanted = await this.find(args, caller);
    const { folder, command, given = [], part } = wanted;
    const files = await askAboutFiles(this.#root, { words: given, folder, command: quoteCommand(command) }, caller);
    return {
      touches: [...listRunTargets({ ...wanted, network: false }).map((outside) => ({ outside })), ...files],
      preview: () => this.#preview([wanted], caller),
      apply: async (context) => {
        await this.#refuseChanged([wanted], context);
        const work = () => {
          this.#hasRun = true;
          return runScript(this.#place, wanted, context);
        };
        const isWhole = given.length === 0 && part === undefined;
        const read = (one: ScriptRun) => (isWhole ? [toCheckRun(one)] : []);
        const { result: run, changed } = await this.#passed.run(context, { work, read });
        const more = `${part === undefined ? '' : ` part=${part.number}`}${args.package && ` package=${args.package}`}`;
        const withNetwork = context.tag(`<run_script:${args.target}${more} network=true>`);
        const { signal, tag } = context;
        const limits = await explainFailedScript(this.#place, run, { signal, tag, withNetwork });
        const isMissing = run.code !== 0 && findMissingProgram(run.output) !== undefined;
        const install = isMissing ? await describeInstall(this.#root, folder, context.tag) : [];
        const join = (output: string): string =>
          [renderHead(run), ...install, ...limits, output, ...changed].filter((line) => line !== '').join('\n');
        const text = join(leaveOutNoise(run.output, run.code === 0));
        const format = run.code === 0 && given.some(asksForOutput) ? 'printed' : 'log';
        return { text, format, hint: renderCode(run), failed: run.code !== 0, whole: () => join(run.output) };
      },
    };
  }

  @tool({
    description:
      'What the checks of the project say.\nIts scripts that are named for format, lint, types and tests, as far as there are any, one after the other. A known formatter or linter looks only at the files changed in this session; what passed is run again once something has changed.',
    params: PARAMS.check,
    effect: 'external',
    selects: ['package'],
    timeoutMs: LIMIT_MS,
    plan: true,
    async target(this: ScriptsSpace, { package: name }, caller) {
      const checks = await this.findChecks(name, caller);
      const names = checks.map(({ script }) => script.name).join(' ');
      return `command:#checks ${names} #${checks.map(({ digest }) => digest).join(' ')}`;
    },
  })
  async check({ package: name, all }: ArgsOf<'check'>, caller: ToolContext): Promise<Change | ToolOutput> {
    const found = await this.findChecks(name, caller);
    const hasPassed = all ? () => false : await this.#passed.find(caller);
    const isKept = (check: WantedRun): boolean => hasPassed(makeCheckKey(check));
    const kept = found.filter(isKept);
    const open = found.filter((check) => !isKept(check));
    if (open.length === 0) return renderChecks(this.#place, { ...NOTHING_RUN, kept, package: name }, caller);
    const checks = all ? open : await this.#narrow(open, caller);
    const commands = checks.flatMap(({ command, narrow }) => (narrow ? [command, narrow.words] : [command]));
    return {
      touches: commands.map((words) => ({ outside: makeCommandTarget(words) })),
      preview: () => this.#preview(checks, caller),
      apply: async (context) => {
        await this.#refuseChanged(checks, context);
        const isBeforeChanges = await this.#isUnchangedBy(context);
        const { result, changed } = await this.#passed.run(context, {
          kept: kept.map(makeCheckKey),
          work: () => runChecks(this.#place, checks, context),
          read: ({ runs }) => runs.map(toCheckRun),
        });
        const runs = result.runs.map((run) => ({
          ...run,
          ...this.#firstRuns.compare(toCheckRun(run), isBeforeChanges),
        }));
        const report = { ...result, runs, kept, changed, package: name };
        return renderChecks(this.#place, report, context);
      },
    };
  }

  get #place(): ScriptPlace {
    return { root: this.#root, limits: this.#limits };
  }

  // Options of decorators cannot access #private members.

  private async find(args: ArgsOf<'run_script'>, caller: Caller): Promise<WantedRun> {
    const { target, package: name } = args;
    const folder = await findPackageFolder(this.#root, name);
    const sent = splitCommand(target, `<run_script:NAME 'a | b'>`);
    const scripts = await findScripts(this.#root, folder);
    if (scripts.length === 0) throw await this.#explainNone(name);
    const found = findCalledScript(scripts, sent);
    if (found === undefined)
      throw await explainUnknownScript({ sent, folder, scripts }, { root: this.#root, commands: this.#commands });
    const { script } = found;
    const isArgument = isArgumentOf(script, args.part);
    const words = isArgument ? [...found.words, args.part] : found.words;
    const written = await listWrittenFiles(this.#root, caller);
    caller.files.add(folder);
    for (const word of words) nameFile(this.#root, posix.join(folder, word), caller);
    const { digest, files } = await identifyScript(this.#root, { script, all: scripts, written });
    const network = args.network && (await this.#limits.holdNetwork());
    const targets = scripts.filter(({ file }) => file === script.file).map((one) => one.name);
    const part = args.part === '' || isArgument ? findPartOfWords(script, words, targets) : findPart(script, args.part);
    const command = [...script.command, ...words] as const;
    return { script, folder, command, given: words, digest, named: files, network, ...(part && { part }) };
  }

  private async findChecks(name: string, caller: Caller): Promise<readonly WantedRun[]> {
    const { folder, scripts, checks } = await findNamedChecks(this.#root, name);
    caller.files.add(folder);
    const written = await listWrittenFiles(this.#root, caller);
    if (checks.length > 0)
      return Promise.all(
        checks.map(async (script) => {
          const { digest, files } = await identifyScript(this.#root, { script, all: scripts, written });
          const variables = runsTests(script) ? { variables: TEST_VARIABLES } : {};
          const fix = findFix(script, scripts);
          const named = { named: files, ...(fix !== undefined && { fix }) };
          return { script, folder, command: script.command, digest, ...named, ...variables };
        }),
      );
    if (scripts.length === 0) throw await this.#explainNone(name);
    throw new ResourceError('no script is named like a check: lint, typecheck, test.', [
      ...(await suggestDiagnostics(this.#root, folder)),
      '<R:>',
      ...scripts.slice(0, 1).map((script) => `<run_script:${script.name}>`),
    ]);
  }

  async #explainNone(name: string, target = ''): Promise<ResourceError> {
    const fact = `there are no scripts ${name === '' ? 'here' : `in ${name}`}`;
    return new ResourceError(await this.#describeNone(fact), suggestRead(target));
  }

  /** Says where scripts would be, and what else could run programs. */
  async #describeNone(fact: string): Promise<string> {
    const closed = this.#commands?.isOpen === false ? ` ${describeClosedCommands(this.#commands)}` : '';
    const hidden = (await describeHiddenTasks(this.#root, '')).map((sentence) => ` ${sentence}`).join('');
    return `${fact}: ${NO_SCRIPTS}.${hidden}${await describeFutureTests(this.#root)}${closed}`;
  }

  /**
   * @throws ConflictError if a file has changed since consent was asked for
   */
  async #refuseChanged(wanted: readonly WantedRun[], caller: Caller): Promise<void> {
    const written = await listWrittenFiles(this.#root, caller);
    for (const { script, folder, digest } of wanted) {
      const scripts = await findScripts(this.#root, folder);
      const now = scripts.find(({ name }) => name === script.name);
      const current = now && (await identifyScript(this.#root, { script: now, all: scripts, written }));
      if (current?.digest !== digest)
        throw new ConflictError(`${script.file}, or a file that it names, has changed in the meantime.`);
    }
  }

  /** Shows everything that runs, and what the session has changed, which may run as well. */
  async #preview(wanted: readonly WantedRun[], caller: Caller): Promise<string> {
    const changed = await listChangedFiles(this.#root, caller);
    const named = wanted.flatMap((one) => one.named);
    return [...wanted.map(previewRun), ...renderChangedFiles(changed, named)].join('\n');
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

  /** Tests whether a session has changed nothing yet, as far as that is known. */
  async #isUnchangedBy(context: Pick<ToolContext, 'session'>): Promise<boolean> {
    return !this.#hasRun && (await listChangedFiles(this.#root, context))?.length === 0;
  }
}

function makeCheckKey({ script, folder }: WantedRun): string {
  return `${folder}\0${script.name}`;
}

function toCheckRun(run: ScriptRun): CheckRun {
  const { narrow, code, output } = run;
  return { key: makeCheckKey(run), code, output, ...(narrow && { files: narrow.files }) };
}

const NOTHING_RUN = { runs: [], missing: [], changed: [] };

const NO_SCRIPTS =
  'there is no package.json with scripts, composer.json, Makefile, justfile, pyproject.toml with tasks, tests or settings of pytest, Cargo.toml, go.mod, or file of another task runner';
