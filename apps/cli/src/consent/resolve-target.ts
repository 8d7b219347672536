import { join, relative, resolve, sep } from 'node:path';
import { listRules } from '../config/bae-config.ts';
import { getPathKind, resolveLinks } from '../config/disk.ts';

type Rule = ReturnType<typeof listRules>[number];

/**
 * Returns the rule for the file that the target of a rule stands for, if that is spelled differently: calls are compared
 * by paths below the folder, without links. Only a rule that asks or denies covers more than what it says.
 */
export function resolveTarget(rule: Rule, root: string): readonly Rule[] {
  const { target, decision } = rule;
  if (target === undefined || decision === 'allow' || target.startsWith('command:')) return [];
  const parts = target.split('/');
  const wildcard = parts.findIndex((part) => /[*?]/.test(part));
  const fixed = parts.slice(0, wildcard === -1 ? parts.length : wildcard);
  const from = resolveExisting(resolve(root));
  const path = relative(from, resolveExisting(resolve(root, fixed.join('/') || '.')));
  if (path === '..' || path.startsWith(`..${sep}`)) return [];
  const found = [...path.split(sep), ...parts.slice(fixed.length)].filter((part) => part !== '').join('/');
  return found === target || found === '' ? [] : [{ ...rule, target: found }];
}

/** Resolves the links in the part of an absolute path that exists. */
function resolveExisting(path: string): string {
  const above = join(path, '..');
  if (getPathKind(path) !== 'nothing') return resolveLinks(path);
  return above === path ? path : join(resolveExisting(above), relative(above, path));
}
