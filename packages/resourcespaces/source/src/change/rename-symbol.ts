import { ConflictError, type ToolContext } from '@bae/core';
import { EditError, formatQuantity } from '@bae/workspace';
import { listFirst, resolveAddress, resolveSymbol } from '../address/resolve-address.ts';
import { formatAddress, formatSymbolPath, type SymbolTarget } from '../address/target.ts';
import { applyEdits, isComponent } from '../language/outline.ts';
import type { CodeBase } from '../modules/module-index.ts';
import type { CodeCatalog, CodeModule } from '../modules/code-catalog.ts';
import type { ArgsOf } from '../params.ts';
import { makeModuleTextTag } from '../read/read-symbol.ts';
import { listOtherMentions, listPossibleUses } from '../type-queries/list-references.ts';
import { findSymbolOffset, queryTypes, renderTypeError } from '../type-queries/query-types.ts';
import { planSymbolRename, type RenamePlan } from '../type-service/plan-rename.ts';
import type { TypeQuery } from '../type-service/compiler-session.ts';
import { makeWordPattern } from '../type-service/identifier-name.ts';
import { nameScripts } from '../type-service/module-files.ts';
import type { TypeService } from '../type-service/type-service.ts';
import { listComponentMentions, listLeftMentions } from './left-mentions.ts';
import { findOwnScripts, refuseUntyped } from './refuse-untyped.ts';
import { limitRows, MOST_REFUSED, type ModuleChange, planModules, refuseStaleModule } from './module-change.ts';

interface Renaming {
  readonly types: TypeService;
  readonly request: ArgsOf<'rename'>;
  readonly context: ToolContext;
}

const MOST = 5;
/** Number of lines with an error for which a refusal has tags. */
const MOST_SHOWN = 3;
const MOST_MODULES = 20;

/**
 * Plans to rename a symbol and all its uses, in all modules or in none.
 *
 * @throws ResourceError when nothing has the address, or types cannot be queried; EditError when the rename is refused;
 *   ConflictError when a module changed since the session was shown it, or while the rename was planned
 */
export async function planRename(base: CodeBase, renaming: Renaming): Promise<ModuleChange> {
  const { types, request, context } = renaming;
  const { signal, definition, tag } = context;
  const newName = request.to.trim();
  const meant = await resolveAddress(base, { address: request.target, definition }).catch(() => undefined);
  const refused = meant && (await refuseUntyped(base, { target: meant, newName }, context));
  if (refused !== undefined) throw refused;
  const target = await resolveSymbol(base, { address: request.target, definition });
  const edits = types.run(await prepareRename(types, { target, newName }), signal);
  const plan = await queryTypes(edits, `<references:${formatAddress(target)}>`);
  const catalog = await base.catalog();
  const moduleOf = (file: string) => catalog.moduleAt(types.files.pathOf(file));
  if (plan.type !== 'edits') throw createRefusal(plan, { target, newName, moduleOf }, catalog);
  const modules = await Promise.all(
    plan.files.map(async ({ file, edits }) => {
      const module = moduleOf(file);
      if (module === undefined) {
        const path = types.files.pathOf(file);
        throw new EditError(`the uses in ${path} are in no module. Nothing was changed.`, ['<R:>']);
      }
      const source = await base.index.load(module);
      const { text, hash } = source;
      refuseStaleModule({ source, path: [] }, context);
      if (!edits.every(({ start, end }) => text.slice(start, end) === plan.oldName)) {
        const fact = `${module.name} changed while ${plan.oldName} was looked for. Nothing was changed.`;
        throw new ConflictError(fact, [makeModuleTextTag(source)]);
      }
      return { module, before: text, after: applyEdits(text, edits), expected: hash, places: edits.length };
    }),
  );
  const keeping = new Set(plan.keeping.map((file) => types.files.pathOf(file)));
  const isKeeping = ({ module }: (typeof modules)[number]): boolean => keeping.has(module.path);
  const kept = modules.filter(isKeeping).map(({ module }) => module.name);
  const left = { name: plan.oldName, newName, modules: modules.filter((one) => !isKeeping(one)) };
  const listed = new Set(plan.possible.map(({ file, line }) => `${moduleOf(file)?.name}:${line}`));
  // What components mention is listed with its lines.
  const components = catalog.modules.filter(({ path }) => isComponent(path));
  const known = new Set([...modules.map(({ module }) => module), ...components].map(({ path }) => path));
  const places = modules.reduce((sum, one) => sum + one.places, 0);
  const rows = modules.map(({ module, places }) => `  ${module.name} (${places})`);
  const unchecked = plan.unchecked.map((file) => moduleOf(file)?.name ?? file);
  const count = formatQuantity(modules.length, 'module');
  const what = `${formatSymbolPath(target.path)} in ${target.source.module.name} to ${newName}`;
  const lines = [
    `Renamed ${what}: ${formatQuantity(places, 'place')} in ${count}`,
    ...limitRows(rows, MOST_MODULES, tag(`<references:${formatAddress(target).replace(/[^.#]*$/, newName)}>`)),
    ...(unchecked.length === 0 ? [] : [`can be checked when it is built again: ${unchecked.join(', ')}`]),
    ...(await listOtherMentions(base, { target, known }, signal)),
    ...listPossibleUses(plan.oldName, { possible: plan.possible, moduleOf }, context),
    ...(kept.length === 0 ? [] : [`imported under its old name, which the rest uses: ${listFirst(kept, MOST)}`]),
    ...(await listLeftMentions(base, { ...left, listed }, context)),
    ...(await listComponentMentions(base, { ...left, known: modules.map(({ module }) => module) }, context)),
    `Undo it with ${tag('<undo:>')}`,
  ];
  return planModules({
    base,
    files: modules.map(({ module: { path }, places, ...draft }) => {
      return { ...draft, path, action: 'rename', lines: [places, places] };
    }),
    how: {
      strict: false,
      instead: `<references:${formatAddress(target)}>`,
      always: true,
      renamed: { from: plan.oldName, to: newName },
    },
    output: { text: lines.join('\n'), format: 'plain', rows: modules.length, hint: count },
  });
}

/** Finds the place of a name for the compiler; that in a component is one in a file of its scripts. */
async function prepareRename({ files }: TypeService, { target, newName }: Omit<RefusedRenaming, 'moduleOf'>) {
  const file = files.fileOf(target.source.module.path);
  const scripts = await findOwnScripts(target);
  const offset = findSymbolOffset(target, scripts === undefined ? undefined : isComponent);
  const own = scripts === undefined ? file : nameScripts(file, scripts);
  const shown = scripts && new Map([[own, scripts.text]]);
  return (all: TypeQuery) => planSymbolRename(all, { file: own, offset, newName, ...(shown && { shown }) });
}

interface RefusedRenaming {
  readonly target: SymbolTarget;
  readonly newName: string;
  readonly moduleOf: (file: string) => CodeModule | undefined;
}

function createRefusal(
  plan: Exclude<RenamePlan, { readonly type: 'edits' }>,
  { target, newName, moduleOf }: RefusedRenaming,
  catalog: CodeCatalog,
): EditError {
  const nameOf = (file: string) => moduleOf(file)?.name ?? 'a file that is not a module';
  const fact = `${formatSymbolPath(target.path)} in ${target.source.module.name} was not renamed`;
  const tags = [`<references:${formatAddress(target)}>`];
  if (plan.type === 'breaking' && plan.introduced.length > 0) {
    const rows = plan.introduced.map((one) => `  ${nameOf(one.file)}:${one.line}: ${renderTypeError(one, catalog)}`);
    const count = formatQuantity(rows.length, 'new type error');
    const places = plan.introduced.flatMap(({ file, line }) => {
      const module = moduleOf(file);
      return module === undefined ? [] : [`<R:${module.name}:${line}>`];
    });
    const name = target.path.at(-1)?.name ?? '';
    return new EditError(
      [`${fact}; it would bring ${count}:`, ...limitRows(rows, MOST_REFUSED)].join('\n'),
      [...new Set(places)].slice(0, MOST_SHOWN).concat(`<Grep:${makeWordPattern(name)}>`),
    );
  }
  if (plan.type !== 'refused' && plan.captured.length > MOST) tags.push(`<Grep:${newName}>`);
  const cause =
    plan.type === 'refused'
      ? plan.reason
      : `${newName} already means something else in ${listFirst(plan.captured.map(nameOf), MOST)}`;
  return new EditError(`${fact}: ${cause}. Nothing was changed.`, tags);
}
