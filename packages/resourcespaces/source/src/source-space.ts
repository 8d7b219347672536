import { inject, resourcespace, tool, type Resourcespace, type SearchHit, type ToolContext } from '@bae/core';
import { counted, previewUndo, undoChanges, WORKSPACE_ROOT, type WorkspaceRoot } from '@bae/workspace';
import { fileWords } from './address/file-words.ts';
import type { CheckChange } from './change/check-change.ts';
import { type EditRequest, editSymbol, previewEdit } from './change/edit-symbol.ts';
import { editTarget, pathOf } from './change/edit-target.ts';
import { planWrite, previewWrite, writeModule, type WriteRequest } from './change/write-module.ts';
import { keepIfGreen } from './change/keep-if-green.ts';
import { CodeBase } from './modules/code-base.ts';
import { ModuleIndex } from './modules/module-index.ts';
import { SOURCE_PARAMS, type ArgsOf } from './params.ts';
import { SOURCE, type SourceOptions } from './provide-source.ts';
import { MetaSpace } from './meta/meta-space.ts';
import { listDiagnostics } from './questions/list-diagnostics.ts';
import { listReferences } from './questions/list-references.ts';
import { readTarget } from './read/read-target.ts';
import { previewRenaming } from './rename/preview-renaming.ts';
import { renameScope } from './rename/rename-scope.ts';
import { renameSymbol } from './rename/rename-symbol.ts';
import { isNewSpace, type NewSpace } from './scaffold/new-space.ts';
import { previewScaffold, scaffoldScope } from './scaffold/preview-scaffold.ts';
import { scaffoldSpace } from './scaffold/scaffold-space.ts';
import { globModules } from './search/glob-modules.ts';
import { grepModules } from './search/grep-modules.ts';
import { searchModules } from './search/search-modules.ts';
import { ConfigSpace } from './subspaces/config-space.ts';
import { DepsSpace } from './subspaces/deps-space.ts';
import { TestsSpace } from './subspaces/tests-space.ts';
import { checkTypes } from './module-types/check-types.ts';
import { ModuleTypes } from './module-types/module-types.ts';

/** Longest time of what asks for the types of a whole project, in milliseconds. */
const LIMIT_MS = 120_000;

/** The code of a project, by module and symbol. */
@resourcespace({ name: 'source', description: 'Code by module and symbol.' })
export class SourceSpace implements Resourcespace {
  readonly #root: WorkspaceRoot;
  readonly #options: SourceOptions;
  readonly #index: ModuleIndex;
  readonly #types: ModuleTypes;
  readonly #check: CheckChange;
  readonly #meta: MetaSpace | undefined;

  constructor(
    @inject(WORKSPACE_ROOT) root: WorkspaceRoot,
    @inject(SOURCE, { isOptional: true }) options: SourceOptions = {},
  ) {
    this.#root = root;
    this.#options = options;
    this.#index = new ModuleIndex(root, options.onProgress);
    this.#types = new ModuleTypes(root, this.#index);
    this.#check = checkTypes({ types: this.#types, index: this.#index, folder: root.folder });
    const { meta: host } = options;
    if (host !== undefined) this.#meta = new MetaSpace({ base: () => this.#base, check: this.#check, host });
  }

  async enter(): Promise<string> {
    const { modules, packages } = await this.status();
    const what = packages === 0 ? '' : `${counted(packages, 'package')}, `;
    return `Project ${this.#root.name}: ${what}${counted(modules, 'module')}.`;
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
    return searchModules(this.#base, query, limit);
  }

  @tool({
    description: 'A package, module or symbol.\nWhat is in it; of a symbol its source.',
    params: SOURCE_PARAMS.read,
    range: true,
  })
  read({ target, page, all }: ArgsOf<'read'>, context: ToolContext) {
    return readTarget(this.#base, { target, page, all, range: context.range }, context);
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
  grep({ pattern: argument, path, all }: ArgsOf<'grep'>, context: ToolContext) {
    return grepModules(this.#base, { argument, path, all }, context);
  }

  @tool({
    description:
      'A new module or space.\nWith overwrite=true it takes the place of a module that is there. A name without dots and without content makes a new resourcespace of templates: <W:weather></W>.',
    params: SOURCE_PARAMS.write,
    body: 'content',
    timeoutMs: LIMIT_MS,
    target(this: SourceSpace, args, context) {
      return this.writePath(args, context);
    },
    preview(this: SourceSpace, args, context) {
      return this.previewWrite(args, context);
    },
  })
  write(args: ArgsOf<'write'>, context: ToolContext) {
    if (isNewSpace(args)) return scaffoldSpace(this.#newSpace(args), context);
    const request = { ...writeRequest(args, context), how: this.#how(args.strict) };
    const change = () => writeModule(this.#base, request, context);
    return keepIfGreen(this.#base, { test: args.test, change }, context);
  }

  @tool({
    description:
      'The change of a symbol.\nThe body takes the place of the whole symbol, doc comment and decorators included.',
    params: SOURCE_PARAMS.edit,
    body: 'content',
    timeoutMs: LIMIT_MS,
    target(this: SourceSpace, { target }) {
      return this.editPath(target);
    },
    preview(this: SourceSpace, args, context) {
      return this.previewEdit(args, context);
    },
  })
  edit(args: ArgsOf<'edit'>, context: ToolContext) {
    const request = { ...editRequest(args), how: this.#how(args.strict) };
    const change = () => editSymbol(this.#base, request, context);
    return keepIfGreen(this.#base, { test: args.test, change }, context);
  }

  @tool({ description: 'Uses of a symbol.', params: SOURCE_PARAMS.references, effect: 'read' })
  references(request: ArgsOf<'references'>, context: ToolContext) {
    return listReferences(this.#base, this.#types, { request, context });
  }

  @tool({ description: 'Type errors.', params: SOURCE_PARAMS.diagnostics, effect: 'read', timeoutMs: LIMIT_MS })
  diagnostics(request: ArgsOf<'diagnostics'>, context: ToolContext) {
    return listDiagnostics(this.#base, this.#types, { request, context });
  }

  @tool({
    description: 'A new name for a symbol.\nIn all modules that use it, or in none.',
    params: SOURCE_PARAMS.rename,
    timeoutMs: LIMIT_MS,
    target(this: SourceSpace, { target }) {
      return this.renameScope(target);
    },
    preview(this: SourceSpace, request, context) {
      return this.previewRenaming(request, context);
    },
  })
  rename(request: ArgsOf<'rename'>, context: ToolContext) {
    return renameSymbol(this.#base, { types: this.#types, request, context });
  }

  @tool({
    description: 'Changes taken back.\nThe last ones of this session, exactly; a file that was changed since stays.',
    params: SOURCE_PARAMS.undo,
    effect: 'write',
    target: () => '',
    preview(this: SourceSpace, { steps }, context) {
      return this.previewUndo(steps, context);
    },
  })
  async undo({ steps }: ArgsOf<'undo'>, context: ToolContext) {
    return undoChanges(this.#root, { steps, words: fileWords(await this.#index.catalog()) }, context);
  }

  /** What one call works on. */
  get #base(): CodeBase {
    return new CodeBase(this.#root, this.#index);
  }

  #how(strict: boolean) {
    return { check: this.#check, strict };
  }

  private renameScope(target: string): Promise<string> {
    return renameScope(this.#base, target);
  }

  private previewRenaming(request: ArgsOf<'rename'>, context: ToolContext): Promise<string> {
    return previewRenaming(this.#base, { types: this.#types, request, context });
  }

  #newSpace(request: ArgsOf<'write'>): NewSpace {
    return { base: this.#base, request, host: this.#options.meta };
  }

  private writePath(args: ArgsOf<'write'>, context: ToolContext): Promise<string> {
    if (isNewSpace(args)) return scaffoldScope(this.#newSpace(args));
    return planWrite(this.#base, writeRequest(args, context), context).then(({ path }) => path);
  }

  private previewWrite(args: ArgsOf<'write'>, context: ToolContext): Promise<string> {
    if (isNewSpace(args)) return previewScaffold(this.#newSpace(args));
    return previewWrite(this.#base, writeRequest(args, context), context);
  }

  private editPath(target: string): Promise<string> {
    return pathOf(this.#base, editTarget(target).target);
  }

  private previewEdit(args: ArgsOf<'edit'>, context: ToolContext): Promise<string> {
    return previewEdit(this.#base, editRequest(args), context);
  }

  private async previewUndo(steps: number, context: ToolContext): Promise<string> {
    return previewUndo(this.#root, { steps, words: fileWords(await this.#index.catalog()) }, context);
  }
}

function writeRequest(args: ArgsOf<'write'>, { block }: ToolContext): WriteRequest {
  return { ...args, block };
}

function editRequest({ target, content, rename, delete: remove }: ArgsOf<'edit'>): EditRequest {
  return { ...editTarget(target), body: content, rename, remove };
}
