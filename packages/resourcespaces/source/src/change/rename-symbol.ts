import { ConflictError, type ToolContext } from '@bae/core';
import { EditError, formatQuantity } from '@bae/workspace';
import { listFirst, resolveAddress, resolveSymbol } from '../address/resolve-address.ts';
import { formatAddress, formatSymbolPath, getAddressName, type SymbolTarget, type Target } from '../address/target.ts';
import { applyEdits, isComponent, isCompiled, type SymbolOutline } from '../language/outline.ts';
import type { CodeBase } from '../modules/module-index.ts';
import type { CodeCatalog, CodeModule } from '../modules/code-catalog.ts';
import type { ArgsOf } from '../params.ts';
import { makeModuleTextTag } from '../read/read-symbol.ts';
import { listOtherMentions, listPossibleUses } from '../type-queries/list-references.ts';
import { findSymbolOffset, queryTypes, renderTypeError } from '../type-queries/query-types.ts';
import { planSymbolRename, isNamedOutside, type RenamePlan } from '../type-service/plan-rename.ts';
import type { TypeQuery } from '../type-service/compiler-session.ts';
import { makeWordPattern, findOccurrences, isIdentifier } from '../type-service/identifier-name.ts';
import { nameScripts } from '../type-service/module-files.ts';
import type { TypeService } from '../type-service/type-service.ts';
import type { ComponentScripts } from '../language/component-outline.ts';
import { listComponentMentions, listLeftMentions } from './left-mentions.ts';
import { limitRows, MOST_REFUSED, planModules, refuseStaleModule, type ModuleChange } from './module-change.ts';

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
      : `${newName} already means something else in ${listFirst(plan.captured.map(nameOf), MOST_LISTED)}`;
  return new EditError(`${fact}: ${cause}. Nothing was changed.`, tags);
}

const MOST_LISTED = 5;

/**
 * Returns the scripts of a component whose names the compiler knows exactly, since the symbol is used nowhere else: it
 * is declared by them, not exported, and the template does not have its name. Undefined for everything else.
 */
async function findOwnScripts({ path, source: { module, text } }: SymbolTarget): Promise<ComponentScripts | undefined> {
  const [symbol] = path;
  if (!isComponent(module.path) || path.length > 1 || symbol === undefined || symbol.exported) return undefined;
  const { readScripts } = await import('../language/component-outline.ts');
  const scripts = readScripts(text);
  return isNamedOutside(scripts, symbol.name) ? undefined : scripts;
}

/**
 * Refuses to rename a component, which is named by its file; what its script declares, since its template may use that
 * too; and a symbol of a language without a compiler here. The error has the edits that do it. Returns undefined for
 * everything else.
 */
async function refuseUntyped(
  base: CodeBase,
  { target, newName }: { readonly target: Target; readonly newName: string },
  { signal }: Pick<ToolContext, 'signal'>,
): Promise<EditError | undefined> {
  if (target.kind === 'folder' || !isIdentifier(newName)) return undefined;
  const { module } = target.source;
  const isOfComponent = isComponent(module.path);
  const listUsers = async (names: readonly string[]): Promise<readonly CodeModule[]> => {
    const pattern = [...new Set(names.map(makeWordPattern))].join('|');
    const { groups } = await base.grep((await base.catalog()).modules, {
      pattern,
      limit: Number.MAX_SAFE_INTEGER,
      signal,
    });
    return [...groups.keys()];
  };
  if (target.kind === 'symbol') {
    if (isCompiled(module.path) && !isOfComponent) return undefined;
    if (isOfComponent && (await findOwnScripts(target)) !== undefined) return undefined;
    const name = getAddressName(target.path.at(-1) as SymbolOutline);
    const users = isOfComponent ? [module] : await listUsers([name]);
    const fact = `${formatSymbolPath(target.path)} is code of ${module.path}, whose types are unknown here`;
    const how = isOfComponent ? 'also in the template' : 'also where something else has it';
    return new EditError(
      `${fact}. Its name is changed as text, ${how}.`,
      await listEdits(base, users, [[name, newName]]),
    );
  }
  if (!isOfComponent) return undefined;
  const [, folder = '', name = '', ending = ''] = /^(.*\/)?([^/]*)(\.\w+)$/.exec(module.path) ?? [];
  const tag = [makeComponentTag(name), makeComponentTag(newName)] as const;
  // The tag of a name of one word is a word of its own.
  const names = [[name, newName] as const, ...(tag[0].includes('-') ? [tag] : [])];
  const users = await listUsers(names.map(([old]) => old));
  const tags = await listEdits(base, users, names);
  const where =
    users.length === 0
      ? ''
      : `, and change its name in ${listFirst(
          users.map((one) => one.name),
          MOST_LISTED,
        )}`;
  const fact = `${module.name} is a component, named by its file: move ${module.path} to ${folder}${newName}${ending}${where}.`;
  return new EditError(`${fact} Nothing was changed.`, tags.length === 0 ? [`<R:${module.name}>`] : tags);
}

/** Lists calls that replace names in modules, or show a module in which a name is also a part of others. */
async function listEdits(
  base: CodeBase,
  modules: readonly CodeModule[],
  names: readonly (readonly [string, string])[],
): Promise<readonly string[]> {
  const tags: string[] = [];
  for (const module of modules.slice(0, MOST_LISTED)) {
    const { text } = await base.index.load(module);
    for (const [old, fresh] of new Map(names)) {
      const parts = text.split(old).length - 1;
      if (parts === 0) continue;
      const isWhole = parts === findOccurrences(old, text).length;
      tags.push(
        isWhole ? `<E:${module.name} old="${old}" new="${fresh}" every=true>` : `<Grep:${old} path=${module.name}>`,
      );
    }
  }
  return tags;
}

/** The name of a component as a tag: `my-button`. */
function makeComponentTag(name: string): string {
  return name.replaceAll(/(?<=[^A-Z])(?=[A-Z])/g, '-').toLowerCase();
}
