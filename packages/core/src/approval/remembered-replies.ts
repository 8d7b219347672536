import type { ApprovalRequest, RememberedConsent } from '../protocol/approver.ts';
import type { ApprovalReply } from './approval-reply.ts';
import { isPlainTarget, plainTarget } from './plain-target.ts';

/** What was answered for the rest of a session; a refusal wins. */
export class RememberedReplies {
  readonly #bySession = new Map<string, RememberedConsent[]>();

  /** Keeps a reply, and returns what is kept of it; undefined when it holds for one call only. */
  add(request: ApprovalRequest, reply: ApprovalReply): RememberedConsent | undefined {
    const consent = consentOf(request, reply);
    if (consent !== undefined) this.recall(request.session, [consent]);
    return consent;
  }

  recall(session: string, consents: readonly RememberedConsent[]): void {
    this.#bySession.set(session, [...(this.#bySession.get(session) ?? []), ...consents]);
  }

  /** What was answered before and is for this request too. */
  find(request: ApprovalRequest): ApprovalReply | undefined {
    const consents = this.#bySession.get(request.session)?.filter((known) => covers(known, request)) ?? [];
    const known = consents.find(({ decision }) => decision === 'deny') ?? consents[0];
    if (known === undefined) return undefined;
    const { decision, because } = known;
    return { decision, ...(because !== undefined && { reason: because }) };
  }
}

function consentOf(request: ApprovalRequest, reply: ApprovalReply): RememberedConsent | undefined {
  const { remember, decision } = reply;
  if (remember === undefined) return undefined;
  if (remember === 'target' && !isPlainTarget(request.target)) return undefined;
  const { space, tool, reason } = request;
  const answer = { space, decision, ...(reply.reason !== undefined && { because: reply.reason }) };
  const exactly = { exactly: plainTarget(request.target) };
  if (reason !== undefined) return { ...answer, reason, scope: exactly };
  return { ...answer, tool, scope: remember === 'tool' ? 'everything' : around(exactly.exactly) };
}

/** The folder that a target is in; the target alone when it is in none. */
function around(target: string): RememberedConsent['scope'] {
  const end = target.lastIndexOf('/');
  return end > 0 ? { below: target.slice(0, end) } : { exactly: target };
}

function covers({ scope, ...known }: RememberedConsent, request: ApprovalRequest): boolean {
  const { space, tool, reason } = request;
  if (known.space !== space || known.reason !== reason) return false;
  if (known.tool !== undefined && known.tool !== tool) return false;
  if (scope === 'everything') return true;
  if (!isPlainTarget(request.target)) return false;
  const target = plainTarget(request.target);
  return 'exactly' in scope ? target === scope.exactly : target.startsWith(`${scope.below}/`);
}
