import { join } from 'node:path';
import {
  inject,
  ResourceError,
  resourcespace,
  tool,
  type Resourcespace,
  type ToolContext,
  type ToolOutput,
} from '@bae/core';
import { counted, WORKSPACE_ROOT, type WorkspaceRoot } from '@bae/workspace';
import { z } from 'zod';
import type { CodeModule } from '../modules/code-module.ts';
import { ModuleIndex } from '../modules/module-index.ts';
import { findTestModules, testModules } from './find-test-modules.ts';
import { renderFailures, renderModule, renderTotals, type ResultWords } from './render-results.ts';
import { runTests } from './run-tests.ts';
import type { TestName } from './test-names.ts';
import type { TestModuleResult } from './test-result.ts';

const LIMIT_MS = 10 * 60 * 1000;

const target = z
  .string()
  .default('')
  .meta({ description: 'Test module, package or folder; default all', examples: [''] });

const PARAMS = {
  read: z.object({ target }),
  test: z.object({ target, name: z.string().default('').describe('Part of the names of the tests to run') }),
} as const;

/** The tests of a project: what there is, running them, and what came of the last run. */
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
    const modules = counted((await this.#modules()).length, 'test module');
    return this.#results === undefined ? modules : `${modules}; last run: ${renderTotals(this.#results)}`;
  }

  @tool({ description: 'Test modules with the number of their tests; of one module the names.', params: PARAMS.read })
  async read({ target: wanted }: z.output<typeof PARAMS.read>) {
    const modules = await this.#find(wanted);
    // Loaded when it is first needed, so that the space is there at once.
    const { countTests } = await import('./test-names.ts');
    const names = await Promise.all(modules.map(async (module) => ({ module, names: await this.#namesOf(module) })));
    const [only] = names;
    if (only !== undefined && only.module.name === wanted) {
      return {
        text: [`${wanted}: ${counted(countTests(only.names), 'test')}`, ...tree(only.names, 1)].join('\n'),
        format: 'plain' as const,
      };
    }
    const rows = names.map((one) => `${one.module.name} ${counted(countTests(one.names), 'test')}`);
    const text = rows.join('\n');
    return { text: text || '(no tests)', format: 'plain' as const, rows: rows.length, whole: () => text };
  }

  @tool({
    description: 'What passed and what failed. Runs tests with the runner of the project.',
    params: PARAMS.test,
    effect: 'external',
    timeoutMs: LIMIT_MS,
  })
  async test({ target: wanted, name }: z.output<typeof PARAMS.test>, { signal }: ToolContext) {
    const modules = await this.#find(wanted);
    if (modules.length === 0) throw new ResourceError('this project has no test modules.', [await this.#firstTest()]);
    const results = await runTests(this.#root, { modules, name }, signal);
    this.#results = results;
    return { ...(await this.#answer(results, renderFailures)), hint: renderTotals(results) };
  }

  @tool({
    description: 'What the last run came to: failures, or every test of a module.',
    params: PARAMS.read,
    effect: 'read',
  })
  async results({ target: wanted }: z.output<typeof PARAMS.read>) {
    if (this.#results === undefined) throw new ResourceError('no tests were run yet.', ['<test:>']);
    const files = new Set((await this.#find(wanted)).map((module) => this.#file(module)));
    const results = this.#results.filter(({ file }) => files.has(file));
    if (results.length === 0) throw new ResourceError(`${wanted} was not in the last run.`, [`<test:${wanted}>`]);
    const isOne = wanted !== '' && results.length === 1;
    return this.#answer(results, isOne ? renderFirst : renderFailures);
  }

  /** Totals, then what is to be shown of each module. Code gets failures with all of their lines. */
  async #answer(results: readonly TestModuleResult[], render: typeof renderFailures): Promise<ToolOutput> {
    const { modules } = await this.#index.catalog();
    const names = new Map(modules.map((module) => [this.#file(module), module.name]));
    const nameOf = (file: string) => names.get(file) ?? file;
    const text = (words: ResultWords) =>
      [renderTotals(results), render(results, words)].filter((part) => part !== '').join('\n');
    return { text: text({ nameOf }), format: 'plain', whole: () => text({ nameOf, most: Infinity }) };
  }

  /** The tag that writes a first test, of a module that is there. */
  async #firstTest(): Promise<string> {
    const { modules, hasPackages } = await this.#index.catalog();
    const tested = modules.find(({ isIndex, declares }) => !isIndex && !declares);
    if (tested === undefined && hasPackages) return '<source.R:>';
    return `<source.W:${tested?.name ?? 'app'}.test>…</source.W>`;
  }

  async #modules(): Promise<readonly CodeModule[]> {
    return testModules(await this.#index.catalog());
  }

  async #find(wanted: string): Promise<readonly CodeModule[]> {
    return findTestModules(await this.#index.catalog(), wanted);
  }

  async #namesOf({ path }: CodeModule): Promise<readonly TestName[]> {
    const { testNames } = await import('./test-names.ts');
    return testNames((await this.#root.readText(path)).text, path);
  }

  #file({ path }: CodeModule): string {
    return join(this.#root.folder, path);
  }
}

function renderFirst([only]: readonly TestModuleResult[], words: ResultWords): string {
  return renderModule(only as TestModuleResult, words);
}

function tree(names: readonly TestName[], depth: number): readonly string[] {
  return names.flatMap(({ title, line, children }) => [
    `${'  '.repeat(depth)}${title} :${line}`,
    ...tree(children, depth + 1),
  ]);
}
