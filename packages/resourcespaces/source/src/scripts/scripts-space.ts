import {
  findNearestName,
  inject,
  ResourceError,
  resourcespace,
  tool,
  type Change,
  type Resourcespace,
  type ToolContext,
} from '@bae/core';
import { formatPath, formatQuantity, WORKSPACE_ROOT, type WorkspaceRoot } from '@bae/workspace';
import { z } from 'zod';
import { findPackageFolder } from '../modules/find-packages.ts';
import { chooseChecks, findScripts, type Script } from './find-scripts.ts';
import { runScript, type ScriptRun } from './run-script.ts';

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
      .meta({ description: 'Name of a script; what follows it is given to the script', examples: ['build'] }),
    package: inPackage,
  }),
  check: z.object({ package: inPackage }),
} as const;

/** Longest run of a script, in milliseconds. */
const LIMIT_MS = 20 * 60 * 1000;
/** Changed files that are named. */
const MOST_NAMED = 12;

/** What a project says how to run: scripts of its package, targets of its makefile. */
@resourcespace({ name: 'scripts', description: 'What the project can run by name: its build, its checks.' })
export class ScriptsSpace implements Resourcespace {
  readonly #root: WorkspaceRoot;
  /** Results of the checks when they first ran here, by folder and name: what was there before the session. */
  readonly #firstCodes = new Map<string, number | null>();

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
  async read({ target, package: name }: z.output<typeof PARAMS.read>) {
    const scripts = await findScripts(this.#root, await findPackageFolder(this.#root, name));
    const exact = scripts.filter((script) => script.name === target);
    const found = exact.length > 0 ? exact : scripts.filter((script) => script.name.includes(target));
    if (found.length === 0 && target !== '') throw createNoScriptError(target, scripts);
    const lines = found.map(({ name: script, runs, file }) => `${script}: ${runs}  (${formatPath(file)})`);
    return { text: lines.join('\n') || '(no scripts)', format: 'plain' as const, rows: found.length };
  }

  @tool({
    description: 'What a script printed, and which files it changed.\nWords behind its name are given to the script.',
    params: PARAMS.run_script,
    effect: 'external',
    timeoutMs: LIMIT_MS,
    plan: true,
  })
  async run_script({ target, package: name }: z.output<typeof PARAMS.run_script>): Promise<Change> {
    const folder = await findPackageFolder(this.#root, name);
    const [called = '', ...args] = splitArguments(target);
    const scripts = await findScripts(this.#root, folder);
    const script = scripts.find((one) => one.name === called);
    if (script === undefined) throw createNoScriptError(called, scripts);
    const given = args.length === 0 ? '' : ` with ${args.join(' ')}`;
    return {
      touches: [{ outside: `script:${called}` }],
      preview: () => `runs ${called}${given} in ${formatPath(folder === '' ? '.' : folder)}: ${script.runs}`,
      apply: async (context) => {
        const { run, changed } = await this.#watch(context, () =>
          runScript(this.#root, { script, args, folder }, context.signal),
        );
        return {
          text: [renderHead(run), run.output, ...changed].filter((line) => line !== '').join('\n'),
          format: 'log',
          hint: renderCode(run),
        };
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
  })
  async check({ package: name }: z.output<typeof PARAMS.check>): Promise<Change> {
    const folder = await findPackageFolder(this.#root, name);
    const scripts = await findScripts(this.#root, folder);
    const checks = chooseChecks(scripts);
    if (checks.length === 0)
      throw new ResourceError('no script is named like a check: lint, typecheck, test.', [
        '<R:>',
        ...scripts.slice(0, 1).map((script) => `<run_script:${script.name}>`),
      ]);
    return {
      touches: checks.map((script) => ({ outside: `script:${script.name}` })),
      preview: () => checks.map((script) => `runs ${script.name}: ${script.runs}`).join('\n'),
      apply: async ({ signal }) => {
        const runs: ScriptRun[] = [];
        for (const script of checks) runs.push(await runScript(this.#root, { script, args: [], folder }, signal));
        const lines = runs.map((run) => renderHead(run) + this.#compareWithFirst(run, folder));
        const failed = runs.filter(({ code }) => code !== 0).flatMap((run) => [`--- ${run.script.name}`, run.output]);
        const hint = `${formatQuantity(runs.filter(({ code }) => code !== 0).length, 'failure')} in ${formatQuantity(runs.length, 'check')}`;
        return { text: [...lines, ...failed].join('\n'), format: 'log', hint };
      },
    };
  }

  #compareWithFirst({ script, code }: ScriptRun, folder: string): string {
    const key = `${folder}\0${script.name}`;
    const first = this.#firstCodes.get(key);
    if (!this.#firstCodes.has(key)) this.#firstCodes.set(key, code);
    if (first === undefined || first === code) return '';
    return first === 0 ? ', passed before' : ', failed before';
  }

  /** Runs work, and lists the files that are others afterwards. */
  async #watch({ signal }: Pick<ToolContext, 'signal'>, work: () => Promise<ScriptRun>) {
    const before = await this.#root.stamps({ pattern: '**/*', signal });
    const run = await work();
    const after = await this.#root.stamps({ pattern: '**/*', signal });
    const paths = [...new Set([...before.keys(), ...after.keys()])].filter(
      (path) => readState(before.get(path)) !== readState(after.get(path)),
    );
    const named = paths.slice(0, MOST_NAMED).map((path) => `${formatPath(path)}${after.has(path) ? '' : ' (gone)'}`);
    const more = paths.length - named.length;
    const line = `changed ${formatQuantity(paths.length, 'file')}: ${named.join(', ')}${more > 0 ? ` +${more}` : ''}`;
    return { run, changed: paths.length === 0 ? [] : [line] };
  }
}

/** A stamp without what makes it another one while the file is still being written. */
function readState(stamp: string | undefined): string | undefined {
  return stamp?.split(':').slice(0, 4).join(':');
}

function renderHead(run: ScriptRun): string {
  return `${run.code === 0 ? 'ok' : 'FAILED'} ${run.script.name} (${renderCode(run)}, ${run.seconds.toFixed(1)} s)`;
}

function renderCode({ code }: ScriptRun): string {
  return code === null ? 'killed' : `exit ${code}`;
}

/** Words as a shell divides them, quotes and all; nothing else means anything. */
function splitArguments(text: string): readonly string[] {
  const words = text.match(/(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\s"'])+/g) ?? [];
  return words.map((word) =>
    word.replaceAll(
      /"((?:[^"\\]|\\.)*)"|'([^']*)'/g,
      (_, double?: string, single?: string) => double?.replaceAll(/\\(.)/g, '$1') ?? single ?? '',
    ),
  );
}

function createNoScriptError(name: string, scripts: readonly Script[]): ResourceError {
  const names = scripts.map((script) => script.name);
  const nearest = findNearestName(name, names);
  const remedy = nearest === undefined ? `There are ${names.join(', ') || 'none'}.` : `Did you mean ${nearest}?`;
  return new ResourceError(`no script '${name}'. ${remedy}`, [
    nearest === undefined ? '<R:>' : `<run_script:${nearest}>`,
  ]);
}
