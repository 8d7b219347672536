import { inject, resourcespace, tool, type Resourcespace, type SearchHit, type ToolContext } from '@bae/core';
import { formatQuantity, planUndo, WORKSPACE_ROOT, type WorkspaceRoot } from '@bae/workspace';
import { completeAddress } from './address/complete-address.ts';
import { locateName } from './address/locate-name.ts';
import { makeFileWords } from './address/target.ts';
import { keepIfGreen } from './change/module-change.ts';
import { findEditedPath, planEdit } from './change/edit-symbol.ts';
import { planRename } from './change/rename-symbol.ts';
import { findWrittenPath, planWrite } from './change/write-module.ts';
import { ConfigSpace } from './config/config-space.ts';
import { DepsSpace } from './deps/deps-space.ts';
import { MetaSpace } from './meta/meta-space.ts';
import { isNewSpace, planScaffold } from './meta/scaffold-space.ts';
import { isCompiled } from './language/outline.ts';
import { CodeBase, ModuleIndex } from './modules/module-index.ts';
import { findOtherCode, listLanguages } from './modules/other-code.ts';
import { SOURCE_PARAMS, type ArgsOf } from './params.ts';
import { SOURCE, type SourceOptions } from './provide-source.ts';
import { CODE_ROWS } from './read/paging.ts';
import { readAddress, readCode } from './read/read-target.ts';
import { globModules, grepModules, searchModules } from './search/search-modules.ts';
import { TestsSpace } from './tests/tests-space.ts';
import { listReferences } from './type-queries/list-references.ts';
import { checkTypes, listDiagnostics } from './type-queries/query-types.ts';
import { ModuleFiles } from './type-service/module-files.ts';
import { TypeService } from './type-service/type-service.ts';

const LIMIT_MS = 120_000;

/** The code of a project, by module and symbol. */
@resourcespace({
  name: 'source',
  description: 'Code by symbol: reads, changes and finds its uses.',
  synonyms: ['class', 'function', 'refactor', 'types'],
})
export class SourceSpace implements Resourcespace {
  readonly #root: WorkspaceRoot;
  readonly #options: SourceOptions;
  readonly #index: ModuleIndex;
  readonly #types: TypeService;
  readonly #meta: MetaSpace | undefined;

  constructor(
    @inject(WORKSPACE_ROOT) root: WorkspaceRoot,
    @inject(SOURCE, { isOptional: true }) options: SourceOptions = {},
  ) {
    this.#root = root;
    this.#options = options;
    this.#index = new ModuleIndex(root, options);
    this.#types = new TypeService(new ModuleFiles(root, this.#index));
    const { meta: host } = options;
    if (host !== undefined) this.#meta = new MetaSpace(() => this.base, host);
  }

  async enter(): Promise<string> {
    const catalog = await this.#index.catalog();
    const modules = catalog.modules.filter(({ declares }) => !declares).length;
    const packages = catalog.hasPackages ? catalog.packages.length - 1 : 0;
    const { text: others = '' } = (await findOtherCode(this.#root, this.#index)) ?? {};
    if (modules === 0)
      return `Project ${this.#root.name}: no modules of ${listLanguages(this.#index)}. ${others}`.trim();
    const counts = packages === 0 ? '' : `${formatQuantity(packages, 'package')}, `;
    return `Project ${this.#root.name}: ${counts}${formatQuantity(modules, 'module')}. ${others}`.trim();
  }

  /** True for the tools that need a compiler, while all modules are of languages that it does not know. */
  async isIdle(tool?: string): Promise<boolean> {
    if (tool !== 'diagnostics' && tool !== 'rename') return false;
    const { modules } = await this.#index.catalog();
    return modules.length > 0 && !modules.some(({ path }) => isCompiled(path));
  }

  children() {
    const hasMeta = this.#meta !== undefined && (this.#options.meta?.spaces().length ?? 0) > 0;
    return { deps: DepsSpace, config: ConfigSpace, tests: TestsSpace, ...(hasMeta && { meta: this.#meta }) };
  }

  dispose(): Promise<void> {
    return this.#types[Symbol.asyncDispose]();
  }

  search(query: string, limit: number): Promise<readonly SearchHit[]> {
    return searchModules(this.base, query, limit);
  }

  contentOf(address: string): Promise<string | undefined> {
    return readCode(this.base, address);
  }

  complete(typed: string, limit: number): Promise<readonly string[]> {
    return completeAddress(this.base, typed, limit);
  }

  locate(name: string, near: boolean) {
    return locateName(this.base, name.trim(), near);
  }

  @tool({
    description: 'A package, module or symbol (src/a.ts, Queue.add).\nWhat is in it; for a symbol, its source.',
    params: SOURCE_PARAMS.read,
    seesDraft: true,
    range: true,
  })
  read(args: ArgsOf<'read'>, context: ToolContext) {
    return readAddress(this.base, args, context);
  }

  @tool({
    description:
      'Modules by name.\nA pattern such as core.**: * stands for any part of a name, ** for any number of names.',
    params: SOURCE_PARAMS.glob,
    seesDraft: true,
    returns: 'string[]',
  })
  async glob(args: ArgsOf<'glob'>, context: ToolContext) {
    return globModules(await this.#index.catalog(), args, context);
  }

  @tool({
    description: 'Lines that match.\nA regular expression, searched in modules.',
    params: SOURCE_PARAMS.grep,
    seesDraft: true,
    returns: CODE_ROWS,
  })
  grep(args: ArgsOf<'grep'>, context: ToolContext) {
    return grepModules(this.base, args, context);
  }

  @tool({
    description:
      'A new module, or a symbol to add (Queue.size).\nWith overwrite=true it takes the place of one that is there. A name without dots and without content makes a new resourcespace of templates: <W:weather></W>.',
    params: SOURCE_PARAMS.write,
    body: 'content',
    // Tests run, and new spaces are loaded, from the disk.
    seesDraft: (args) => args.test === undefined && !isNewSpace(args),
    timeoutMs: LIMIT_MS,
    plan: true,
    // A new space has no path of its own: approval rules are compared with all of its files, which are known after
    // planning.
    target(this: SourceSpace, args, context) {
      return isNewSpace(args) ? '' : findWrittenPath(this.base, args, context);
    },
  })
  async write(args: ArgsOf<'write'>, context: ToolContext) {
    if (isNewSpace(args)) return planScaffold(this.base, args, this.#options.meta);
    const change = await planWrite(this.base, args, context);
    return keepIfGreen(this.base, change, args.test);
  }

  @tool({
    description:
      'The changed symbol, lines (Queue.add:12-14), or text.\nThe body takes the place of the whole symbol, or of lines (Queue.add:12-14), or blocks of old and new text of those parts.',
    params: SOURCE_PARAMS.edit,
    body: 'content',
    seesDraft: ({ test }) => test === undefined,
    timeoutMs: LIMIT_MS,
    plan: true,
    target(this: SourceSpace, args, context) {
      return findEditedPath(this.base, args, context);
    },
  })
  async edit(args: ArgsOf<'edit'>, context: ToolContext) {
    const change = await planEdit(this.base, args, context);
    return keepIfGreen(this.base, change, args.test);
  }

  @tool({
    description: 'Uses of a symbol.',
    params: SOURCE_PARAMS.references,
    effect: 'read',
    returns: CODE_ROWS,
  })
  references(request: ArgsOf<'references'>, context: ToolContext) {
    return listReferences(this.base, this.#types, { request, context });
  }

  @tool({
    description: 'Type errors.',
    params: SOURCE_PARAMS.diagnostics,
    effect: 'read',
    timeoutMs: LIMIT_MS,
    returns: CODE_ROWS,
  })
  diagnostics(request: ArgsOf<'diagnostics'>, context: ToolContext) {
    return listDiagnostics(this.base, this.#types, { request, context });
  }

  @tool({
    description: 'A new name for a symbol.\nIn all modules that use it, or in none.',
    params: SOURCE_PARAMS.rename,
    timeoutMs: LIMIT_MS,
    plan: true,
    // Approval rules are compared with all changed modules, which are known after planning.
    target: () => '',
  })
  rename(request: ArgsOf<'rename'>, context: ToolContext) {
    return planRename(this.base, { types: this.#types, request, context });
  }

  @tool({
    description: 'Changes taken back.\nThe last ones of this session, exactly; a file that was changed since stays.',
    params: SOURCE_PARAMS.undo,
    effect: 'write',
    plan: true,
    target: () => '',
  })
  async undo({ steps }: ArgsOf<'undo'>, context: ToolContext) {
    return planUndo(this.#root, { steps, words: makeFileWords(await this.#index.catalog()) }, context);
  }

  // Options of decorators cannot access #private members.

  /** The current state of the project. */
  private get base(): CodeBase {
    return new CodeBase(this.#root, this.#index, checkTypes(this.#types));
  }
}
