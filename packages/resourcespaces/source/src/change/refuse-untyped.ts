import type { ToolContext } from '@bae/core';
import { EditError } from '@bae/workspace';
import { listFirst } from '../address/resolve-address.ts';
import { formatSymbolPath, getAddressName, type SymbolTarget, type Target } from '../address/target.ts';
import type { ComponentScripts } from '../language/component-outline.ts';
import { isCompiled, isComponent, type SymbolOutline } from '../language/outline.ts';
import type { CodeModule } from '../modules/code-catalog.ts';
import type { CodeBase } from '../modules/module-index.ts';
import { isNamedOutside } from '../type-service/plan-rename.ts';
import { findOccurrences, isIdentifier, makeWordPattern } from '../type-service/identifier-name.ts';

const MOST = 5;

/**
 * Returns the scripts of a component whose names the compiler knows exactly, since the symbol is used nowhere else: it
 * is declared by them, not exported, and the template does not have its name. Undefined for everything else.
 */
export async function findOwnScripts({
  path,
  source: { module, text },
}: SymbolTarget): Promise<ComponentScripts | undefined> {
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
export async function refuseUntyped(
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
          MOST,
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
  for (const module of modules.slice(0, MOST)) {
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
