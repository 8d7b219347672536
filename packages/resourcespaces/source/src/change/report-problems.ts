import type { ToolContext } from '@bae/core';
import { EditError } from '@bae/workspace';
import type { ChangeVerdict, CheckChange, IntroducedProblem, ProposedChange } from './check-change.ts';

/** How changes are checked before they are made. */
export interface HowToCheck {
  /** Absent when nothing here can tell. */
  readonly check: CheckChange | undefined;
  /** True to refuse a change that brings problems. */
  readonly strict: boolean;
}

interface ChangeCheck extends HowToCheck {
  /** Name of a module, from its path. */
  readonly nameOf: (path: string) => string;
  readonly signal: AbortSignal;
  /** What can be done when the change is refused, as a tag. */
  readonly instead: string;
  /** Words a tag for whoever made the call. */
  readonly tag: ToolContext['tag'];
}

/** Problems that are named one by one. */
const MOST = 5;

/**
 * What is said of the problems that changes bring; empty when they bring none.
 *
 * @throws EditError when they are to be refused then, and bring some or nobody can tell
 */
export async function reportProblems(changes: readonly ProposedChange[], how: ChangeCheck): Promise<readonly string[]> {
  const verdict = await how.check?.(changes, how.signal);
  if (verdict === undefined || (verdict.type === 'untyped' && !how.strict)) return [];
  if (verdict.type === 'untyped') return unknown('no tsconfig includes this module', how);
  if (verdict.type === 'unknown') return unknown(verdict.reason, how);
  const { problems } = verdict;
  if (problems.length === 0) return remark(verdict);
  const count = `${problems.length} type error${problems.length === 1 ? '' : 's'}`;
  const rows = rowsOf(problems, how);
  if (how.strict) {
    throw new EditError([`it would introduce ${count}; nothing was changed:`, ...rows].join('\n'), [how.instead]);
  }
  return [`introduced ${count}:`, ...rows, ...remark(verdict), `Try: ${how.tag('<undo:>')}`];
}

function unknown(reason: string, { strict, instead }: ChangeCheck): readonly string[] {
  if (!strict) return [`types were not checked: ${reason}`];
  throw new EditError(
    `types could not be checked, and strict=true asks for it: ${reason}. Nothing was changed. Without strict it is changed unchecked.`,
    [instead],
  );
}

function remark({ unchecked }: ChangeVerdict & { readonly type: 'checked' }): readonly string[] {
  return unchecked === 0
    ? []
    : [`${unchecked} other module${unchecked === 1 ? ' was' : 's were'} not checked: no time`];
}

function rowsOf(problems: readonly IntroducedProblem[], { nameOf }: ChangeCheck): readonly string[] {
  const rows = problems.slice(0, MOST).map(({ path, line, message }) => `  ${nameOf(path)}:${line}: ${message}`);
  return problems.length > MOST ? [...rows, `  … ${problems.length - MOST} more`] : rows;
}
