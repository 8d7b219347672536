import { ConfigurationError, formatErrorLine } from '../errors/bae-error.ts';
import type { AgentEvent, AgentEventBody } from '../protocol/agent-event.ts';
import type { Host } from '../protocol/host.ts';
import { LONGEST_TIMER_MS } from '../protocol/limits.ts';
import type { ToolCall } from '../protocol/tool-call.ts';
import type { ToolResult } from '../protocol/tool-result.ts';
import { getTagName } from '../protocol/verbs.ts';

/** A call as seen by hooks. */
export interface HookedCall extends Pick<ToolCall, 'arg' | 'kwargs' | 'body'> {
  /** Name of the tool: `write`, `send`. */
  readonly tool: string;
  /** Dotted place in which it is called. */
  readonly space: string;
}

/** Verdict of a hook about a call: refuse it, or make it with other arguments. */
export type HookVerdict = { readonly refuse: string } | Partial<Pick<ToolCall, 'arg' | 'kwargs' | 'body'>>;

type Maybe<T> = T | undefined | Promise<T | undefined>;

/**
 * Takes part in everything that a session does. Hooks run in the order in which they are listed; each gets the call as
 * changed by those before it. They can refuse, narrow and add text, but never allow: rules and consent come after them.
 */
export interface Hook {
  /** Name for people, used in events and messages. */
  readonly name: string;
  /** Time limit of each of its functions, in milliseconds. Default: 5000. */
  readonly timeoutMs?: number;
  /** Called before rules and consent are checked. A hook that fails or takes too long refuses the call. */
  beforeCall?(call: HookedCall): Maybe<HookVerdict>;
  /** Receives the text that the model will read; if it returns a text, the model and code read that instead. */
  afterCall?(call: HookedCall, result: Pick<ToolResult, 'ok' | 'text'>): Maybe<string>;
  /**
   * Receives the next message to the model; a text that it returns is appended.
   *
   * @param label label of the session, as in its events
   */
  beforeSend?(message: string, label: string): Maybe<string>;
  /** Receives every event. A hook that throws is not called again. */
  onEvent?(event: AgentEvent): void;
}

const TIME_LIMIT_MS = 5000;
const PARTS = ['beforeCall', 'afterCall', 'beforeSend', 'onEvent'];
const NARROWED = new Set(['arg', 'kwargs', 'body']);

type Part = 'beforeCall' | 'afterCall' | 'beforeSend';
type HookOutcome = Extract<AgentEventBody, { readonly type: 'hook' }>['outcome'];

/** @throws ConfigurationError for a hook without a name or function */
export function checkHooks(hooks: readonly Hook[] | undefined): void {
  if (hooks !== undefined && !Array.isArray(hooks)) throw new ConfigurationError('hooks: expected a list of objects.');
  for (const [index, hook] of (hooks ?? []).entries()) {
    const fields = Object(hook) as Readonly<Record<string, unknown>>;
    const { name } = fields;
    if (typeof name !== 'string' || name.trim() === '')
      throw new ConfigurationError(`hooks[${index}].name: expected a name like 'audit'.`);
    if (!PARTS.some((part) => typeof fields[part] === 'function'))
      throw new ConfigurationError(`hooks[${index}] (${name}): expected one of the functions ${PARTS.join(', ')}.`);
  }
}

/** Work of a hook, the outcome of its return value, and the reason if that value is not allowed. */
interface HookWork<T> {
  readonly work: () => Maybe<T>;
  readonly judge: (value: T | undefined) => HookOutcome;
  readonly check: (value: T) => string | undefined;
}

/** The session that hooks take part in. */
interface HookedSession {
  readonly label: string;
  emit(body: AgentEventBody): Promise<void>;
}

/** Runs the hooks of one session. */
export class SessionHooks {
  readonly #hooks: readonly Hook[];
  readonly #host: Host;
  readonly #hub: HookedSession;

  constructor(hooks: readonly Hook[], host: Host, hub: HookedSession) {
    this.#hooks = hooks;
    this.#host = host;
    this.#hub = hub;
  }

  /** Returns the call as changed by all hooks, or the sentence with which one of them refuses it. */
  async beforeCall(call: ToolCall, space: string): Promise<ToolCall | { readonly refusal: string }> {
    let current = call;
    for (const hook of this.#having('beforeCall')) {
      const { value, failure } = await this.#run(hook, 'beforeCall', {
        work: () => hook.beforeCall!(toHookedCall(current, space)),
        judge: (verdict) => (verdict === undefined ? 'unchanged' : 'refuse' in verdict ? 'refused' : 'changed'),
        check: findVerdictProblem,
      });
      if (failure !== undefined) return { refusal: `the hook ${hook.name} failed: ${failure}` };
      if (value === undefined) continue;
      if ('refuse' in value) return { refusal: `the hook ${hook.name} refuses it: ${value.refuse}` };
      const changed = { ...current, ...value };
      const place = call.space === undefined ? '' : `${call.space}.`;
      // The tag that is shown matches the call that runs.
      current = { ...changed, tag: `<${place}${getTagName(call.verb)}:${changed.arg}>` };
    }
    return current;
  }

  async afterCall(call: ToolCall, result: ToolResult): Promise<ToolResult> {
    let current = result;
    for (const hook of this.#having('afterCall')) {
      const { ok, text } = current;
      const work = () => hook.afterCall!(toHookedCall(call, result.space), { ok, text });
      const { value, failure } = await this.#run(hook, 'afterCall', {
        work,
        judge: (changed) => (changed === undefined || changed === text ? 'unchanged' : 'changed'),
        check: (changed) => (typeof changed === 'string' ? undefined : 'expected a text'),
      });
      const shown =
        failure === undefined ? value : `(the result is not shown: the hook ${hook.name} failed: ${failure})`;
      if (shown === undefined || shown === text) continue;
      // Code does not get anything that a hook has removed, either.
      const { value: _value, media: _media, ref: _ref, pruned: _pruned, ...rest } = current;
      current = { ...rest, text: shown };
    }
    return current;
  }

  /** Returns a message with the texts that hooks add to it. */
  async beforeSend(message: string): Promise<string> {
    let current = message;
    for (const hook of this.#having('beforeSend')) {
      const { value } = await this.#run(hook, 'beforeSend', {
        work: () => hook.beforeSend!(current, this.#hub.label),
        judge: (added) => (added === undefined || added === '' ? 'unchanged' : 'changed'),
        check: (added) => (typeof added === 'string' ? undefined : 'expected a text'),
      });
      if (value !== undefined && value !== '') current = `${current}\n\n${value}`;
    }
    return current;
  }

  #having(part: Part): readonly Hook[] {
    return this.#hooks.filter((hook) => hook[part] !== undefined);
  }

  async #run<T>(
    hook: Hook,
    part: Part,
    { work, judge, check }: HookWork<T>,
  ): Promise<{ readonly value?: T | undefined; readonly failure?: string }> {
    const { clock } = this.#host;
    const began = clock.now();
    const report = (outcome: HookOutcome, text?: string) =>
      this.#hub.emit({ type: 'hook', hook: hook.name, part, outcome, ms: clock.now() - began, ...(text && { text }) });
    try {
      const value = await this.#limit(hook, async () => work());
      const problem = value === undefined ? undefined : check(value);
      if (problem !== undefined) throw new TypeError(`${part}: ${problem}`);
      await report(judge(value));
      return { value };
    } catch (error) {
      const failure = formatErrorLine(error);
      await report('failed', failure);
      return { failure };
    }
  }

  async #limit<T>({ timeoutMs = TIME_LIMIT_MS }: Hook, work: () => Promise<T>): Promise<T> {
    const { timers } = this.#host;
    const { promise, reject } = Promise.withResolvers<never>();
    const give = (): void => reject(new Error(`it took longer than ${timeoutMs / 1000} s`));
    const timer = timers.setTimeout(give, Math.min(timeoutMs, LONGEST_TIMER_MS));
    try {
      return await Promise.race([work(), promise]);
    } finally {
      timers.clearTimeout(timer);
    }
  }
}

function toHookedCall({ verb, arg, kwargs, body }: ToolCall, space: string): HookedCall {
  return { tool: verb, space, arg, ...(kwargs && { kwargs }), ...(body !== undefined && { body }) };
}

/** Returns the reason that a verdict is invalid, as the end of a sentence; undefined if it is valid. */
function findVerdictProblem(verdict: HookVerdict): string | undefined {
  if (typeof verdict !== 'object' || verdict === null) return 'expected { refuse } or { arg, kwargs, body }';
  if ('refuse' in verdict) return typeof verdict.refuse === 'string' ? undefined : 'refuse: expected a text';
  const other = Object.keys(verdict).find((key) => !NARROWED.has(key));
  if (other !== undefined) return `${other}: a hook changes arg, kwargs and body of a call, and nothing else of it`;
  const { arg, body } = verdict;
  return [arg, body].every((text) => text === undefined || typeof text === 'string')
    ? undefined
    : 'arg, body: expected texts';
}
