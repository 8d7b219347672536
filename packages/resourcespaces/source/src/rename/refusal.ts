import { EditError } from '@bae/workspace';
import { addressOf, symbolName, type SymbolTarget } from '../address/target.ts';
import type { CodeBase } from '../modules/code-base.ts';
import type { CodeCatalog } from '../modules/code-catalog.ts';
import type { RenamePlan } from '../type-service/plan-rename.ts';
import type { ModuleTypes } from '../module-types/module-types.ts';
import { plainMessage } from '../module-types/plain-message.ts';

/** Errors or modules that are named one by one. */
const MOST = 5;

interface Refused {
  readonly target: SymbolTarget;
  readonly to: string;
  readonly types: ModuleTypes;
  readonly catalog: CodeCatalog;
  readonly base: CodeBase;
}

/** Why a symbol is not renamed, in terms of modules. */
export function refusal(
  { reason, introduced, captured }: RenamePlan & { readonly type: 'refused' },
  { target, to, types, catalog, base }: Refused,
): EditError {
  const nameOf = (file: string) => catalog.moduleAt(types.files.pathOf(file))?.name ?? 'a file that is no module';
  const fact = `${symbolName(target.path)} in ${target.source.module.name} was not renamed`;
  const folder = base.root.folder;
  const rows = introduced
    .slice(0, MOST)
    .map((one) => `  ${nameOf(one.file)}:${one.line}: ${plainMessage(one, { folder, catalog })}`);
  const more = introduced.length > MOST ? [`  … ${introduced.length - MOST} more`] : [];
  const count = `${introduced.length} new type error${introduced.length === 1 ? '' : 's'}`;
  const text =
    introduced.length > 0
      ? [`${fact}; it would bring ${count}:`, ...rows, ...more].join('\n')
      : `${fact}: ${captured.length > 0 ? takenIn(to, captured.map(nameOf)) : reason}. Nothing was changed.`;
  return new EditError(text, [`<references:${addressOf(target)}>`]);
}

function takenIn(name: string, modules: readonly string[]): string {
  const more = modules.length > MOST ? ` and ${modules.length - MOST} more` : '';
  return `${name} means something else already in ${modules.slice(0, MOST).join(', ')}${more}`;
}
