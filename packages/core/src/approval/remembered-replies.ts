import type { ApprovalRequest } from '../protocol/approver.ts';
import type { ApprovalReply } from './approval-reply.ts';
import { isPlainTarget, plainTarget } from './plain-target.ts';

/** One answer that holds for more than the call it was given to. */
interface RememberedReply {
  readonly session: string;
  readonly space: string;
  /** Absent when the tool does not matter. */
  readonly tool?: string;
  /** The reason that a tool gave for asking by itself; absent for what its effect says. */
  readonly reason?: string;
  /** A target exactly, everything below a folder, or everything. */
  readonly scope: { readonly exactly: string } | { readonly below: string } | 'everything';
  readonly reply: ApprovalReply;
}

/** What was answered for the rest of a session; a refusal wins. */
export class RememberedReplies {
  readonly #replies: RememberedReply[] = [];

  add(request: ApprovalRequest, reply: ApprovalReply): void {
    const { remember } = reply;
    if (remember === undefined) return;
    if (remember === 'target' && !isPlainTarget(request.target)) return;
    const { session, space, tool, reason } = request;
    const exactly = { exactly: plainTarget(request.target) };
    this.#replies.push(
      reason === undefined
        ? { session, space, tool, scope: remember === 'tool' ? 'everything' : around(exactly.exactly), reply }
        : { session, space, reason, scope: exactly, reply },
    );
  }

  /** What was answered before and is for this request too. */
  find(request: ApprovalRequest): ApprovalReply | undefined {
    const replies = this.#replies.filter((known) => covers(known, request)).map(({ reply }) => reply);
    return replies.find(({ decision }) => decision === 'deny') ?? replies[0];
  }
}

/** The folder that a target is in; the target alone when it is in none. */
function around(target: string): RememberedReply['scope'] {
  const end = target.lastIndexOf('/');
  return end > 0 ? { below: target.slice(0, end) } : { exactly: target };
}

function covers({ scope, ...known }: RememberedReply, request: ApprovalRequest): boolean {
  const { session, space, tool, reason } = request;
  if (known.session !== session || known.space !== space || known.reason !== reason) return false;
  if (known.tool !== undefined && known.tool !== tool) return false;
  if (scope === 'everything') return true;
  if (!isPlainTarget(request.target)) return false;
  const target = plainTarget(request.target);
  return 'exactly' in scope ? target === scope.exactly : target.startsWith(`${scope.below}/`);
}
