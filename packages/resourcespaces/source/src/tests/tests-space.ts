import { join } from 'node:path';
import {
  type Change,
  inject,
  ResourceError,
  resourcespace,
  type Resourcespace,
  tool,
  type ToolContext,
  type ToolOutput,
} from '@bae/core';
import { type CommandAccess, COMMANDS, getCommandLimits } from '@bae/project';
import { formatQuantity, WORKSPACE_ROOT, type WorkspaceRoot } from '@bae/workspace';
import { z } from 'zod';
import { readIfPossible } from '../errors.ts';
import { CodeBase, ModuleIndex } from '../modules/module-index.ts';
import { describeOtherTests, explainOtherTests } from './other-tests.ts';
import { findTests, readTestNames } from './find-tests.ts';
import { hasFailed, renderFailures, renderTestModule, renderTotals, type ResultStyle } from './render-results.ts';
import { listUnrunCommands } from './find-runner.ts';
import { splitRunnerOption } from './runner-options.ts';
import { describeNodes, LONGEST_CALL_S } from './runner-command.ts';
import { explainTestLimits, LONGEST_RUN_S, runTests, type WantedTests } from './run-tests.ts';
import type { TestName } from './test-names.ts';
import type { TestModuleResult } from './test-report.ts';

/** Time limit of a call: more than that of its runs, so that the results known by then are returned. */
const LIMIT_MS = (LONGEST_CALL_S + 60) * 1000;

const target = () =>
  z
    .string()
    .default('')
    .meta({ description: 'Test module, path, package, folder or title; default all', examples: [''] });

const PARAMS = {
  read: () => z.object({ target: target() }),
  test: () =>
    z.object({
      target: target(),
      name: z.string().default('').describe('Part of the names of the tests to run'),
      seconds: z.number().int().min(1).max(LONGEST_CALL_S).default(LONGEST_RUN_S).describe('Longest time of a runner'),
    }),
} as const;

/** The tests of a project: lists them, runs them, and keeps the results of the last run. */
@resourcespace({ name: 'tests', description: 'Tests and results.' })
export class TestsSpace implements Resourcespace {
  readonly #root: WorkspaceRoot;
  readonly #index: ModuleIndex;
  readonly #commands: CommandAccess | undefined;
  #results: readonly TestModuleResult[] | undefined;
  /** The first run of the session, and whether the session had changed nothing then. */
  #first: { readonly results: readonly TestModuleResult[]; readonly isUnchanged: boolean } | undefined;

  constructor(
    @inject(WORKSPACE_ROOT) root: WorkspaceRoot,
    @inject(COMMANDS, { isOptional: true }) commands?: CommandAccess,
  ) {
    this.#root = root;
    this.#index = new ModuleIndex(root);
    this.#commands = commands;
  }

  /** True while the project has no tests that can be run here. */
  async isIdle(tool?: string): Promise<boolean> {
    return tool === undefined && (await this.#find('')).modules.length === 0;
  }

  /** Releases what the limits of commands need. */
  dispose(): Promise<void> {
    return getCommandLimits(this.#root).close();
  }

  async enter(): Promise<string> {
    const { length: count } = (await this.#find('')).modules;
    const modules = count === 0 ? await this.#describeNone() : formatQuantity(count, 'test module');
    return this.#results === undefined ? modules : `${modules}; last run: ${renderTotals(this.#results)}`;
  }

  @tool({ description: 'Test modules and their numbers of tests; of one the names.', params: PARAMS.read })
  async read({ target }: z.output<ReturnType<typeof PARAMS.read>>, { tag, files }: ToolContext): Promise<ToolOutput> {
    const { modules, name } = await this.#find(target);
    if (target !== '') for (const { path } of modules) files.add(path);
    const { countTests } = await import('./test-names.ts');
    const tests = await Promise.all(
      modules.map(async (module) => {
        const reading = readTestNames(this.#root, module);
        // One that may not be read does not hide the others.
        const names = (modules.length === 1 ? await reading : await readIfPossible(reading)) ?? [];
        return { name: module.name, names, count: formatQuantity(countTests(names), 'test') };
      }),
    );
    const [only, ...others] = tests;
    if (only !== undefined && others.length === 0 && target !== '') {
      const names = name === '' ? only.names : keepNamed(only.names, name);
      return { text: [`${only.name}: ${only.count}`, ...renderTree(names, 1)].join('\n'), format: 'plain' };
    }
    const text = tests.map(({ name, count }) => `${name} ${count}`).join('\n');
    return { text: text || (await this.#describeNone(tag)), format: 'plain', rows: tests.length, whole: () => text };
  }

  @tool({
    description:
      'What passed and failed, of a file, folder, title or all.\nTests are run as the test script of the project runs them.',
    params: PARAMS.test,
    effect: 'external',
    selects: ['target', 'name'],
    timeoutMs: LIMIT_MS,
    plan: true,
  })
  async test(
    { target: wanted, name: given, seconds }: z.output<ReturnType<typeof PARAMS.test>>,
    { files }: ToolContext,
  ): Promise<Change> {
    const { target, name } = splitRunnerOption(wanted, given);
    const found = await this.#find(target);
    if (target !== '') for (const { path } of found.modules) files.add(path);
    const tests = name === '' ? found : { ...found, name };
    const { modules } = tests;
    if (modules.length === 0) {
      const request = { root: this.#root, index: this.#index, wanted: target, hasNone: true, commands: this.#commands };
      throw (
        (await explainOtherTests(request)) ??
        new ResourceError('this project has no test modules.', [await this.#firstTestTag()])
      );
    }
    return {
      touches: [],
      preview: () => `runs ${modules.map((module) => module.name).join(', ')}`,
      apply: async ({ signal, tag, session }) => {
        const isUnchanged = this.#first === undefined && !(await this.#hasChanged(session.id));
        const results = await runTests(this.#root, tests, { signal, seconds });
        this.#results = results;
        this.#first ??= { results, isUnchanged };
        const shown = await this.#show(results, renderFailures, tag);
        const failures = results.flatMap(({ failure, cases }) => [failure, ...cases.map((one) => one.failure)]);
        const limits = await explainTestLimits(getCommandLimits(this.#root), failures.join('\n'));
        const others = [
          ...(await describeNodes(this.#root, modules, { hasFailed: hasFailed(results), signal })),
          await this.#nameOtherCommands(tests, tag),
        ];
        const parts = [...limits, shown.text, ...others, this.#compareWithFirst(results)];
        return { ...shown, text: parts.filter((part) => part !== '').join('\n'), hint: renderTotals(results) };
      },
    };
  }

  @tool({
    description: 'What the last run came to: failures; of a module every test.',
    params: PARAMS.read,
    effect: 'read',
  })
  async results({ target }: z.output<ReturnType<typeof PARAMS.read>>, { tag }: ToolContext): Promise<ToolOutput> {
    if (this.#results === undefined) throw new ResourceError('no tests were run yet.', ['<test:>']);
    const files = new Set((await this.#find(target)).modules.map(({ path }) => join(this.#root.folder, path)));
    const results = this.#results.filter(({ file }) => files.has(file));
    const [first] = results;
    if (first === undefined) throw new ResourceError(`${target} was not in the last run.`, [`<test:${target}>`]);
    const isOne = target !== '' && results.length === 1;
    if (!isOne) return this.#show(results, renderFailures, tag);
    return this.#show(results, (_, style) => renderTestModule(first, { ...style, most: Infinity }), tag);
  }

  /** Renders the totals, then the results. Code gets failures with all of their lines. */
  async #show(
    results: readonly TestModuleResult[],
    render: typeof renderFailures,
    tag: ToolContext['tag'],
  ): Promise<ToolOutput> {
    const catalog = await this.#index.catalog();
    const nameOf = (file: string) => catalog.moduleOf(file)?.name ?? file;
    const pathOf = (file: string) => catalog.moduleOf(file)?.path;
    const restOf = (name: string) => tag(`<results:${name}>`);
    const names = await this.#listNames(results.filter((result) => hasFailed([result])).map(({ file }) => file));
    const lineOf = (file: string, titles: readonly string[]) => findLine(names.get(file) ?? [], titles.join(' '));
    const base = { nameOf, pathOf, lineOf };
    const text = (style: ResultStyle) =>
      [renderTotals(results), render(results, style)].filter((part) => part !== '').join('\n');
    const whole = () => text({ ...base, most: Infinity });
    return { text: text({ ...base, restOf }), format: 'plain', failed: hasFailed(results), whole };
  }

  /** Lists the names in test modules by the absolute path of the module. */
  async #listNames(files: readonly string[]): Promise<ReadonlyMap<string, readonly TestName[]>> {
    if (files.length === 0) return new Map();
    const catalog = await this.#index.catalog();
    const entries = files.map(async (file) => {
      const module = catalog.moduleOf(file);
      const names = module && (await readIfPossible(readTestNames(this.#root, module)));
      return [file, names ?? []] as const;
    });
    return new Map(await Promise.all(entries));
  }

  /** Says what else the test script does, if all of the tests were run. */
  async #nameOtherCommands({ modules, isAll }: WantedTests, tag: ToolContext['tag']): Promise<string> {
    if (isAll !== true) return '';
    const folders = modules.map(({ package: { folder } }) => folder);
    const others = await listUnrunCommands(this.#root, folders);
    if (others.length === 0) return '';
    const script = folders.every((folder) => folder === '') ? ` (${tag('<scripts.R:test>')})` : '';
    return `Not run, though the test script does: ${others.join(', ')}${script}`;
  }

  #compareWithFirst(results: readonly TestModuleResult[]): string {
    if (this.#first === undefined || results === this.#first.results) return '';
    const failed = listFailed(results);
    const failedFirst = new Set(listFailed(this.#first.results));
    const before = failed.filter((one) => failedFirst.has(one)).length;
    if (before === 0) return '';
    const when = this.#first.isUnchanged ? '.' : ', which came after its first changes.';
    const all = failed.length === 1 ? 'This' : `All ${failed.length}`;
    const subject = before === failed.length ? all : `${before} of the ${failed.length} failing tests`;
    return `${subject} also failed in the first run of this session${when}`;
  }

  /** Tests whether a session has already changed a file. */
  async #hasChanged(session: string): Promise<boolean> {
    const operations = await this.#root.operations();
    return operations.some((operation) => operation.session === session);
  }

  async #firstTestTag(): Promise<string> {
    const { modules, hasPackages } = await this.#index.catalog();
    const tested = modules.find(({ isIndex, declares }) => !isIndex && !declares);
    if (tested === undefined && hasPackages) return '<source.R:>';
    return `<source.W:${tested?.name ?? 'app'}.test>…</source.W>`;
  }

  /**
   * Explains that there are no tests: those of other languages are unknown here, even if a reader knows their modules.
   */
  async #describeNone(tag?: ToolContext['tag']): Promise<string> {
    const request = { root: this.#root, index: this.#index, commands: this.#commands };
    const others = await describeOtherTests({ ...request, ...(tag && { tag }) });
    return others === '' ? '(no tests)' : `(no tests of JavaScript or TypeScript)\n${others}`;
  }

  #find(target: string): Promise<WantedTests> {
    return findTests(new CodeBase(this.#root, this.#index), target, { commands: this.#commands });
  }
}

function listFailed(results: readonly TestModuleResult[]): readonly string[] {
  return results.flatMap(({ file, cases, failure }) => [
    ...(failure === '' ? [] : [file]),
    ...cases.filter(({ status }) => status === 'failed').map(({ titles }) => [file, ...titles].join('\0')),
  ]);
}

/** Finds the line at which a test begins, by its titles joined by blanks; undefined for one whose title is computed. */
function findLine(names: readonly TestName[], title: string): number | undefined {
  for (const one of names) {
    if (one.title === title) return one.line;
    const line = title.startsWith(`${one.title} `)
      ? findLine(one.children, title.slice(one.title.length + 1))
      : undefined;
    if (line !== undefined) return line;
  }
  return undefined;
}

/** Keeps the tests with a part of a title, and the groups that contain them. */
function keepNamed(names: readonly TestName[], part: string): readonly TestName[] {
  return names.flatMap((one) => {
    const children = one.title.includes(part) ? one.children : keepNamed(one.children, part);
    return one.title.includes(part) || children.length > 0 ? [{ ...one, children }] : [];
  });
}

function renderTree(names: readonly TestName[], depth: number): readonly string[] {
  return names.flatMap(({ title, line, children }) => [
    `${'  '.repeat(depth)}${title} :${line}`,
    ...renderTree(children, depth + 1),
  ]);
}
