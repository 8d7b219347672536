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
import { findPackageFolder, runProgram, toReadableOutput } from '@bae/project';
import { formatPath, formatQuantity, WORKSPACE_ROOT, type WorkspaceRoot } from '@bae/workspace';
import { z } from 'zod';
import { FilesBefore } from '../changed-files.ts';
import { makeCommandTarget, splitCommand } from '../command-words.ts';
import { renderCode, renderEnd, type RunEnd } from '../run-report.ts';
import { chooseChecks, findScripts, type Script } from './find-scripts.ts';

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
  /** First runs of the checks in this session, by folder and name. */
  readonly #first = new Map<string, ScriptRun>();

  constructor(@inject(WORKSPACE_ROOT) root: WorkspaceRoot) {
    this.#root = root;
  }

  async enter(): Promise<string> {
    const scripts = await findScripts(this.#root, '');
    if (scripts.length === 0) return 'No scripts: there is no package.json with scripts, Makefile or justfile.';
    const checks = chooseChecks(scripts).map(({ name }) => name);
    const names = `Scripts: ${scripts.map(({ name }) => name).join(', ')}.`;
    return checks.length === 0 ? names : `${names} Checks: ${checks.join(', ')}.`;
  }

  @tool({ description: 'Scripts, and what each of them runs.', params: PARAMS.read })
  async read({ target, package: name }: ArgsOf<'read'>) {
    const scripts = await findScripts(this.#root, await findPackageFolder(this.#root, name));
    const exact = scripts.filter((script) => script.name === target);
    const found = exact.length > 0 ? exact : scripts.filter((script) => script.name.includes(target));
    if (found.length === 0 && target !== '') throw createNoScriptError(target, scripts);
    const lines = found.map((script) => {
      const runs = script.steps.map(({ text }) => text).join(' && ');
      return `${script.name}: ${runs}  (${formatPath(script.file)})`;
    });
    return { text: lines.join('\n') || '(no scripts)', format: 'plain' as const, rows: found.length };
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
        const runs: ScriptRun[] = [];
        for (const check of checks) {
          context.progress(runs.length, checks.length, check.script.name);
          runs.push(await runScript(this.#root, check, context));
        }
        const compared = runs.map((run) => ({ ...run, ...this.#compareWithFirst(run) }));
        const lines = compared.map((run) => renderHead(run) + run.comparison);
        const failed = compared.filter(({ code }) => code !== 0);
        const logs = failed.flatMap(({ script, output, news }) => [
          ...(news.length === 0 ? [] : [`--- ${script.name}: what is new`, ...news]),
          `--- ${script.name}`,
          output,
        ]);
        const hint = `${formatQuantity(failed.length, 'failure')} in ${formatQuantity(runs.length, 'check')}`;
        return { text: [...lines, ...logs].join('\n'), format: 'log', hint };
      },
    };
  }

  // Options of decorators cannot access #private members.

  private async find({ target, package: name }: ArgsOf<'run_script'>): Promise<WantedRun> {
    const folder = await findPackageFolder(this.#root, name);
    const [called = '', ...args] = splitCommand(target, `<run_script:NAME 'a | b'>`);
    const scripts = await findScripts(this.#root, folder);
    const script = scripts.find((one) => one.name === called);
    if (script === undefined) throw createNoScriptError(called, scripts);
    return { script, folder, command: [...script.command, ...args] };
  }

  private async findChecks(name: string): Promise<readonly WantedRun[]> {
    const folder = await findPackageFolder(this.#root, name);
    const scripts = await findScripts(this.#root, folder);
    const checks = chooseChecks(scripts);
    if (checks.length > 0) return checks.map((script) => ({ script, folder, command: script.command }));
    throw new ResourceError('no script is named like a check: lint, typecheck, test.', [
      '<R:>',
      ...scripts.slice(0, 1).map((script) => `<run_script:${script.name}>`),
    ]);
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

  /** Compares the output of a check with that of its first run in this session. */
  #compareWithFirst(run: ScriptRun): { readonly comparison: string; readonly news: readonly string[] } {
    const key = `${run.folder}\0${run.script.name}`;
    const first = this.#first.get(key);
    if (first === undefined) this.#first.set(key, run);
    if (first === undefined || (first.code === 0) === (run.code === 0)) {
      if (first === undefined || run.code === 0) return { comparison: '', news: [] };
      const news = listNewLines(first.output, run.output);
      const what = news.length === 0 ? 'all of it was there before' : formatQuantity(news.length, 'new line');
      return { comparison: `, failed before: ${what}`, news };
    }
    return { comparison: first.code === 0 ? ', passed before' : ', failed before', news: [] };
  }
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

/** Describes everything that runs, one step per line. */
function previewRun({ script, folder, command }: WantedRun): string {
  const place = folder === '' ? '' : ` in ${formatPath(folder)}`;
  const steps = script.steps.map(({ name, text }) => `  ${name}: ${text}`);
  return [`runs ${makeCommandTarget(command).slice('command:'.length)}${place}`, ...steps].join('\n');
}

function renderHead(run: ScriptRun): string {
  return `${run.code === 0 ? 'ok' : 'FAILED'} ${run.script.name} (${renderEnd(run)})`;
}

function createNoScriptError(name: string, scripts: readonly Script[]): ResourceError {
  const names = scripts.map((script) => script.name);
  const nearest = findNearestName(name, names);
  const remedy = nearest === undefined ? `There are ${names.join(', ') || 'none'}.` : `Did you mean ${nearest}?`;
  return new ResourceError(`no script '${name}'. ${remedy}`, [
    nearest === undefined ? '<R:>' : `<run_script:${nearest}>`,
  ]);
}

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
      { command: program, args, folder, project: root.folder, inherits: 'project', mergesErrors: true, onOutput },
      signal,
    );
    return { ...wanted, code, seconds: (performance.now() - started) / 1000, output: toReadableOutput(output) };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new ResourceError(
      `${program} is not installed, and runs the scripts here. Ask the user to install it.`,
      ['<R:>'],
      error,
    );
  }
}
