import type { ToolContext, ToolOutput } from '@bae/core';
import { carryOut, counted, SeenFiles, splitLines } from '@bae/workspace';
import { addressOf, symbolName } from '../address/target.ts';
import { joinedDeclarations } from '../language/text-spans.ts';
import type { SymbolOutline } from '../language/outline.ts';
import type { CodeBase } from '../modules/code-base.ts';
import { linePatch } from './line-patch.ts';
import { planEdit, type EditRequest, type PlannedEdit } from './plan-edit.ts';
import { reportProblems, type HowToCheck } from './report-problems.ts';
import { shortDiff } from './short-diff.ts';

/**
 * Replaces or removes one symbol, and nothing else in its module.
 *
 * @throws what planning it throws, and what the check of it throws; then nothing was changed
 */
export async function editSymbol(
  base: CodeBase,
  { how, ...request }: EditRequest & { readonly how: HowToCheck },
  context: ToolContext,
): Promise<ToolOutput> {
  const catalog = await base.catalog();
  const plan = () => planEdit(base, request, context);
  const nameOf = (file: string) => catalog.moduleAt(file)?.name ?? file;
  const { path } = (await plan()).target.source.module;
  return base.root.exclusively(path, () =>
    carryOut(plan, async (planned) => {
      const { target, after } = planned;
      const { text: before, hash: expected } = target.source;
      const [removed, added] = lineCounts(planned);
      const done = sentence(planned, request.remove);
      if (before === after) return { text: `${done}: it is so already, nothing was written`, format: 'code' };
      const { signal, tag } = context;
      const check = { ...how, nameOf, signal, tag, instead: `<R:${addressOf(target)}>` };
      const report = await reportProblems([{ path, before, after }], check);
      const { id: session } = context.session;
      const now = await base.root.write(path, after, { expected, session, action: 'edit', lines: [removed, added] });
      new SeenFiles(context).edited(path, now, [linePatch(before, after)]);
      return {
        text: [done, shortDiff(before, after), ...report].join('\n'),
        format: 'code',
        hint: `${removed} -> ${added} lines`,
      };
    }),
  );
}

function sentence(planned: PlannedEdit, isRemoved: boolean): string {
  const { target } = planned;
  const [before, after] = lineCounts(planned);
  const what = `${symbolName(target.path)} in ${target.source.module.name}`;
  return isRemoved ? `Deleted ${what} (${counted(before, 'line')})` : `Edited ${what} (${before} -> ${after} lines)`;
}

/** Lines of the symbol, before and after. */
function lineCounts({ target, splices }: PlannedEdit): readonly [before: number, after: number] {
  const { text } = target.source;
  const symbol = target.path.at(-1) as SymbolOutline;
  const old = joinedDeclarations(text, symbol.declarations).map(({ start, end }) => text.slice(start, end));
  return [linesIn(old), linesIn(splices.map((splice) => splice.text))];
}

function linesIn(parts: readonly string[]): number {
  return parts.reduce((sum, part) => sum + splitLines(part).length, 0);
}
