import type { ApprovalAnswer, ApprovalRequest, Approver, RememberedConsent } from '../protocol/approver.ts';
import { untilAborted } from '../tool-router/abort.ts';
import type { ApprovalReply } from './approval-reply.ts';
import { ruleTest, type ApprovalDecision, type ApprovalRule } from './approval-rule.ts';
import { checkRules } from './check-rules.ts';
import { QuestionQueue } from './question-queue.ts';
import { refusal, saidNo, whyAsked } from './refusals.ts';
import { RememberedReplies } from './remembered-replies.ts';

/** What decides over calls that change something, and over what tools ask consent for by themselves. */
export interface ApprovalPolicy {
  /** Of the rules that are for a call, one that denies wins, then one that asks, whatever their order. */
  readonly rules?: readonly ApprovalRule[];
  /** What happens to a call that no rule is for. Default: `ask` with an `ask` function, else `deny`. */
  readonly otherwise?: ApprovalDecision;
  /**
   * Puts a question to a person; never called before the one before is answered. Contract: settles when the
   * signal aborts, whatever the answer then.
   *
   * @returns undefined when nobody is there to answer
   */
  readonly ask?: (request: ApprovalRequest, signal: AbortSignal) => Promise<ApprovalReply | undefined>;
  /**
   * One sentence for a refusal: what a person has to do to have such a call allowed.
   *
   * @param denying the rule that stands against it, if one does
   */
  readonly remedy?: (request: ApprovalRequest, denying?: ApprovalRule) => string;
}

/**
 * Decides by rules, and asks where they say so.
 *
 * Answers that are to be remembered hold for the session that asked. They never win over a rule that
 * denies. Reading is only ever decided over where a tool asks for consent by itself, for a file that may
 * hold secrets; `otherwise: 'allow'` does not cover that.
 *
 * @throws ConfigurationError for a rule that makes no sense: which field, what was expected, what came
 */
export function approvalPolicy(policy: ApprovalPolicy): Approver {
  checkRules(policy.rules ?? []);
  return new PolicyApprover(policy);
}

interface KnownRule {
  readonly rule: ApprovalRule;
  readonly isFor: (request: ApprovalRequest) => boolean;
}

class PolicyApprover implements Approver {
  readonly #policy: ApprovalPolicy;
  readonly #rules: readonly KnownRule[];
  readonly #remembered = new RememberedReplies();
  readonly #questions = new QuestionQueue();

  constructor(policy: ApprovalPolicy) {
    this.#policy = policy;
    this.#rules = (policy.rules ?? []).map((rule) => ({ rule, isFor: ruleTest(rule) }));
  }

  deny(request: ApprovalRequest): ApprovalAnswer | undefined {
    const denying = this.#rulesFor(request).find(({ decision }) => decision === 'deny');
    if (denying === undefined) return undefined;
    return refusal(request, `a rule denies it: ${JSON.stringify(denying)}`, this.#remedy(request, denying));
  }

  async approve(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> {
    const denied = this.deny(request);
    if (denied !== undefined) return denied;
    const rules = this.#rulesFor(request);
    const asking = rules.find(({ decision }) => decision === 'ask');
    const { decision } = asking ?? rules[0] ?? { decision: this.#otherwise(request) };
    if (decision === 'allow') return { allow: true };
    if (decision === 'ask') return this.#askFor(request, signal);
    return refusal(request, `${whyAsked(request)}, and that is not allowed here`, this.#remedy(request));
  }

  recall(session: string, consents: readonly RememberedConsent[]): void {
    this.#remembered.recall(session, consents);
  }

  #otherwise({ reason }: ApprovalRequest): ApprovalDecision {
    const { otherwise = 'ask' } = this.#policy;
    return otherwise === 'allow' && reason !== undefined ? 'ask' : otherwise;
  }

  #rulesFor(request: ApprovalRequest): readonly ApprovalRule[] {
    return this.#rules.filter(({ isFor }) => isFor(request)).map(({ rule }) => rule);
  }

  async #askFor(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> {
    try {
      const known = this.#remembered.find(request);
      if (known !== undefined) return answerOf(request, known);
      const answer = await untilAborted(this.#ask(request, signal), signal);
      if (answer !== undefined) return answer;
      return refusal(request, `${whyAsked(request)}, and nobody is here to approve it`, this.#remedy(request));
    } catch (error) {
      return refusal(request, 'asking for consent failed', error instanceof Error ? error.message : '');
    }
  }

  /** Waits its turn; by then it may have been answered, or be of no interest any more. */
  #ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer | undefined> {
    return this.#questions.put(async () => {
      if (signal.aborted) return undefined;
      const known = this.#remembered.find(request);
      if (known !== undefined) return answerOf(request, known);
      const reply = await this.#policy.ask?.(request, signal);
      if (reply === undefined || signal.aborted) return undefined;
      const remember = this.#remembered.add(request, reply);
      return { ...answerOf(request, reply), ...(remember !== undefined && { remember }) };
    });
  }

  #remedy(request: ApprovalRequest, denying?: ApprovalRule): string {
    return (this.#policy.remedy ?? remedyInCode)(request, denying);
  }
}

function answerOf(request: ApprovalRequest, reply: ApprovalReply): ApprovalAnswer {
  return reply.decision === 'allow' ? { allow: true } : saidNo(request, reply);
}

function remedyInCode({ space, tool, target, reason }: ApprovalRequest, denying?: ApprovalRule): string {
  if (denying !== undefined) return 'To allow it, change that rule.';
  const rule = reason === undefined ? { space, tool, decision: 'allow' } : { space, target, decision: 'allow' };
  return `To allow it, give approvalPolicy the rule ${JSON.stringify(rule)}.`;
}
