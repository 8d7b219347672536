import { join } from 'node:path';
import {
  inject,
  ResourceError,
  resourcespace,
  tool,
  type Change,
  type Resourcespace,
  type ToolOutput,
} from '@bae/core';
import { formatQuantity, WORKSPACE_ROOT, type WorkspaceRoot } from '@bae/workspace';
import { z } from 'zod';
import type { CodeModule } from '../modules/code-catalog.ts';
import { ModuleIndex } from '../modules/module-index.ts';
import {
  findTestModules,
  renderFailures,
  renderTestModule,
  renderTotals,
  type ResultStyle,
  runTests,
  type TestModuleResult,
} from './run-tests.ts';
import type { TestName } from './test-names.ts';

const LIMIT_MS = 10 * 60 * 1000;

const target = z
  .string()
  .default('')
  .meta({ description: 'Test module, package or folder; default all', examples: [''] });

const PARAMS = {
  read: z.object({ target }),
  test: z.object({ target, name: z.string().default('').describe('Part of the names of the tests to run') }),
} as const;

/** The tests of a project: lists them, runs them, and keeps the results of the last run. */
@resourcespace({ name: 'tests', description: 'Tests and results.' })
export class TestsSpace implements Resourcespace {
  readonly #root: WorkspaceRoot;
  readonly #index: ModuleIndex;
  #results: readonly TestModuleResult[] | undefined;

  constructor(@inject(WORKSPACE_ROOT) root: WorkspaceRoot) {
    this.#root = root;
    this.#index = new ModuleIndex(root);
  }

  async enter(): Promise<string> {
    const modules = formatQuantity((await this.#findModules('')).length, 'test module');
    return this.#results === undefined ? modules : `${modules}; last run: ${renderTotals(this.#results)}`;
  }

  @tool({ description: 'Test modules with the number of their tests; of one module the names.', params: PARAMS.read })
  async read({ target }: z.output<typeof PARAMS.read>): Promise<ToolOutput> {
    const modules = await this.#findModules(target);
    // Loaded when it is first needed, so that entering the space is fast.
    const { countTests, listTestNames } = await import('./test-names.ts');
    const tests = await Promise.all(
      modules.map(async ({ name, path }) => {
        const names = listTestNames((await this.#root.readText(path)).text, path);
        return { name, names, count: formatQuantity(countTests(names), 'test') };
      }),
    );
    const [only] = tests;
    if (only?.name === target) {
      return { text: [`${target}: ${only.count}`, ...renderTree(only.names, 1)].join('\n'), format: 'plain' };
    }
    const text = tests.map(({ name, count }) => `${name} ${count}`).join('\n');
    return { text: text || '(no tests)', format: 'plain', rows: tests.length, whole: () => text };
  }

  @tool({
    description: 'What passed and what failed. Runs tests with the runner of the project.',
    params: PARAMS.test,
    effect: 'external',
    timeoutMs: LIMIT_MS,
    plan: true,
  })
  async test({ target, name }: z.output<typeof PARAMS.test>): Promise<Change> {
    const modules = await this.#findModules(target);
    if (modules.length === 0)
      throw new ResourceError('this project has no test modules.', [await this.#firstTestTag()]);
    return {
      touches: [],
      preview: () => `runs ${modules.map((module) => module.name).join(', ')}`,
      apply: async ({ signal }) => {
        const results = await runTests(this.#root, { modules, name }, signal);
        this.#results = results;
        return { ...(await this.#show(results, renderFailures)), hint: renderTotals(results) };
      },
    };
  }

  @tool({
    description: 'What the last run came to: failures, or every test of a module.',
    params: PARAMS.read,
    effect: 'read',
  })
  async results({ target }: z.output<typeof PARAMS.read>): Promise<ToolOutput> {
    if (this.#results === undefined) throw new ResourceError('no tests were run yet.', ['<test:>']);
    const files = new Set((await this.#findModules(target)).map(({ path }) => join(this.#root.folder, path)));
    const results = this.#results.filter(({ file }) => files.has(file));
    const [first] = results;
    if (first === undefined) throw new ResourceError(`${target} was not in the last run.`, [`<test:${target}>`]);
    const isOne = target !== '' && results.length === 1;
    return this.#show(results, isOne ? (_, style) => renderTestModule(first, style) : renderFailures);
  }

  /** Totals, then the rendered results. Code gets failures with all of their lines. */
  async #show(results: readonly TestModuleResult[], render: typeof renderFailures): Promise<ToolOutput> {
    const catalog = await this.#index.catalog();
    const nameOf = (file: string) => catalog.moduleOf(file)?.name ?? file;
    const text = (style: ResultStyle) =>
      [renderTotals(results), render(results, style)].filter((part) => part !== '').join('\n');
    return { text: text({ nameOf }), format: 'plain', whole: () => text({ nameOf, most: Infinity }) };
  }

  async #firstTestTag(): Promise<string> {
    const { modules, hasPackages } = await this.#index.catalog();
    const tested = modules.find(({ isIndex, declares }) => !isIndex && !declares);
    if (tested === undefined && hasPackages) return '<source.R:>';
    return `<source.W:${tested?.name ?? 'app'}.test>…</source.W>`;
  }

  async #findModules(target: string): Promise<readonly CodeModule[]> {
    return findTestModules(await this.#index.catalog(), target);
  }
}

function renderTree(names: readonly TestName[], depth: number): readonly string[] {
  return names.flatMap(({ title, line, children }) => [
    `${'  '.repeat(depth)}${title} :${line}`,
    ...renderTree(children, depth + 1),
  ]);
}
