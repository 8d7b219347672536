import type { ApprovalPolicy, ApprovalRequest } from '@bae/core';
import { visibleLine } from '../terminal/make-visible.ts';
import { fitted } from '../terminal/text-width.ts';

/** What somebody answers to a question. */
export type Reply = NonNullable<Awaited<ReturnType<NonNullable<ApprovalPolicy['ask']>>>>;

/** One answer a person may give. */
interface Choice {
  readonly key: string;
  readonly word: string;
  readonly meaning: string;
  readonly reply: Reply;
}

/** Columns that a name takes in the question. */
const NAME = 40;

/** The answers there are to a request. */
export function choicesFor({ tool, space, target, reason }: ApprovalRequest): readonly Choice[] {
  const folder = target.slice(0, Math.max(target.lastIndexOf('/'), 0));
  const always = { key: 'a', word: 'always' };
  return [
    { key: 'y', word: 'yes', meaning: 'yes', reply: { decision: 'allow' } },
    reason === undefined
      ? {
          ...always,
          meaning: `always ${shortened(tool)} in ${shortened(space)}`,
          reply: { decision: 'allow', remember: 'tool' },
        }
      : { ...always, meaning: `always for ${shortened(target)}`, reply: { decision: 'allow', remember: 'target' } },
    ...(reason === undefined && folder !== ''
      ? [
          {
            key: 'f',
            word: 'folder',
            meaning: `always ${shortened(tool)} below ${shortened(folder)}/`,
            reply: { decision: 'allow', remember: 'target' } as const,
          },
        ]
      : []),
    { key: 'n', word: 'no', meaning: 'no', reply: { decision: 'deny' } },
  ];
}

function shortened(name: string): string {
  return fitted(visibleLine(name), NAME);
}
