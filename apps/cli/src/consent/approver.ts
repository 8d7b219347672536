import { approvalPolicy, type ApprovalPolicy, type ApprovalRequest, type Approver } from '@bae/core';
import { WorkspaceRoot } from '@bae/workspace';
import { listRules, type BaeConfig } from '../config/bae-config.ts';
import { join, relative, resolve, sep } from 'node:path';
import { getPathKind, resolveLinks } from '../config/disk.ts';
import type { Settings } from '../config/settings.ts';
import { isCommand, UserRules } from './user-rules.ts';

/** Asks the person at the terminal. */
export type AskPerson = NonNullable<ApprovalPolicy['ask']>;

export interface ConsentSettings {
  readonly yes: boolean;
  readonly approve?: BaeConfig['approve'];
  /** Rules that the person created when asked. */
  readonly userRules?: ReturnType<typeof listRules>;
  /** Folder to which targets are relative. Default: targets are compared as they are written. */
  readonly root?: string;
  /** Absent if there is nobody to ask. */
  readonly ask?: AskPerson | undefined;
}

/** Creates the approver. `--yes` replaces only the question about writes, not deny rules or questions about secrets. */
export function createApprover({ yes, approve = 'ask', userRules = [], root, ask }: ConsentSettings): Approver {
  if (approve === 'none') {
    const reason = 'was not run: the configuration says approve: "none".';
    return { approve: ({ tool }) => ({ allow: false, reason: `${tool} ${reason}` }) };
  }
  const written = [...listRules(approve), ...userRules];
  const askPerson = ask && skipUnchanged(ask);
  const rules = root === undefined ? written : written.flatMap((rule) => [rule, ...resolveTarget(rule, root)]);
  if (!yes && approve !== 'all') return approvalPolicy({ rules, remedy, ...(askPerson && { ask: askPerson }) });
  const policy = approvalPolicy({ rules, remedy, ask: allowWrites(askPerson) });
  const allowed = { allow: true, by: 'option' } as const;
  return { ...policy, decide: (request) => policy.decide!(request) ?? (hasNoReason(request) ? allowed : undefined) };
}

/** Opens the folder of an agent for what a person attaches, with the same rules about reading as for the agent. */
export function openRestricted(
  { root, approve }: Pick<Settings, 'root' | 'approve'>,
  env: Readonly<Record<string, string | undefined>>,
): WorkspaceRoot {
  const workspace = new WorkspaceRoot(root);
  const userRules = new UserRules(env, root).read();
  const { fileRules = [] } = createApprover({ yes: false, ...(approve && { approve }), userRules, root });
  workspace.restrict(fileRules);
  return workspace;
}

/** Asks only about calls that would change something: files that would stay as they are need no consent. */
function skipUnchanged(ask: AskPerson): AskPerson {
  return async (request, signal) => {
    const texts = (hasNoReason(request) && request.effect === 'write' && request.texts?.()) || [];
    const hasAll = texts.length > 0 && texts.length === (request.touches?.length ?? 0);
    const isSame = hasAll && texts.every(({ before, after }) => before === after);
    if (isSame && (await request.preview?.().catch(() => undefined)) === '') return { decision: 'allow', by: 'option' };
    return ask(request, signal);
  };
}

/** Allows everything without a question, except calls that give a reason to ask, such as secrets. */
function allowWrites(ask: AskPerson | undefined): AskPerson {
  return async (request, signal) =>
    hasNoReason(request) ? { decision: 'allow', by: 'option' } : ask?.(request, signal);
}

function hasNoReason({ reason }: ApprovalRequest): boolean {
  return reason === undefined;
}

const remedy: NonNullable<ApprovalPolicy['remedy']> = (request, denying) => {
  if (denying !== undefined) return 'To allow it, change "approve" in the configuration.';
  const setting = suggestSetting(request);
  return request.reason === undefined
    ? `To allow it, start bae with --yes. A --config file may allow only this: ${setting}`
    : `To allow it, start bae with a --config file that says ${setting}`;
};

function suggestSetting({ space, tool, target, reason }: ApprovalRequest): string {
  const isAnyTarget = reason === undefined && !isCommand(target);
  const calls = isAnyTarget ? { tool } : target === '' ? { tool, target: '**' } : { target };
  return JSON.stringify({ approve: [{ space, ...calls, decision: 'allow' }] });
}

type Rule = ReturnType<typeof listRules>[number];

/**
 * Returns the rule for the file that the target of a rule stands for, if that is spelled differently: calls are compared
 * by paths below the folder, without links. Only a rule that asks or denies covers more than what it says.
 */
function resolveTarget(rule: Rule, root: string): readonly Rule[] {
  const { target, decision } = rule;
  if (target === undefined || decision === 'allow' || isCommand(target)) return [];
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
