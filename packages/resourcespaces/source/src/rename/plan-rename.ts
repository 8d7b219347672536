import { ConflictError, type ToolContext } from '@bae/core';
import { EditError, refuseStale, SeenFiles } from '@bae/workspace';
import { resolveSymbol } from '../address/resolve-address.ts';
import { formatAddress, formatSymbolPath, type SymbolTarget } from '../address/target.ts';
import type { CodeBase } from '../modules/code-base.ts';
import type { CodeCatalog } from '../modules/code-catalog.ts';
import type { SourceModule } from '../modules/code-module.ts';
import type { ArgsOf } from '../params.ts';
import { makeModuleTextTag } from '../read/read-symbol.ts';
import type { FileEdits, RenamePlan } from '../type-service/plan-rename.ts';
import { applyEdits } from '../language/text-spans.ts';
import { queryTypes, renderTypeError, findSymbolOffset } from '../type-queries/query-types.ts';
import type { TypeService } from '../type-service/type-service.ts';

/** The call of a rename, and what it is planned with. */
export interface Renaming {
  readonly types: TypeService;
  readonly request: ArgsOf<'rename'>;
  readonly context: ToolContext;
}

/** A module before and after a rename. */
export interface RenamedModule {
  readonly source: SourceModule;
  /** The new text of the whole module. */
  readonly after: string;
  /** Number of places. */
  readonly places: number;
}

/** A rename that can be applied, or shown before. */
export interface PlannedRename {
  readonly target: SymbolTarget;
  /** Sorted by path. */
  readonly modules: readonly RenamedModule[];
  /** Names of modules that can be checked only after the package they use is built again. */
  readonly unchecked: readonly string[];
}

/** Errors or modules that are listed one by one. */
const MOST = 5;

/**
 * Works out what renaming a symbol changes in all modules, and changes nothing.
 *
 * @throws ResourceError when nothing has the address, or types cannot be queried; EditError when the rename is
 *   refused; ConflictError when a module changed since the session was shown it, or while it was planned
 */
export async function planRename(base: CodeBase, renaming: Renaming): Promise<PlannedRename> {
  const { types, request, context } = renaming;
  const { signal } = context;
  const target = await resolveSymbol(base, { address: request.target, verb: 'rename' });
  const place = { file: types.files.fileOf(target.source.module.path), offset: findSymbolOffset(target) };
  const query = { ...place, newName: request.to.trim() };
  const edits = types.renameEdits(query, signal);
  const plan = await queryTypes(edits, `<references:${formatAddress(target)}>`);
  const catalog = await base.catalog();
  const work = { renaming, base, catalog };
  if (plan.type !== 'edits') throw createRefusal(plan, target, work);
  const modules = await Promise.all(plan.files.map((file) => renameInModule(file, plan.oldName, work)));
  const nameOf = (file: string) => catalog.moduleAt(types.files.pathOf(file))?.name ?? file;
  return { target, modules, unchecked: plan.unchecked.map(nameOf) };
}

interface RenameWork {
  readonly renaming: Renaming;
  readonly base: CodeBase;
  readonly catalog: CodeCatalog;
}

async function renameInModule(
  { file, edits }: FileEdits,
  oldName: string,
  { renaming: { types, context }, base, catalog }: RenameWork,
): Promise<RenamedModule> {
  const path = types.files.pathOf(file);
  const module = catalog.moduleAt(path);
  if (module === undefined) throw new EditError(`the uses in ${path} are in no module. Nothing was changed.`, ['<R:>']);
  base.root.checkWritable(path);
  const source = await base.index.load(module);
  const tag = makeModuleTextTag(source);
  refuseStale(new SeenFiles(context).view(path), { name: module.name, tag }, source);
  if (!edits.every(({ start, end }) => source.text.slice(start, end) === oldName))
    throw new ConflictError(`${module.name} changed while ${oldName} was looked for. Nothing was changed.`, [tag]);
  return { source, after: applyEdits(source.text, edits), places: edits.length };
}

/** The error for a rename that the type service refused, in terms of modules. */
function createRefusal(
  plan: Exclude<RenamePlan, { readonly type: 'edits' }>,
  target: SymbolTarget,
  { renaming: { types, request }, catalog, base }: RenameWork,
): EditError {
  const nameOf = (file: string) => catalog.moduleAt(types.files.pathOf(file))?.name ?? 'a file that is no module';
  const fact = `${formatSymbolPath(target.path)} in ${target.source.module.name} was not renamed`;
  const tags = [`<references:${formatAddress(target)}>`];
  if (plan.type === 'refused' || plan.introduced.length === 0) {
    const cause = plan.type === 'refused' ? plan.reason : describeCapture(request.to.trim(), plan.captured.map(nameOf));
    return new EditError(`${fact}: ${cause}. Nothing was changed.`, tags);
  }
  const { introduced } = plan;
  const folder = base.root.folder;
  const rows = introduced
    .slice(0, MOST)
    .map((one) => `  ${nameOf(one.file)}:${one.line}: ${renderTypeError(one, { folder, catalog })}`);
  const more = introduced.length > MOST ? [`  … ${introduced.length - MOST} more`] : [];
  const count = `${introduced.length} new type error${introduced.length === 1 ? '' : 's'}`;
  return new EditError([`${fact}; it would bring ${count}:`, ...rows, ...more].join('\n'), tags);
}

function describeCapture(name: string, modules: readonly string[]): string {
  const more = modules.length > MOST ? ` and ${modules.length - MOST} more` : '';
  return `${name} means something else already in ${modules.slice(0, MOST).join(', ')}${more}`;
}
