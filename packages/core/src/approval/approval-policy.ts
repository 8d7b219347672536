import {
  describeDetails,
  type ApprovalOutcome,
  type ApprovalRequest,
  type Approver,
  type FileRule,
  type RememberedConsent,
} from '../protocol/approver.ts';
import { takeFirstUnits } from '../text-size/text-size.ts';
import { untilAborted } from '../tool-router/abort.ts';
import {
  checkRules,
  makeRuleTest,
  foldSpelling,
  makePathTest,
  normalizeTarget,
  isCommandTarget,
  isComparableTarget,
  type ApprovalDecision,
  type ApprovalRule,
} from './approval-rule.ts';

const LONGEST_TARGET = 200;

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
class RememberedReplies {
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

/** Decides about calls that change something, and about anything else that tools request consent for. */
export interface ApprovalPolicy {
  /** Rules. Of those that match a call, one that denies takes precedence, then one that asks, whatever their order. */
  readonly rules?: readonly ApprovalRule[];
  /** Decision about a call that no rule matches. Default: `ask` with an `ask` function, otherwise `deny`. */
  readonly otherwise?: ApprovalDecision;
  /**
   * Asks a person; called with one question at a time. Contract: settles when the signal aborts; the reply is then
   * ignored. Returns undefined if nobody is available to reply.
   */
  readonly ask?: (request: ApprovalRequest, signal: AbortSignal) => Promise<ApprovalReply | undefined>;
  /**
   * Returns one sentence for a refusal: what a person must do to allow such a call. `denying` is the rule that denies
   * it.
   */
  readonly remedy?: (request: ApprovalRequest, denying?: ApprovalRule) => string;
}

/**
 * Decides by rules, and asks a person if they say so. Remembered replies apply to the session that asked, and never
 * override a rule that denies. Reading needs a decision only where a rule with the effect `read` says so, and for a file
 * that may hold secrets; `otherwise: 'allow'` does not cover that.
 *
 * @throws ConfigurationError for an invalid rule
 */
export function approvalPolicy(policy: ApprovalPolicy): Approver {
  const { rules = [], otherwise = 'ask', remedy = defaultRemedy } = policy;
  checkRules(rules);
  const tests = rules.map((rule) => ({ rule, matches: makeRuleTest(rule) }));
  const remembered = new RememberedReplies();
  /** Settles when every question so far has a reply: a person can answer only one at a time. */
  let lastQuestion: Promise<unknown> = Promise.resolve();

  const findRules = (request: ApprovalRequest) =>
    tests.filter(({ matches }) => matches(request)).map(({ rule }) => rule);

  function deny(request: ApprovalRequest): ApprovalOutcome | undefined {
    const denying = findRules(request).find(({ decision }) => decision === 'deny');
    if (denying === undefined) return undefined;
    return {
      ...makeRefusal(request, `a rule denies it: ${JSON.stringify(denying)}`, remedy(request, denying)),
      by: 'rule',
    };
  }

  /** The changes of a run block are allowed if all of them are, and refused if any of them is. */
  function decide(request: ApprovalRequest): ApprovalOutcome | undefined {
    if (request.parts === undefined) return decideOne(request);
    const denied = deny(request);
    if (denied !== undefined) return denied;
    const outcomes = request.parts.map(decideOne);
    const refusal = outcomes.find((outcome) => outcome?.allow === false);
    return refusal ?? (outcomes.includes(undefined) ? undefined : outcomes.at(-1));
  }

  function decideOne(request: ApprovalRequest): ApprovalOutcome | undefined {
    const denied = deny(request);
    if (denied !== undefined) return denied;
    const matching = findRules(request);
    const byDefault = otherwise === 'allow' && request.reason !== undefined ? 'ask' : otherwise;
    const asks = matching.some(({ decision }) => decision === 'ask');
    const decision = asks ? 'ask' : (matching[0]?.decision ?? byDefault);
    if (decision === 'allow') return { allow: true, by: matching.length > 0 ? 'rule' : 'default' };
    if (decision === 'ask')
      return findReply(request) ?? (policy.ask === undefined ? refuseUnasked(request) : undefined);
    return {
      ...makeRefusal(request, `${explainNeed(request)}, and that is not allowed here`, remedy(request)),
      by: 'default',
    };
  }

  async function approve(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalOutcome> {
    return decide(request) ?? requestReply(request, signal);
  }

  function findReply(request: ApprovalRequest): ApprovalOutcome | undefined {
    const known = remembered.find(request);
    return known && { ...toOutcome(request, known), by: 'earlier reply' };
  }

  function refuseUnasked(request: ApprovalRequest): ApprovalOutcome {
    const cause = `${explainNeed(request)}, and no one is available to approve it`;
    return { ...makeRefusal(request, cause, remedy(request)), isUnanswered: true, by: 'nobody' };
  }

  async function requestReply(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalOutcome> {
    try {
      const question = lastQuestion.then(() => askPerson(request, signal));
      lastQuestion = question.catch(() => undefined);
      const outcome = await untilAborted(question, signal);
      return outcome ?? refuseUnasked(request);
    } catch (error) {
      const cause = error instanceof Error ? error.message : '';
      return { ...makeRefusal(request, 'asking for consent failed', cause), by: 'nobody' };
    }
  }

  /** By the time a question is asked, an earlier reply may have decided it, or its call may have been cancelled. */
  async function askPerson(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalOutcome | undefined> {
    if (signal.aborted) return undefined;
    const known = findReply(request);
    if (known !== undefined) return known;
    const reply = await policy.ask?.(request, signal);
    if (reply === undefined || signal.aborted) return undefined;
    const remember = remembered.add(request, reply);
    const { by = 'person' } = reply;
    return { ...toOutcome(request, reply), by, ...(remember !== undefined && { remember }) };
  }

  const readTests = listReadRules(rules).map(makeRuleTest);
  const restrictsRead = (request: ApprovalRequest) => readTests.some((matches) => matches(request));
  const fileRules = listFileRules(rules);
  return {
    deny,
    decide,
    approve,
    restrictsRead,
    fileRules,
    recall: (session, consents) => remembered.recall(session, consents),
  };
}

/** Allows every call. For tests, sandboxes, and people who asked for it. */
export const allowAll: Approver = { approve: () => ({ allow: true }) };

/** Refuses everything that needs consent; used by an agent without an approver. */
export const readOnly: Approver = approvalPolicy({
  remedy: () => 'To allow it, give createAgent an approver, such as approvalPolicy({ ask }).',
});

function toOutcome(request: ApprovalRequest, { decision, reason, only }: ApprovalReply): ApprovalOutcome {
  if (decision === 'allow') return { allow: true, ...(only !== undefined && { only }) };
  return makeRefusal(request, 'the user said no', reason ?? 'Ask what to do instead.');
}

function makeRefusal(
  request: ApprovalRequest,
  cause: string,
  remedy: string,
): Extract<ApprovalOutcome, { readonly allow: false }> {
  const { tool, target, reason } = request;
  const what = reason === undefined || target === '' ? tool : `${tool} on ${takeFirstUnits(target, LONGEST_TARGET)}`;
  return { allow: false, reason: `${what} was not run: ${cause}. ${remedy}`.trimEnd() };
}

function explainNeed(request: ApprovalRequest): string {
  const { effect, reason } = request;
  return reason ?? [`it has the effect '${effect}'`, ...describeDetails(request)].join(', ');
}

function defaultRemedy({ space, tool, target, reason }: ApprovalRequest, denying?: ApprovalRule): string {
  if (denying !== undefined) return 'To allow it, change that rule.';
  const calls = reason === undefined ? { tool } : target === '' ? { tool, target: '**' } : { target };
  const rule = { space, ...calls, decision: 'allow' };
  return `To allow it, give approvalPolicy the rule ${JSON.stringify(rule)}.`;
}

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
function listReadRules(rules: readonly ApprovalRule[]): readonly ApprovalRule[] {
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
