import type { ToolContext } from '@bae/core';
import { formatQuantity, EditError } from '@bae/workspace';

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
  /** Below the root, without links. */
  readonly path: string;
  /** 1-based, in the file after the change. */
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
export interface ChangeCheck {
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

/** Most problems that are listed. */
const MOST = 5;

/** The report on the problems that changes introduce; empty when there are none. */
export async function reportProblems(changes: readonly ProposedChange[], how: ChangeCheck): Promise<readonly string[]> {
  const verdict = await how.check(changes, how.signal);
  if (verdict.type === 'untyped') return how.strict ? reportUnknown('no tsconfig includes this module', how) : [];
  if (verdict.type === 'unknown') return reportUnknown(verdict.reason, how);
  const { problems } = verdict;
  if (problems.length === 0) return reportUnchecked(verdict);
  const count = formatQuantity(problems.length, 'type error');
  const all = problems.map(({ path, line, message }) => `  ${how.nameOf(path)}:${line}: ${message}`);
  const rows = limitRows(all, MOST);
  if (how.strict) {
    throw new EditError([`it would introduce ${count}; nothing was changed:`, ...rows].join('\n'), [how.instead]);
  }
  return [`introduced ${count}:`, ...rows, ...reportUnchecked(verdict), `Try: ${how.tag('<undo:>')}`];
}

function reportUnknown(reason: string, { strict, instead }: ChangeCheck): readonly string[] {
  if (!strict) return [`types were not checked: ${reason}`];
  throw new EditError(
    `types could not be checked, and strict=true asks for it: ${reason}. Nothing was changed. Without strict it is changed unchecked.`,
    [instead],
  );
}

function reportUnchecked({ unchecked }: ChangeVerdict & { readonly type: 'checked' }): readonly string[] {
  return unchecked === 0
    ? []
    : [`${unchecked} other module${unchecked === 1 ? ' was' : 's were'} not checked: no time`];
}

/** The first rows of a list, and how many more there are. */
export function limitRows(rows: readonly string[], most: number): readonly string[] {
  return rows.length > most ? [...rows.slice(0, most), `  … ${rows.length - most} more`] : rows;
}
