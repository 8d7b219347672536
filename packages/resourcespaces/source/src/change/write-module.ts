import type { ToolContext, ToolOutput } from '@bae/core';
import { carryOut, counted, SeenFiles, splitLines } from '@bae/workspace';
import type { CodeBase } from '../modules/code-base.ts';
import { linePatch } from './line-patch.ts';
import { planWrite, type PlannedWrite, type WriteRequest } from './plan-write.ts';
import { reportProblems, type HowToCheck } from './report-problems.ts';

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
      const report = await reportProblems(changes, { ...how, nameOf, signal: context.signal, instead });
      const now = await root.write(path, text, { expected: before?.hash ?? null, session: context.session.id });
      new SeenFiles(context).written(path, now);
      const exported = await exportIt(base, planned, context);
      return {
        text: [sentence(planned), ...exported, ...report].join('\n'),
        format: 'code',
        hint: counted(now.lines, 'line'),
      };
    }),
  );
}

function indexChange({ index }: PlannedWrite) {
  return index === undefined ? [] : [{ path: index.source.module.path, before: index.source.text, after: index.text }];
}

async function exportIt({ root }: CodeBase, { index }: PlannedWrite, context: ToolContext): Promise<readonly string[]> {
  if (index === undefined) return [];
  const { module, text: before, hash: expected } = index.source;
  const session = context.session.id;
  const now = await root.write(module.path, index.text, { expected, session, action: 'edit', lines: [0, 1] });
  new SeenFiles(context).edited(module.path, now, [linePatch(before, index.text)]);
  return [`Exported it from ${module.name}: ${index.text.trimEnd().split('\n').at(-1) ?? ''}`];
}

function sentence({ name, before, text }: PlannedWrite): string {
  const lines = splitLines(text).length;
  if (before === undefined) return `Created module ${name} (${counted(lines, 'line')})`;
  return `Replaced module ${name} (${before.lines} -> ${lines} lines)`;
}
