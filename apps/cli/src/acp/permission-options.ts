import type { PermissionOption } from '@agentclientprotocol/sdk';
import type { ApprovalRequest } from '@bae/core';
import { makeRule } from '../consent/user-rules.ts';

const REFUSE: PermissionOption = { optionId: 'deny', name: 'Refuse', kind: 'reject_once' };
/** Possible answers about one of several files. */
export const ONE_FILE: readonly PermissionOption[] = [
  { optionId: 'allow', name: 'Allow this file', kind: 'allow_once' },
  { ...REFUSE, name: 'Refuse this file' },
];

/** Lists the possible answers. For a command, the remembered target is the command itself. */
export function listOptions(request: ApprovalRequest, file: string): PermissionOption[] {
  const { target, files } = request;
  if (files !== undefined)
    return [
      { optionId: 'allow', name: 'Allow all of it', kind: 'allow_once' },
      ...(files.length > 1 ? [{ optionId: 'files', name: 'Choose file by file', kind: 'allow_once' as const }] : []),
      REFUSE,
    ];
  const what = target.startsWith('command:') ? 'exactly this' : 'this tool';
  return [
    { optionId: 'allow', name: 'Allow', kind: 'allow_once' },
    { optionId: 'allow-tool', name: `Allow ${what} in this session`, kind: 'allow_always' },
    ...(makeRule(request) === undefined
      ? []
      : [{ optionId: 'allow-rule', name: `Always allow, by a rule in ${file}`, kind: 'allow_always' as const }]),
    REFUSE,
  ];
}

/** Names a request in one line. */
export function nameRequest({ space, tool, target, reason, files }: ApprovalRequest): string {
  if (files !== undefined) return `${space}: run changes ${files.map(({ path }) => path).join(', ')}`;
  return `${space}: ${tool} ${target}${reason === undefined ? '' : ` (${reason})`}`;
}
