import { ApprovalError, ResourceError } from '../errors/bae-error.ts';
import type { ApprovalRequest, Approver } from '../protocol/approver.ts';
import type { RunningBlock } from '../protocol/code-runner.ts';
import type { ToolCall } from '../protocol/tool-call.ts';
import type { Answers, AskPerson, Change, Question, ToolContext, ToolDefinition } from '../protocol/tool-definition.ts';
import { abortWith, untilAborted, waitUnlessAborted, type TimeLimit } from './abort.ts';
import { getPrimaryParam } from './split-argument.ts';

/** Describes a call for approval rules and the person. */
export function makeApprovalRequest(
  { tag }: Pick<ToolCall, 'tag'>,
  definition: ToolDefinition,
  { args, ...made }: Pick<ApprovalRequest, 'args' | 'session' | 'space'>,
): ApprovalRequest {
  const { name, effect, idempotent, destructive, openWorld, cost, spec } = definition;
  const value = args[getPrimaryParam(spec)?.name ?? ''];
  const target = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  return { ...made, tool: name, effect, idempotent, destructive, openWorld, cost, tag, args, target };
}

/** Describes everything that a person has seen of a change. */
export async function describeChange(change: Change): Promise<string> {
  return JSON.stringify([change.touches, await change.preview()]);
}

/** Those who answer the questions of calls. */
export interface QuestionPorts {
  readonly approver: Approver;
  /** Asks the user on behalf of tools. Default: no user is available. */
  readonly askPerson?: AskPerson | undefined;
  /** Asks the model on behalf of tools, and gives its name. Default: no model is available. */
  readonly modelCalls?: {
    readonly name: string | undefined;
    ask(prompt: string, signal: AbortSignal): Promise<string>;
  };
}

interface QuestionScope {
  readonly signal: AbortSignal;
  readonly pauseDuring?: RunningBlock['pauseDuring'] | undefined;
  /** Time limit of the call. */
  readonly limit: TimeLimit;
}

/** What one call asks of others, with the time limits of the call and of its caller paused. */
export class CallQuestions {
  /** True when the user has allowed the call to show possible secrets. */
  mayShowKeys = false;
  readonly #ports: QuestionPorts;
  readonly #scope: QuestionScope;

  constructor(ports: QuestionPorts, scope: QuestionScope) {
    this.#ports = ports;
    this.#scope = scope;
  }

  /** Asks for consent. @throws ApprovalError if it is not given */
  async consent(request: ApprovalRequest): Promise<void> {
    const outcome = await this.#ask(async (signal) => this.#ports.approver.approve(request, signal));
    if (outcome.allow) {
      this.mayShowKeys ||= request.reason !== undefined;
      return;
    }
    const { reason, isUnanswered = false } = outcome;
    throw Object.assign(new ApprovalError(reason), { isUnanswered });
  }

  /** Asks about a call that only reads, because of a rule: that all changes are allowed does not allow it. */
  async consentToRead(request: ApprovalRequest): Promise<void> {
    const { mayShowKeys } = this;
    await this.consent({ ...request, reason: 'a rule is about reading with it' });
    this.mayShowKeys = mayShowKeys;
  }

  /** Asks for consent to something that the effect of the tool does not cover. */
  consentFor(request: ApprovalRequest, reason: string, about: Parameters<ToolContext['requestApproval']>[1]) {
    // Whatever the call does, showing a file reads it.
    if (typeof about === 'object') return this.consent({ ...request, target: about.path, effect: 'read', reason });
    return this.consent({ ...request, target: about ?? request.target, reason });
  }

  /** Asks the person on behalf of a tool. */
  async askPerson(question: Question, { space, tool }: Pick<ApprovalRequest, 'space' | 'tool'>) {
    const { askPerson } = this.#ports;
    if (askPerson === undefined)
      throw new ResourceError(
        `${space}: ${tool} asks a question, but no one is available to answer: ${question.text}`,
        ['run it where a person can answer: in the shell'],
      );
    const asked = { ...question, space, tool };
    return this.#ask<Answers | undefined>((signal) => this.#askInTime(asked, askPerson, signal));
  }

  /** Asks the model on behalf of the tool of a request, with consent. */
  async askModel(prompt: string, request: ApprovalRequest): Promise<string> {
    const { modelCalls } = this.#ports;
    if (modelCalls?.name === undefined)
      throw new ResourceError(`${request.space}: ${request.tool} asks a model, but there is none here.`, [
        'start bae with a model: --model NAME',
      ]);
    const { name } = modelCalls;
    const { mayShowKeys } = this;
    await this.consent({
      ...request,
      effect: 'external',
      target: `model:${name}`,
      reason: `it asks the model ${name}`,
      preview: () => Promise.resolve(prompt),
    });
    this.mayShowKeys = mayShowKeys;
    return this.#ask((signal) => modelCalls.ask(prompt, signal));
  }

  /** Asks until the time of the question is up; then, its defaults are the answer. */
  async #askInTime(question: Parameters<AskPerson>[0], askPerson: AskPerson, signal: AbortSignal) {
    const { timeoutMs, text, fields, space, tool } = question;
    if (timeoutMs === undefined) return askPerson(question, signal);
    const stop = new AbortController();
    const unlink = abortWith(stop, signal);
    const late = new ResourceError(`${space}: no one answered ${tool} within ${timeoutMs / 1000} s: ${text}`);
    const cancel = this.#scope.limit.schedule(() => stop.abort(late), timeoutMs);
    try {
      return await waitUnlessAborted(askPerson(question, stop.signal), stop.signal);
    } catch (error) {
      const usual = Object.entries(fields).filter(([, field]) => field.default !== undefined);
      const isEnough = Object.values(fields).every((field) => field.default !== undefined || field.optional === true);
      if (stop.signal.reason !== late || !isEnough) throw stop.signal.reason === late ? late : error;
      return Object.fromEntries(usual.map(([name, field]) => [name, field.default!]));
    } finally {
      cancel();
      unlink();
    }
  }

  #ask<T>(ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { signal, limit, pauseDuring = (work) => work() } = this.#scope;
    return limit.pauseDuring(() =>
      untilAborted(
        pauseDuring(() => ask(signal)),
        signal,
      ),
    );
  }
}
