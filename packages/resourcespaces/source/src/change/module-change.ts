import type { Change, ToolContext, ToolOutput } from '@bae/core';
import { EditError, formatQuantity, type LinePatch, renderUnifiedDiff, SeenFiles, splitLines } from '@bae/workspace';
import type { CodeBase } from '../modules/module-index.ts';

/** A file before and after a change. */
export interface ProposedChange {
  /** Below the root, without links. */
  readonly path: string;
  /** Undefined when there is no file. */
  readonly before: string | undefined;
  readonly after: string;
}

/** A problem that a change would introduce. */
export interface IntroducedProblem {
  readonly path: string;
  readonly line: number;
  readonly message: string;
}

/** The result of checking a change. */
export type ChangeVerdict =
  | {
      readonly type: 'checked';
      readonly problems: readonly IntroducedProblem[];
      /** Number of other modules for which there was no time. */
      readonly unchecked: number;
    }
  /** No settings apply to the changed files. */
  | { readonly type: 'untyped' }
  | {
      readonly type: 'unknown';
      /** Why, as a clause. */
      readonly reason: string;
    };

/** Finds the problems that changes would introduce. Contract: writes nothing, and ends in time. */
export type CheckChange = (changes: readonly ProposedChange[], signal: AbortSignal) => Promise<ChangeVerdict>;

/** How a change is checked before it is made. */
interface ChangeCheck {
  readonly check: CheckChange;
  /** True to refuse a change that brings problems. */
  readonly strict: boolean;
  /** Name of a module, from its path. */
  readonly nameOf: (path: string) => string;
  readonly signal: AbortSignal;
  /** A tag to try when the change is refused. */
  readonly instead: string;
  /** Qualifies a tag so that it works from the caller's location. */
  readonly tag: ToolContext['tag'];
}

const MOST = 5;

/** The report on the problems that changes introduce; empty when there are none. */
export async function reportProblems(changes: readonly ProposedChange[], how: ChangeCheck): Promise<readonly string[]> {
  const { strict, instead } = how;
  const verdict = await how.check(changes, how.signal);
  if (verdict.type !== 'checked') {
    const isUntyped = verdict.type === 'untyped';
    const reason = isUntyped ? 'no tsconfig includes this module' : verdict.reason;
    if (!strict) return isUntyped ? [] : [`types were not checked: ${reason}`];
    const fact = `types could not be checked, and strict=true asks for it: ${reason}.`;
    throw new EditError(`${fact} Nothing was changed. Without strict it is changed unchecked.`, [instead]);
  }
  const { problems, unchecked } = verdict;
  const were = unchecked === 1 ? ' was' : 's were';
  const missed = unchecked === 0 ? [] : [`${unchecked} other module${were} not checked: no time`];
  if (problems.length === 0) return missed;
  const count = formatQuantity(problems.length, 'type error');
  const all = problems.map(({ path, line, message }) => `  ${how.nameOf(path)}:${line}: ${message}`);
  const rows = limitRows(all, MOST);
  if (strict) throw new EditError([`it would introduce ${count}; nothing was changed:`, ...rows].join('\n'), [instead]);
  return [`introduced ${count}:`, ...rows, ...missed, `Try: ${how.tag('<undo:>')}`];
}

/** The first rows of a list, and how many more there are. */
export function limitRows(rows: readonly string[], most: number): readonly string[] {
  return rows.length > most ? [...rows.slice(0, most), `  … ${rows.length - most} more`] : rows;
}

interface ModuleDraft extends ProposedChange {
  /** Default: that of the module at the path. */
  readonly name?: string;
  /** SHA-256 of the file as it is; null when there is none. */
  readonly expected: string | null;
  /** Default: the whole module is written. */
  readonly action?: 'edit' | 'rename';
  readonly lines?: readonly [before: number, after: number];
}

interface ModuleChangeParts {
  readonly base: CodeBase;
  /** All files that change; empty when everything is as it should be already. */
  readonly files: readonly ModuleDraft[];
  /** How the types are checked. Default: not at all. */
  readonly how?: Pick<ChangeCheck, 'strict' | 'instead'> & { readonly check: CheckChange | undefined };
  /** What is returned once the change is made; problems are added to the text. */
  readonly output: ToolOutput;
}

/** A change that returns more than a text. */
export interface ModuleChange extends Change {
  apply(context: ToolContext): Promise<ToolOutput>;
}

/**
 * Plans a change of modules: applied, it checks the types, throws an EditError when the check refuses it, and writes
 * all of the files or none.
 */
export async function planModules({ base, files, how, output }: ModuleChangeParts): Promise<ModuleChange> {
  const drafts = files.map(({ path, after, expected, action, lines }) => {
    return { file: base.root.open(path), content: after, expected, action, lines };
  });
  const planned = await base.root.planGroup(drafts);
  const catalog = await base.catalog();
  const nameOf = (path: string) => files.find((one) => one.path === path)?.name ?? catalog.moduleAt(path)?.name ?? path;
  return {
    touches: planned.touches,
    preview: () => planned.preview(),
    apply: async (context) => {
      const { signal, tag } = context;
      const check = files.length > 0 ? how?.check : undefined;
      const report = how && check ? await reportProblems(files, { ...how, check, nameOf, signal, tag }) : [];
      const written = await planned.apply(context);
      const seen = new SeenFiles(context);
      for (const [index, { path, before = '', after, action }] of files.entries()) {
        if (action === undefined) seen.written(path, written[index]!);
        else seen.edited(path, written[index]!, [findLinePatch(before, after)]);
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
