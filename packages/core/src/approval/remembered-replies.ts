import type { ApprovalRequest, RememberedConsent } from '../protocol/approver.ts';
import { isCommandTarget, isComparableTarget, normalizeTarget } from './approval-rule.ts';

/** Reply of a person to a call that waits for consent. */
export interface ApprovalReply {
  readonly decision: 'allow' | 'deny';
  /**
   * Applies the decision for the rest of the session: `tool` to every call of this tool in this space, `target` to
   * calls about the same folder and below. A command is remembered exactly, in both cases. If a tool itself requested
   * consent, the reply is remembered for exactly this target.
   */
  readonly remember?: 'tool' | 'target';
  /** Reason for a refusal, or a suggestion what to do instead; for the model. */
  readonly reason?: string;
  /** Paths of the files to which consent applies, for the changes of a run block. Default: all. */
  readonly only?: readonly string[];
  /** Origin of the reply: `option` if it is not a person's. Default: `person`. */
  readonly by?: 'person' | 'option';
}

/** Replies that apply for the rest of a session; a refusal takes precedence. */
export class RememberedReplies {
  readonly #bySession = new Map<string, RememberedConsent[]>();

  /** Remembers a reply, and returns the remembered consent; undefined if the reply applies to one call only. */
  add(request: ApprovalRequest, reply: ApprovalReply): RememberedConsent | undefined {
    // The changes of a block are asked about as a whole, so the reply says nothing about other calls.
    const consent = request.parts === undefined ? toConsent(request, reply) : undefined;
    if (consent !== undefined) this.recall(request.session, [consent]);
    return consent;
  }

  recall(session: string, consents: readonly RememberedConsent[]): void {
    this.#bySession.set(session, [...(this.#bySession.get(session) ?? []), ...consents]);
  }

  /** Returns an earlier reply that covers this request too. */
  find(request: ApprovalRequest): ApprovalReply | undefined {
    const consents = this.#bySession.get(request.session)?.filter((known) => covers(known, request)) ?? [];
    const known = consents.find(({ decision }) => decision === 'deny') ?? consents[0];
    if (known === undefined) return undefined;
    const { decision, because } = known;
    return { decision, ...(because !== undefined && { reason: because }) };
  }
}

function toConsent(request: ApprovalRequest, reply: ApprovalReply): RememberedConsent | undefined {
  const { remember, decision } = reply;
  if (remember === undefined) return undefined;
  // Consent to one command says nothing about another.
  if (isCommandTarget(request.target)) {
    const { space, tool, reason, target } = request;
    const why = {
      ...(reply.reason !== undefined && { because: reply.reason }),
      ...(reason !== undefined && { reason }),
    };
    return { space, tool, decision, ...why, scope: { exactly: target } };
  }
  if (remember === 'target' && !isComparableTarget(request.target)) return undefined;
  const { space, tool, reason } = request;
  const consent = { space, decision, ...(reply.reason !== undefined && { because: reply.reason }) };
  const exactly = { exactly: normalizeTarget(request.target) };
  if (reason !== undefined) return { ...consent, reason, scope: exactly };
  return { ...consent, tool, scope: remember === 'tool' ? 'everything' : scopeAround(exactly.exactly) };
}

/** Returns the folder that contains a target, or the target alone if there is none. */
function scopeAround(target: string): RememberedConsent['scope'] {
  const end = target.lastIndexOf('/');
  return end > 0 ? { below: target.slice(0, end) } : { exactly: target };
}

function covers({ scope, ...known }: RememberedConsent, request: ApprovalRequest): boolean {
  const { space, tool, reason } = request;
  if (known.space !== space || known.reason !== reason) return false;
  if (known.tool !== undefined && known.tool !== tool) return false;
  if (scope === 'everything') return true;
  if (isCommandTarget(request.target)) return 'exactly' in scope && request.target === scope.exactly;
  // A file that is moved out of the folder is not covered by the reply.
  return [request.target, ...(request.touches ?? [])].every((touched) => {
    const target = normalizeTarget(touched);
    if (!isComparableTarget(touched)) return false;
    return 'exactly' in scope ? target === scope.exactly : target.startsWith(`${scope.below}/`);
  });
}
