import { ConflictError, type ToolContext } from '@bae/core';
import { EditError, refuseStale, SeenFiles } from '@bae/workspace';
import { addressOf, symbolName, type SymbolTarget } from '../address/target.ts';
import type { CodeBase } from '../modules/code-base.ts';
import type { CodeCatalog } from '../modules/code-catalog.ts';
import type { SourceModule } from '../modules/code-module.ts';
import { moduleTextTag } from '../read/text-tag.ts';
import { resolveSymbol } from '../questions/resolve-symbol.ts';
import type { RenamePlan } from '../type-service/plan-rename.ts';
import type { FileEdits } from '../type-service/check-rename.ts';
import { applyEdits } from '../language/text-spans.ts';
import { answerAboutTypes, type ModuleTypes, symbolOffset } from '../module-types/module-types.ts';
import { refusal } from './refusal.ts';

/** What to call by another name. */
export interface RenameRequest {
  readonly target: string;
  readonly to: string;
}

/** What a renaming makes of one module. */
export interface RenamedModule {
  readonly source: SourceModule;
  /** The whole module as it would be. */
  readonly after: string;
  /** Number of places. */
  readonly places: number;
}

/** A renaming that is ready to be made, or to be shown to whoever decides about it. */
export interface PlannedRenaming {
  readonly target: SymbolTarget;
  /** Sorted by path. */
  readonly modules: readonly RenamedModule[];
  /** Names of modules that can be checked only once the package they use is built again. */
  readonly unchecked: readonly string[];
}

/** What a renaming is worked out with. */
export interface Renaming {
  readonly types: ModuleTypes;
  readonly request: RenameRequest;
  readonly context: ToolContext;
}

/**
 * Works out what renaming a symbol changes, everywhere, and changes nothing.
 *
 * @throws ResourceError when nothing has the address, or there can be no answer; EditError when it is not to be done;
 *   ConflictError when a module is not what the session was shown, or changed this very moment
 */
export async function planRenaming(base: CodeBase, renaming: Renaming): Promise<PlannedRenaming> {
  const { types, request, context } = renaming;
  const { signal } = context;
  const target = await resolveSymbol(base, { address: request.target, verb: 'rename' });
  const place = { file: types.files.fileOf(target.source.module.path), offset: symbolOffset(target) };
  const query = { ...place, newName: request.to.trim() };
  const answer = types.ask((service) => service.renameEdits(query, signal), signal);
  const plan = await answerAboutTypes(answer, `<references:${addressOf(target)}>`);
  const catalog = await base.catalog();
  if (plan.type === 'refused') throw refusal(plan, { target, to: query.newName, types, catalog, base });
  const modules = await Promise.all(plan.files.map((edits) => renamed(edits, { plan, renaming, base, catalog })));
  const nameOf = (file: string) => catalog.moduleAt(types.files.pathOf(file))?.name ?? file;
  return { target, modules, unchecked: plan.unchecked.map(nameOf) };
}

interface Work {
  readonly plan: RenamePlan & { readonly type: 'edits' };
  readonly renaming: Renaming;
  readonly base: CodeBase;
  readonly catalog: CodeCatalog;
}

async function renamed({ file, edits }: FileEdits, { plan, renaming, base, catalog }: Work): Promise<RenamedModule> {
  const { types, context } = renaming;
  const path = types.files.pathOf(file);
  const module = catalog.moduleAt(path);
  if (module === undefined) throw new EditError(`the uses in ${path} are in no module. Nothing was changed.`, ['<R:>']);
  base.root.checkWritable(path);
  const source = await base.index.load(module);
  refuseStale(new SeenFiles(context).view(path), { name: module.name, tag: moduleTextTag(source) }, source);
  if (!edits.every(({ start, end }) => source.text.slice(start, end) === plan.oldName)) {
    throw new ConflictError(`${module.name} changed while ${plan.oldName} was looked for. Nothing was changed.`, [
      moduleTextTag(source),
    ]);
  }
  return { source, after: applyEdits(source.text, edits), places: edits.length };
}

/** A symbol as answers name it: `Agent.run in core.agent`. */
export function describeTarget({ source, path }: SymbolTarget): string {
  return `${symbolName(path)} in ${source.module.name}`;
}
