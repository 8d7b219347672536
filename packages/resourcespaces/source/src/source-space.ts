import { inject, resourcespace, tool, type Resourcespace, type SearchHit, type ToolContext } from '@bae/core';
import { formatQuantity, previewUndo, undoChanges, WORKSPACE_ROOT, type WorkspaceRoot } from '@bae/workspace';
import { fileWords } from './address/translate-path.ts';
import { keepIfGreen } from './change/keep-if-green.ts';
import type { CheckChange } from './change/check-change.ts';
import { editSymbol, type EditRequest, previewEdit } from './change/edit-symbol.ts';
import { editTarget, pathOf } from './change/edit-target.ts';
import { planWrite, type WriteRequest, previewWrite, writeModule } from './change/write-module.ts';
import { ConfigSpace } from './config/config-space.ts';
import { DepsSpace } from './deps/deps-space.ts';
import { MetaSpace } from './meta/meta-space.ts';
import { findScaffoldScope, isNewSpace, previewScaffold, scaffoldSpace, type NewSpace } from './meta/scaffold-space.ts';
import { CodeBase } from './modules/code-base.ts';
import { ModuleIndex } from './modules/module-index.ts';
import { SOURCE_PARAMS, type ArgsOf } from './params.ts';
import { SOURCE, type SourceOptions } from './provide-source.ts';
import { readAddress } from './read/read-target.ts';
import type { Renaming } from './rename/plan-rename.ts';
import { findRenameScope, previewRename, renameSymbol } from './rename/rename-symbol.ts';
import { globModules } from './search/glob-modules.ts';
import { grepModules, searchModules } from './search/grep-modules.ts';
import { TestsSpace } from './tests/tests-space.ts';
import { listDiagnostics } from './type-queries/list-diagnostics.ts';
import { listReferences } from './type-queries/list-references.ts';
import { checkTypes } from './type-queries/check-types.ts';
import { ModuleFiles } from './type-service/module-files.ts';
import { TypeService } from './type-service/type-service.ts';

/** Longest time of a call that checks the types of a whole project, in milliseconds. */
const LIMIT_MS = 120_000;

/** The code of a project, by module and symbol. */
@resourcespace({ name: 'source', description: 'Code by module and symbol.' })
export class SourceSpace implements Resourcespace {
  readonly #root: WorkspaceRoot;
  readonly #options: SourceOptions;
  readonly #index: ModuleIndex;
  readonly #types: TypeService;
  readonly #check: CheckChange;
  readonly #meta: MetaSpace | undefined;

  constructor(
    @inject(WORKSPACE_ROOT) root: WorkspaceRoot,
    @inject(SOURCE, { isOptional: true }) options: SourceOptions = {},
  ) {
    this.#root = root;
    this.#options = options;
    this.#index = new ModuleIndex(root, options.onProgress);
    this.#types = new TypeService(new ModuleFiles(root, this.#index));
    this.#check = checkTypes(this.#types);
    const { meta: host } = options;
    if (host !== undefined) this.#meta = new MetaSpace({ base: () => this.base, check: this.#check, host });
  }

  async enter(): Promise<string> {
    const { modules, packages } = await this.status();
    const counts = packages === 0 ? '' : `${formatQuantity(packages, 'package')}, `;
    return `Project ${this.#root.name}: ${counts}${formatQuantity(modules, 'module')}.`;
  }

  async status(): Promise<{ readonly modules: number; readonly packages: number }> {
    const catalog = await this.#index.catalog();
    const modules = catalog.modules.filter(({ declares }) => !declares).length;
    return { modules, packages: catalog.hasPackages ? catalog.packages.length - 1 : 0 };
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

  @tool({
    description: 'A package, module or symbol.\nWhat is in it; of a symbol its source.',
    params: SOURCE_PARAMS.read,
    range: true,
  })
  read(args: ArgsOf<'read'>, context: ToolContext) {
    return readAddress(this.base, args, context);
  }

  @tool({
    description:
      'Modules by name.\nA pattern such as core.**: * stands for any part of a name, ** for any number of names.',
    params: SOURCE_PARAMS.glob,
  })
  async glob(args: ArgsOf<'glob'>, context: ToolContext) {
    return globModules(await this.#index.catalog(), args, context);
  }

  @tool({ description: 'Lines that match.\nA regular expression, searched in modules.', params: SOURCE_PARAMS.grep })
  grep(args: ArgsOf<'grep'>, context: ToolContext) {
    return grepModules(this.base, args, context);
  }

  @tool({
    description:
      'A new module or space.\nWith overwrite=true it takes the place of a module that is there. A name without dots and without content makes a new resourcespace of templates: <W:weather></W>.',
    params: SOURCE_PARAMS.write,
    body: 'content',
    timeoutMs: LIMIT_MS,
    target(this: SourceSpace, args, context) {
      if (isNewSpace(args)) return findScaffoldScope(this.newSpace(args));
      return planWrite(this.base, writeRequest(args, context), context).then(({ path }) => path);
    },
    preview(this: SourceSpace, args, context) {
      if (isNewSpace(args)) return previewScaffold(this.newSpace(args));
      return previewWrite(this.base, writeRequest(args, context), context);
    },
  })
  write(args: ArgsOf<'write'>, context: ToolContext) {
    if (isNewSpace(args)) return scaffoldSpace(this.newSpace(args), context);
    const how = { check: this.#check, strict: args.strict };
    const change = () => writeModule(this.base, { ...writeRequest(args, context), how }, context);
    return keepIfGreen(this.base, { test: args.test, change }, context);
  }

  @tool({
    description:
      'The change of a symbol.\nThe body takes the place of the whole symbol, doc comment and decorators included.',
    params: SOURCE_PARAMS.edit,
    body: 'content',
    timeoutMs: LIMIT_MS,
    target(this: SourceSpace, { target }) {
      return pathOf(this.base, editTarget(target).target);
    },
    preview(this: SourceSpace, args, context) {
      return previewEdit(this.base, editRequest(args), context);
    },
  })
  edit(args: ArgsOf<'edit'>, context: ToolContext) {
    const how = { check: this.#check, strict: args.strict };
    const change = () => editSymbol(this.base, { ...editRequest(args), how }, context);
    return keepIfGreen(this.base, { test: args.test, change }, context);
  }

  @tool({ description: 'Uses of a symbol.', params: SOURCE_PARAMS.references, effect: 'read' })
  references(request: ArgsOf<'references'>, context: ToolContext) {
    return listReferences(this.base, this.#types, { request, context });
  }

  @tool({ description: 'Type errors.', params: SOURCE_PARAMS.diagnostics, effect: 'read', timeoutMs: LIMIT_MS })
  diagnostics(request: ArgsOf<'diagnostics'>, context: ToolContext) {
    return listDiagnostics(this.base, this.#types, { request, context });
  }

  @tool({
    description: 'A new name for a symbol.\nIn all modules that use it, or in none.',
    params: SOURCE_PARAMS.rename,
    timeoutMs: LIMIT_MS,
    target(this: SourceSpace, { target }) {
      return findRenameScope(this.base, target);
    },
    preview(this: SourceSpace, request, context) {
      return previewRename(this.base, this.renaming(request, context));
    },
  })
  rename(request: ArgsOf<'rename'>, context: ToolContext) {
    return renameSymbol(this.base, this.renaming(request, context));
  }

  @tool({
    description: 'Changes taken back.\nThe last ones of this session, exactly; a file that was changed since stays.',
    params: SOURCE_PARAMS.undo,
    effect: 'write',
    target: () => '',
    async preview(this: SourceSpace, args, context) {
      return previewUndo(this.base.root, await this.undoSteps(args), context);
    },
  })
  async undo(args: ArgsOf<'undo'>, context: ToolContext) {
    return undoChanges(this.base.root, await this.undoSteps(args), context);
  }

  // Options of decorators cannot reach #private members.

  /** The project as it is at the moment of the call. */
  private get base(): CodeBase {
    return new CodeBase(this.#root, this.#index);
  }

  private renaming(request: ArgsOf<'rename'>, context: ToolContext): Renaming {
    return { types: this.#types, request, context };
  }

  private newSpace(request: ArgsOf<'write'>): NewSpace {
    return { base: this.base, request, host: this.#options.meta };
  }

  private async undoSteps({ steps }: ArgsOf<'undo'>) {
    return { steps, words: fileWords(await this.base.catalog()) };
  }
}

function writeRequest(args: ArgsOf<'write'>, { block }: ToolContext): WriteRequest {
  return { ...args, block };
}

function editRequest({ target, content, rename, delete: remove }: ArgsOf<'edit'>): EditRequest {
  return { ...editTarget(target), body: content, rename, remove };
}
