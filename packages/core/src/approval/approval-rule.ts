import type { ApprovalRequest } from '../protocol/approver.ts';
import type { ToolEffect } from '../protocol/tool-definition.ts';
import { globTest } from './glob.ts';
import { isPlainTarget, plainTarget } from './plain-target.ts';

/** What a rule says about the calls it is for. */
export type ApprovalDecision = 'allow' | 'ask' | 'deny';

/**
 * Which calls a decision is for; a field that is left out stands for all.
 *
 * `*` is any text up to the next dot of a space or slash of a target, `**` any number of names, also none:
 * `source.**` is `source` and everything below it, `docs/**` is everything in `docs`.
 */
export interface ApprovalRule {
  /** Dotted space: `home`, `source.**`. */
  readonly space?: string;
  readonly tool?: string;
  readonly effect?: ToolEffect;
  /** What the call is about: for files the path below the folder worked in, without links. */
  readonly target?: string;
  readonly decision: ApprovalDecision;
}

/**
 * The test whether a rule is for a request.
 *
 * A rule that allows is taken at its word, and covers what a tool asks consent for by itself only when it
 * names a target. One that asks or denies holds in any spelling: upper or lower case, composed or not; it also
 * holds when only one of the files that a change touches is its target.
 */
export function ruleTest(rule: ApprovalRule): (request: ApprovalRequest) => boolean {
  const allows = rule.decision === 'allow';
  const spelt = allows ? (text: string) => text : folded;
  const test = (pattern: string | undefined, separator: string) =>
    pattern === undefined ? () => true : globTest(spelt(pattern), separator);
  const space = test(rule.space, '.');
  const tool = test(rule.tool, '.');
  const target = rule.target === undefined ? undefined : globTest(spelt(plainTarget(rule.target)), '/');
  return (request) => {
    if (rule.effect !== undefined && rule.effect !== request.effect) return false;
    if (!space(spelt(request.space)) || !tool(spelt(request.tool))) return false;
    if (target === undefined) return !allows || request.reason === undefined;
    // What cannot be compared is never allowed, and always denied.
    const matches = (text: string) => (isPlainTarget(text) ? target(spelt(plainTarget(text))) : !allows);
    const { touches = [] } = request;
    if (!allows) return [request.target, ...touches].some(matches);
    return matches(request.target) || (touches.length > 0 && touches.every(matches));
  };
}

/** The text without differences that many file systems do not see. */
function folded(text: string): string {
  return text.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
}
