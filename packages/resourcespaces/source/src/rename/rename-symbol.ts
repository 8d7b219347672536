import type { ToolOutput } from '@bae/core';
import {
  retryOnConflict,
  formatQuantity,
  SeenFiles,
  formatPath,
  renderUnifiedDiff,
  type WorkspaceRoot,
} from '@bae/workspace';
import { resolveSymbol } from '../address/resolve-address.ts';
import { formatSymbolPath } from '../address/target.ts';
import { linePatch, writeTogether } from '../change/module-change.ts';
import type { CodeBase } from '../modules/code-base.ts';
import { listOtherMentions } from '../type-queries/list-references.ts';
import { planRename, type PlannedRename, type RenamedModule, type Renaming } from './plan-rename.ts';

const MOST_MODULES = 20;

/**
 * The target of a rename for rules over consent. It is no plain path, since a rename changes files that are not known
 * before: no rule for some files may allow it, and every rule that forbids some forbids it.
 *
 * @throws ResourceError when nothing has the address, or it is no symbol
 */
export async function findRenameScope(base: CodeBase, address: string): Promise<string> {
  const { source } = await resolveSymbol(base, { address, verb: 'rename' });
  return `${source.module.path}/../(and wherever it is used)`;
}

/**
 * Shows what a rename would change, and changes nothing.
 *
 * @throws what the rename would fail with
 */
export async function previewRename(base: CodeBase, renaming: Renaming): Promise<string> {
  const { modules } = await planRename(base, renaming);
  const diffs = modules.map(({ source, after }) =>
    renderUnifiedDiff({ path: formatPath(source.module.path), before: source.text, after }),
  );
  return diffs.join('');
}

/**
 * Renames a symbol and all its uses, in all modules or in none.
 *
 * @throws what planning it throws, and what writing a module fails with; then nothing is changed
 */
export async function renameSymbol(base: CodeBase, renaming: Renaming): Promise<ToolOutput> {
  const { request, context } = renaming;
  return retryOnConflict(
    () => planRename(base, renaming),
    async (planned) => {
      const { modules, target } = planned;
      const known = new Set(modules.map(({ source }) => source.module.path));
      const mentions = await listOtherMentions(base, { target, known }, context.signal);
      await lockAll(base.root, modules, async () => {
        const files = modules.map(({ source, after, places }) => ({
          path: source.module.path,
          text: after,
          expected: source.hash,
          action: 'rename',
          lines: [places, places] as const,
        }));
        const written = await writeTogether(base.root, files, context);
        const seen = new SeenFiles(context);
        for (const [index, { source, after }] of modules.entries())
          seen.edited(source.module.path, written[index]!, [linePatch(source.text, after)]);
      });
      const undo = `Take it back with ${context.tag('<undo:>')}`;
      const text = [...summarizeRename(planned, request.to.trim()), ...mentions, undo].join('\n');
      return { text, format: 'plain', rows: modules.length, hint: formatQuantity(modules.length, 'module') };
    },
  );
}

/** Runs `work` while nobody else changes the modules; they are locked in one order, so that no deadlock can occur. */
function lockAll(
  root: WorkspaceRoot,
  [first, ...others]: readonly RenamedModule[],
  work: () => Promise<void>,
): Promise<void> {
  if (first === undefined) return work();
  return root.exclusively(first.source.module.path, () => lockAll(root, others, work));
}

function summarizeRename({ target, modules, unchecked }: PlannedRename, to: string): readonly string[] {
  const places = modules.reduce((sum, one) => sum + one.places, 0);
  const rows = modules.slice(0, MOST_MODULES).map(({ source, places }) => `  ${source.module.name} (${places})`);
  const more = modules.length > MOST_MODULES ? [`  … ${modules.length - MOST_MODULES} more`] : [];
  const later = unchecked.length === 0 ? [] : [`can be checked when it is built again: ${unchecked.join(', ')}`];
  const what = `${formatSymbolPath(target.path)} in ${target.source.module.name} to ${to}`;
  return [
    `Renamed ${what}: ${formatQuantity(places, 'place')} in ${formatQuantity(modules.length, 'module')}`,
    ...rows,
    ...more,
    ...later,
  ];
}
