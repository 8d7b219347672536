import type { ToolOutput } from '@bae/core';
import { carryOut, counted, SeenFiles, type WorkspaceRoot } from '@bae/workspace';
import { type FileToWrite, linePatch, writeTogether } from '../change/module-change.ts';
import type { CodeBase } from '../modules/code-base.ts';
import { otherMentions } from '../questions/other-mentions.ts';
import {
  describeTarget,
  planRenaming,
  type PlannedRenaming,
  type RenamedModule,
  type Renaming,
} from './plan-renaming.ts';

/** Modules that are named one by one. */
const MOST = 20;

/**
 * Calls a symbol something else wherever it is named, in all modules or in none.
 *
 * @throws what planning it throws, and what writing a module fails with; then nothing is changed
 */
export async function renameSymbol(base: CodeBase, renaming: Renaming): Promise<ToolOutput> {
  const { request, context } = renaming;
  return carryOut(
    () => planRenaming(base, renaming),
    async (planned) => {
      const { modules, target } = planned;
      const known = new Set(modules.map(({ source }) => source.module.path));
      const mentions = await otherMentions(base, { target, known }, context.signal);
      await exclusively(base.root, modules, async () => {
        const written = await writeTogether(base.root, modules.map(fileOf), context);
        const seen = new SeenFiles(context);
        for (const [index, { source, after }] of modules.entries()) {
          seen.edited(source.module.path, written[index]!, [linePatch(source.text, after)]);
        }
      });
      const lines = answer(planned, request.to.trim(), mentions);
      const text = [...lines, `Take it back with ${context.tag('<undo:>')}`].join('\n');
      return { text, format: 'plain', rows: modules.length, hint: counted(modules.length, 'module') };
    },
  );
}

function fileOf({ source, after, places }: RenamedModule): FileToWrite {
  return { path: source.module.path, text: after, expected: source.hash, action: 'rename', lines: [places, places] };
}

/** Nobody else changes one of the modules meanwhile; they are taken in one order, so that nobody waits in a circle. */
function exclusively(
  root: WorkspaceRoot,
  [first, ...others]: readonly RenamedModule[],
  work: () => Promise<void>,
): Promise<void> {
  if (first === undefined) return work();
  return root.exclusively(first.source.module.path, () => exclusively(root, others, work));
}

function answer(
  { target, modules, unchecked }: PlannedRenaming,
  to: string,
  mentions: readonly string[],
): readonly string[] {
  const places = modules.reduce((sum, one) => sum + one.places, 0);
  const rows = modules.slice(0, MOST).map(({ source, places }) => `  ${source.module.name} (${places})`);
  const more = modules.length > MOST ? [`  … ${modules.length - MOST} more`] : [];
  const later = unchecked.length === 0 ? [] : [`can be checked when it is built again: ${unchecked.join(', ')}`];
  const head = `Renamed ${describeTarget(target)} to ${to}: ${counted(places, 'place')} in ${counted(modules.length, 'module')}`;
  return [head, ...rows, ...more, ...later, ...mentions];
}
