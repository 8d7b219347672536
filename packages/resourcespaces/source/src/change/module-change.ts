import type { Change, ToolContext, ToolOutput } from '@bae/core';
import { renderUnifiedDiff, SeenFiles, splitLines, type LinePatch, type WorkspaceRoot } from '@bae/workspace';
import { reportProblems, type ChangeCheck } from './check-change.ts';

/** A module, and its new text. */
export interface ModuleDraft {
  /** Below the root. */
  readonly path: string;
  /** Undefined when there is no file. */
  readonly before: string | undefined;
  readonly text: string;
  /** SHA-256 of the file as it is; null when there is none. */
  readonly expected: string | null;
  /** Default: the whole module is written. */
  readonly action?: 'edit' | 'rename';
  readonly lines?: readonly [before: number, after: number];
}

interface ModuleChangeParts {
  readonly root: WorkspaceRoot;
  /** All files that change; empty when everything is as it should be already. */
  readonly files: readonly ModuleDraft[];
  /** How the types are checked. Default: not at all. */
  readonly how?: Omit<ChangeCheck, 'signal' | 'tag'> | undefined;
  /** What is returned once the change is made; problems are added to the text. */
  readonly output: ToolOutput;
}

/** A change that returns more than a text. */
export interface ModuleChange extends Change {
  apply(context: ToolContext): Promise<ToolOutput>;
}

/**
 * Plans a change of modules. When it is applied, the types are checked, and the files are written, all of them or none.
 *
 * @returns a change that throws an EditError when the check refuses it
 */
export async function planModules({ root, files, how, output }: ModuleChangeParts): Promise<ModuleChange> {
  const drafts = files.map(({ path, text, expected, action, lines }) => {
    return { file: root.open(path), content: text, expected, action, lines };
  });
  const planned = await root.planGroup(drafts);
  return {
    touches: planned.touches,
    preview: () => planned.preview(),
    apply: async (context) => {
      const changes = files.map(({ path, before, text }) => ({ path, before, after: text }));
      const { signal, tag } = context;
      const report = how && files.length > 0 ? await reportProblems(changes, { ...how, signal, tag }) : [];
      const written = await planned.apply(context);
      const seen = new SeenFiles(context);
      for (const [index, { path, before = '', text, action }] of files.entries()) {
        if (action === undefined) seen.written(path, written[index]!);
        else seen.edited(path, written[index]!, [findLinePatch(before, text)]);
      }
      return { format: 'code', ...output, text: [output.text, ...report].join('\n') };
    },
  };
}

/** The lines that differ between two texts: from the first to the last one that does. */
export function findLinePatch(before: string, after: string): LinePatch {
  const [old, now] = [splitLines(before), splitLines(after)];
  const shorter = Math.min(old.length, now.length);
  let same = 0;
  while (same < shorter && old[same] === now[same]) same++;
  let end = 0;
  while (end < shorter - same && old[old.length - 1 - end] === now[now.length - 1 - end]) end++;
  return { first: same + 1, removed: old.length - same - end, added: now.length - same - end };
}

const MOST_LINES = 20;

/** The difference between two texts, at most 20 lines of it. */
export function renderShortDiff(before: string, after: string): string {
  const lines = renderUnifiedDiff({ path: '', before, after }).split('\n').slice(2, -1);
  const more = lines.length - MOST_LINES;
  if (more <= 0) return lines.join('\n');
  return [...lines.slice(0, MOST_LINES), `… ${more} more lines of changes`].join('\n');
}
