import { ConflictError, type ToolContext } from '@bae/core';
import { EditError, formatQuantity, refuseStale, SeenFiles } from '@bae/workspace';
import { listFirst, resolveSymbol } from '../address/resolve-address.ts';
import { formatAddress, formatSymbolPath, type SymbolTarget } from '../address/target.ts';
import { applyEdits } from '../language/outline.ts';
import type { CodeBase } from '../modules/module-index.ts';
import type { CodeCatalog, SourceModule } from '../modules/code-catalog.ts';
import type { ArgsOf } from '../params.ts';
import { makeModuleTextTag } from '../read/read-symbol.ts';
import { listOtherMentions } from '../type-queries/list-references.ts';
import { findSymbolOffset, queryTypes, renderTypeError } from '../type-queries/query-types.ts';
import type { FileEdits, RenamePlan } from '../type-service/plan-rename.ts';
import type { TypeService } from '../type-service/type-service.ts';
import { limitRows, type ModuleChange, planModules } from './module-change.ts';

/** The call of a rename, and what it is planned with. */
interface Renaming {
  readonly types: TypeService;
  readonly request: ArgsOf<'rename'>;
  readonly context: ToolContext;
}

interface RenamedModule {
  readonly source: SourceModule;
  readonly after: string;
  readonly places: number;
}

const MOST = 5;
const MOST_MODULES = 20;

/**
 * Plans to rename a symbol and all its uses, in all modules or in none.
 *
 * @throws ResourceError when nothing has the address, or types cannot be queried; EditError when the rename is
 *   refused; ConflictError when a module changed since the session was shown it, or while it was planned
 */
export async function planRename(base: CodeBase, renaming: Renaming): Promise<ModuleChange> {
  const { types, request, context } = renaming;
  const { signal, definition, tag } = context;
  const target = await resolveSymbol(base, { address: request.target, definition });
  const place = { file: types.files.fileOf(target.source.module.path), offset: findSymbolOffset(target) };
  const newName = request.to.trim();
  const edits = types.renameEdits({ ...place, newName }, signal);
  const plan = await queryTypes(edits, `<references:${formatAddress(target)}>`);
  const work = { renaming, base, catalog: await base.catalog() };
  if (plan.type !== 'edits') throw createRefusal(plan, target, work);
  const modules = await Promise.all(plan.files.map((file) => renameInModule(file, plan.oldName, work)));
  const known = new Set(modules.map(({ source }) => source.module.path));
  const places = modules.reduce((sum, one) => sum + one.places, 0);
  const rows = modules.map((one) => `  ${one.source.module.name} (${one.places})`);
  const unchecked = plan.unchecked.map((file) => findModuleName(file, work) ?? file);
  const count = formatQuantity(modules.length, 'module');
  const what = `${formatSymbolPath(target.path)} in ${target.source.module.name} to ${newName}`;
  const lines = [
    `Renamed ${what}: ${formatQuantity(places, 'place')} in ${count}`,
    ...limitRows(rows, MOST_MODULES),
    ...(unchecked.length === 0 ? [] : [`can be checked when it is built again: ${unchecked.join(', ')}`]),
    ...(await listOtherMentions(base, { target, known }, signal)),
    `Take it back with ${tag('<undo:>')}`,
  ];
  return planModules({
    root: base.root,
    files: modules.map(({ source: { module, text, hash }, after, places }) => {
      return {
        path: module.path,
        before: text,
        text: after,
        expected: hash,
        action: 'rename',
        lines: [places, places],
      };
    }),
    output: { text: lines.join('\n'), format: 'plain', rows: modules.length, hint: count },
  });
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
  const source = await base.index.load(module);
  const tag = makeModuleTextTag(source);
  refuseStale(new SeenFiles(context).view(path), { name: module.name, tag }, source);
  if (!edits.every(({ start, end }) => source.text.slice(start, end) === oldName))
    throw new ConflictError(`${module.name} changed while ${oldName} was looked for. Nothing was changed.`, [tag]);
  return { source, after: applyEdits(source.text, edits), places: edits.length };
}

function findModuleName(file: string, { renaming: { types }, catalog }: RenameWork): string | undefined {
  return catalog.moduleAt(types.files.pathOf(file))?.name;
}

function createRefusal(
  plan: Exclude<RenamePlan, { readonly type: 'edits' }>,
  target: SymbolTarget,
  work: RenameWork,
): EditError {
  const { renaming, catalog, base } = work;
  const nameOf = (file: string) => findModuleName(file, work) ?? 'a file that is no module';
  const fact = `${formatSymbolPath(target.path)} in ${target.source.module.name} was not renamed`;
  const tags = [`<references:${formatAddress(target)}>`];
  if (plan.type === 'refused' || plan.introduced.length === 0) {
    const cause =
      plan.type === 'refused' ? plan.reason : describeCapture(renaming.request.to.trim(), plan.captured.map(nameOf));
    return new EditError(`${fact}: ${cause}. Nothing was changed.`, tags);
  }
  const { introduced } = plan;
  const folder = base.root.folder;
  const rows = introduced.map(
    (one) => `  ${nameOf(one.file)}:${one.line}: ${renderTypeError(one, { folder, catalog })}`,
  );
  const count = formatQuantity(introduced.length, 'new type error');
  return new EditError([`${fact}; it would bring ${count}:`, ...limitRows(rows, MOST)].join('\n'), tags);
}

function describeCapture(name: string, modules: readonly string[]): string {
  return `${name} means something else already in ${listFirst(modules, MOST)}`;
}
