import { ConfigurationError } from '../errors/setup-errors.ts';
import { formatErrorLine } from '../errors/bae-error.ts';
import type { AgentEvent, AgentEventBody } from '../protocol/agent-event.ts';
import type { Host } from '../protocol/host.ts';
import { LONGEST_TIMER_MS } from '../protocol/limits.ts';
import type { ToolCall } from '../protocol/tool-call.ts';
import type { ToolResult } from '../protocol/tool-result.ts';
import { getTagName } from '../protocol/verbs.ts';

/** A call as hooks see it. */
export interface HookedCall extends Pick<ToolCall, 'arg' | 'kwargs' | 'body'> {
  /** The tool: `write`, `send`. */
  readonly tool: string;
  /** Dotted place that it is called in. */
  readonly space: string;
}

/** What a hook wants of a call: that it is refused, or that it is made with other arguments. */
export type HookVerdict = { readonly refuse: string } | Partial<Pick<ToolCall, 'arg' | 'kwargs' | 'body'>>;

type Maybe<T> = T | undefined | Promise<T | undefined>;

/**
 * Takes part in everything that a session does. Hooks run in the order in which they are listed; each gets what those
 * before it made of a call. They can refuse, narrow and add words, never allow: rules and consent come after them.
 */
export interface Hook {
  /** For people: in events and messages. */
  readonly name: string;
  /** Longest time of any of its functions, in milliseconds. Default: 5000. */
  readonly timeoutMs?: number;
  /** Called before rules and consent. A hook that fails or takes too long refuses the call. */
  beforeCall?(call: HookedCall): Maybe<HookVerdict>;
  /** Gets the text that the model will read; a text that it returns is read instead, by code too. */
  afterCall?(call: HookedCall, result: Pick<ToolResult, 'ok' | 'text'>): Maybe<string>;
  /** Gets the next message to the model; a text that it returns is added to its end. */
  beforeSend?(message: string): Maybe<string>;
  /** Hears every event. One that throws is not called again. */
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

/** What a hook does, what became of a call or text by what it returned, and why that is nothing that it may return. */
interface HookWork<T> {
  readonly work: () => Maybe<T>;
  readonly judge: (value: T | undefined) => HookOutcome;
  readonly check: (value: T) => string | undefined;
}

/** The hooks of one session. */
export class SessionHooks {
  readonly #hooks: readonly Hook[];
  readonly #host: Host;
  readonly #emit: (body: AgentEventBody) => Promise<void>;

  constructor(hooks: readonly Hook[], host: Host, emit: (body: AgentEventBody) => Promise<void>) {
    this.#hooks = hooks;
    this.#host = host;
    this.#emit = emit;
  }

  /** The call as all hooks together want it, or the sentence with which one refuses it. */
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
      // What is shown is what runs.
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
      // Code, too, gets nothing that a hook has taken out.
      const { value: _value, media: _media, ref: _ref, pruned: _pruned, ...rest } = current;
      current = { ...rest, text: shown };
    }
    return current;
  }

  /** A message with what hooks add to it. */
  async beforeSend(message: string): Promise<string> {
    let current = message;
    for (const hook of this.#having('beforeSend')) {
      const { value } = await this.#run(hook, 'beforeSend', {
        work: () => hook.beforeSend!(current),
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
      this.#emit({ type: 'hook', hook: hook.name, part, outcome, ms: clock.now() - began, ...(text && { text }) });
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

/** Why a verdict is none, as the end of a sentence; undefined when it is. */
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
