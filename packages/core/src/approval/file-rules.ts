import type { FileRule } from '../protocol/approver.ts';
import { foldSpelling, makePathTest, normalizeTarget, type ApprovalRule } from './approval-rule.ts';

/**
 * Selects the rules that restrict the use of files whatever tool uses them: those that ask about or deny reading, and
 * those that deny writing.
 */
export function listFileRules(rules: readonly ApprovalRule[]): readonly FileRule[] {
  return rules.flatMap((rule): readonly FileRule[] => {
    const { target, effect, decision } = rule;
    if (target === undefined || decision === 'allow' || /^command:/i.test(target)) return [];
    // A file that one tool may not show must not be shown by another.
    if (effect === 'read') return [makeFileRule(target, 'read')];
    return decision === 'deny' && effect !== 'external' && !namesTool(rule) ? [makeFileRule(target, 'write')] : [];
  });
}

/** Selects the rules that restrict reading by some tools, or by all of them, whatever they read. */
export function listReadRules(rules: readonly ApprovalRule[]): readonly ApprovalRule[] {
  return rules.filter(
    (rule) => rule.effect === 'read' && rule.decision !== 'allow' && (rule.target === undefined || namesTool(rule)),
  );
}

/** Returns true for a rule about some tools only. */
function namesTool({ space = '**', tool = '*' }: ApprovalRule): boolean {
  return space !== '**' || !/^\*+$/.test(tool);
}

function makeFileRule(target: string, effect: FileRule['effect']): FileRule {
  const parts = foldSpelling(normalizeTarget(target)).split('/');
  const wildcard = parts.findIndex((part) => /[*?]/.test(part));
  const fixed = wildcard === -1 ? parts : parts.slice(0, wildcard);
  const reaches = (folder: string): boolean => {
    const names = folder === '' ? [] : foldSpelling(folder).split('/');
    return names.every((name, index) => index >= fixed.length || name === fixed[index]);
  };
  return { effect, matches: makePathTest(target), reaches };
}
