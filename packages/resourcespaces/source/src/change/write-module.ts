import type { ToolContext, ToolOutput } from '@bae/core';
import { carryOut, counted, SeenFiles, splitLines, type LinePatch } from '@bae/workspace';
import type { CodeBase } from '../modules/code-base.ts';
import { linePatch } from './line-patch.ts';
import type { PlannedExport } from './plan-export.ts';
import { planWrite, type PlannedWrite, type WriteRequest } from './plan-write.ts';
import { reportProblems, type HowToCheck } from './report-problems.ts';
import { writeTogether, type FileToWrite } from './write-together.ts';

/**
 * Writes a whole module: a new one, or in place of the old one.
 *
 * @throws what planning it throws, and what the check of it throws; then nothing was changed
 */
export async function writeModule(
  base: CodeBase,
  { how, ...request }: WriteRequest & { readonly how: HowToCheck },
  context: ToolContext,
): Promise<ToolOutput> {
  const { root } = base;
  const catalog = await base.catalog();
  const plan = () => planWrite(base, request, context);
  const { path } = await plan();
  return root.exclusively(path, () =>
    carryOut(plan, async (planned) => {
      const { before, text, name } = planned;
      const changes = [{ path, before: before?.text, after: text }, ...indexChange(planned)];
      const nameOf = (file: string) => (file === path ? name : (catalog.moduleAt(file)?.name ?? file));
      const instead = before === undefined ? `<W:${name}>` : `<R:${name}>`;
      const { signal, tag } = context;
      const report = await reportProblems(changes, { ...how, nameOf, signal, tag, instead });
      const [now, index] = await writeTogether(root, filesOf(planned), context);
      const seen = new SeenFiles(context);
      seen.written(path, now!);
      if (planned.index !== undefined) seen.edited(planned.index.source.module.path, index!, [patchOf(planned.index)]);
      return {
        text: [sentence(planned), ...exportSentence(planned), ...report].join('\n'),
        format: 'code',
        hint: counted(now!.lines, 'line'),
      };
    }),
  );
}

function indexChange({ index }: PlannedWrite) {
  return index === undefined ? [] : [{ path: index.source.module.path, before: index.source.text, after: index.text }];
}

function filesOf({ path, before, text, index }: PlannedWrite): readonly FileToWrite[] {
  const module = { path, text, expected: before?.hash ?? null };
  if (index === undefined) return [module];
  const { source } = index;
  return [module, { path: source.module.path, text: index.text, expected: source.hash, action: 'edit', lines: [0, 1] }];
}

function patchOf({ source, text }: PlannedExport): LinePatch {
  return linePatch(source.text, text);
}

function exportSentence({ index }: PlannedWrite): readonly string[] {
  if (index === undefined) return [];
  return [`Exported it from ${index.source.module.name}: ${index.text.trimEnd().split('\n').at(-1) ?? ''}`];
}

function sentence({ name, before, text }: PlannedWrite): string {
  const lines = splitLines(text).length;
  if (before === undefined) return `Created module ${name} (${counted(lines, 'line')})`;
  return `Replaced module ${name} (${before.lines} -> ${lines} lines)`;
}
