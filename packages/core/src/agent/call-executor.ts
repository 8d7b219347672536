import { ApprovalError, AbortError, BaeError, type MissingName } from '../errors/bae-error.ts';
import { renderError, restoreSeparators, summarizeCall, summarizeMove } from '../feedback/render-feedback.ts';
import { formatSpacePath, type SpacePath } from '../protocol/space-path.ts';
import { findVerb } from '../protocol/verbs.ts';
import type { AgentEventBody } from '../protocol/agent-event.ts';
import type { ToolCall } from '../protocol/tool-call.ts';
import type { ToolArguments, ToolContext, ToolDefinition } from '../protocol/tool-definition.ts';
import type { ToolResult } from '../protocol/tool-result.ts';
import { type Elsewhere, locateElsewhere, walkSpaces } from '../registry/navigation.ts';
import { renderExample } from '../orientation/render-tools.ts';
import { makeExampleCall } from '../tool-spec/example-call.ts';
import type { SpaceDefinition } from '../protocol/resourcespace.ts';
import { renderSignature } from '../tool-spec/signature.ts';
import { abortWith, CANCELLED, INTERRUPTED, throwIfAborted, TimeLimit } from '../tool-router/abort.ts';
import type { BoundCall } from '../tool-router/resolve-call.ts';
import type { DispatchOptions } from '../tool-router/tool-router.ts';
import type { CallReport } from './agent.ts';
import { hasChangedSomething, type RepeatGuard } from './guards/call-guards.ts';
import { addUnsentText, keepFailedText, type Session } from './session.ts';
import { maskKeys } from '../results/mask-keys.ts';
import { takeFirstUnits } from '../text-size/text-size.ts';

/** Origin of a call, and the signal that cancels it. */
export type CallScope = Pick<DispatchOptions, 'signal' | 'fromCode' | 'pauseDuring' | 'reason' | 'draft' | 'cap'>;

interface BatchScope extends CallScope {
  readonly guard: RepeatGuard;
  /** True if a person typed the text: they are not asked for consent merely because they copied something. */
  readonly isTyped: boolean;
  readonly getBatch: () => readonly ToolCall[];
}

/** Functions that receive the reports of a running call. */
type RunningScope = CallScope & Pick<DispatchOptions, 'onRun' | 'onProgress' | 'onOutput'>;

/** Minimum time between two forwarded progress reports, in milliseconds. */
const PROGRESS_MS = 100;
/** Verbs whose calls are moved to the space that has what home does not have. */
const MOVED: ReadonlySet<string> = new Set(['read', 'edit', 'write']);
/** Time limit for finding what home does not have, in milliseconds. */
const LOCATE_MS = 10_000;
/** Maximum output of one call that is forwarded, in characters. */
const MOST_OUTPUT = 1_000_000;
/** Maximum length of an unfinished line that is held back, in characters. */
const LONGEST_LINE = 8000;

/** Reason given when consent is requested although the call is allowed. */
export const ECHOED = 'something that was read asks for it';

/** Executes single calls for a session (moves and tools), each between its start and end events. */
export class CallExecutor {
  /** Number of calls that were run, not counting repeats. */
  executed = 0;
  readonly #session: Session;
  readonly #options: BatchScope;
  #failedMove: string | undefined;

  constructor(session: Session, options: BatchScope) {
    this.#session = session;
    this.#options = options;
  }

  /**
   * Executes one call. If it is cancelled while it runs, its report contains an AbortError; if before that, this
   * rejects.
   *
   * @param number the call's place in its batch, from 1; 0 for a call made by a run block
   * @param scope the scope of the run block that makes the call. Default: that of the batch
   */
  async execute(call: ToolCall, number: number, scope: CallScope = this.#options): Promise<CallReport> {
    const { hub, host, navigation, cancels } = this.#session;
    throwIfAborted(scope.signal);
    const id = this.#session.hub.nextId();
    // A run block may make thousands of calls; it is cancelled as a whole.
    const own = number > 0 ? new AbortController() : undefined;
    const unlink = own && abortWith(own, scope.signal);
    const signal = own?.signal ?? scope.signal;
    if (own !== undefined) cancels.set(id, own);
    const space = call.space ?? formatSpacePath(navigation.location);
    const { tag, verb } = call;
    await hub.emit({ type: 'call-start', id, tag, verb, space, arguments: listArguments(call) });
    const began = host.clock.now();
    const { executed } = this;
    let ran = false;
    const onRun = () => void (ran = true);
    const { end: endReports, ...reports } = this.#passOn({ id, tag, verb, space });
    const result = await this.#run(call, number, { ...scope, signal, onRun, ...reports })
      .catch((error: unknown) => {
        if (!BaeError.is(error) || !signal.aborted) throw error;
        if (!ran) this.executed = executed;
        const reason = describeAbort(ran, scope.signal.aborted);
        return toAborted({ space, ran, ms: host.clock.now() - began }, reason);
      })
      .finally(() => {
        cancels.delete(id);
        unlink?.();
      });
    await endReports();
    const summary = verb === 'go' && result.ok ? summarizeMove(navigation.location) : summarizeCall(call, result);
    await hub.emit({ type: 'call-end', id, tag, verb, summary, ...describeEnd(result) });
    if (!result.ran) throwIfAborted(scope.signal);
    if (isMove(call) && number > 0) this.#failedMove = result.ok ? undefined : call.tag;
    return { id, call, result, summary };
  }

  /** Emits events for the reports of a running tool, until `end` has forwarded the last of them. */
  #passOn(call: { id: string; tag: string; verb: string; space: string }) {
    const { hub, host } = this.#session;
    let passed: Promise<void> = Promise.resolve();
    let last = -Infinity;
    let isOver = false;
    const emit = (body: AgentEventBody) => (passed = passed.then(() => hub.emit(body)));
    let output = '';
    let isWaiting = false;
    let left = MOST_OUTPUT;
    // Output that arrives while listeners are busy goes into the next event, in whole lines, so that no key is split
    // between two events.
    const flush = (isLast: boolean): void => {
      const end = isLast || output.length > LONGEST_LINE ? output.length : output.lastIndexOf('\n') + 1;
      const text = maskKeys(output.slice(0, end));
      output = output.slice(end);
      if (text !== '') void emit({ type: 'call-output', ...call, text });
    };
    const onProgress: ToolContext['progress'] = (done, total, text) => {
      const now = host.clock.now();
      if (isOver || (now - last < PROGRESS_MS && done !== total)) return;
      last = now;
      const report = { done, ...(total !== undefined && { total }), ...(text !== undefined && { text }) };
      flush(false);
      void emit({ type: 'call-progress', ...call, ...report });
    };
    const onOutput: ToolContext['output'] = (text) => {
      if (isOver || left <= 0) return;
      output += text.slice(0, left);
      left -= text.length;
      if (left <= 0) output += '\n(what follows is only in the result)\n';
      if (isWaiting) return;
      isWaiting = true;
      const pass = (): void => {
        isWaiting = false;
        if (!isOver) flush(false);
      };
      void passed.then(pass);
    };
    const end = (): Promise<void> => {
      isOver = true;
      flush(true);
      return passed;
    };
    return { onProgress, onOutput, end };
  }

  async #run(call: ToolCall, number: number, scope: RunningScope): Promise<ToolResult> {
    const { guard, getBatch, isTyped } = this.#options;
    const { navigation, state, echoes, readTexts, hub, recorder } = this.#session;
    const { signal, fromCode } = scope;
    throwIfAborted(signal);
    const location = formatSpacePath(navigation.location);
    const keepText = (result: ToolResult) =>
      fromCode === true || result.ok ? result : keepFailedText(call, result, this.#session);
    const repeat = this.#skipAfterFailedMove(call, location) ?? guard.findRepeat(call, location);
    if (repeat !== undefined) return keepText(repeat);
    this.executed++;
    try {
      const explainCopy = (args: ToolArguments, space: string) => readTexts.explainCopy(args, space);
      const explainEcho = (bound: BoundCall) => (echoes.isEchoed(call, bound, fromCode) ? ECHOED : undefined);
      let offers = 0;
      const onOffer = (tag: string): void => {
        offers++;
        echoes.offer(tag);
      };
      const guards = isTyped ? { onOffer } : { explainCopy, explainEcho, onOffer };
      const options = { ...scope, session: state, batch: getBatch(), ...guards };
      const result = keepText(await this.#dispatch(call, options));
      const whole = fromCode === true ? renderRead(result) : result.text;
      const read = isOrientation(call) ? this.#dropSignatures(whole) : whole;
      const isOwn =
        !result.ok || (isOrientation(call) && (call.verb !== 'read' || result.space === formatSpacePath([])));
      echoes.learn(read, { fromCode, isOwn, sent: [call.tag] });
      const sent = `${call.tag}\n${call.body ?? ''}\n${JSON.stringify(call.kwargs ?? '')}`;
      // What an error suggests is meant to be sent, and was not read anywhere.
      const found = result.ok ? read : removeSuggestions(read, offers);
      // What a place says of itself when it is entered was read there.
      const space = isMove(call) && result.ok ? formatSpacePath(navigation.location) : result.space;
      if (result.ran) readTexts.add({ text: found, tag: call.tag, space, sent });
      if (number > 0) guard.record(call, location, { number, result });
      else if (hasChangedSomething(result)) guard.reset();
      return result;
    } finally {
      // A cancelled call may still have moved and shown something.
      const to = formatSpacePath(navigation.location);
      if (location !== to) await hub.emit({ type: 'space-enter', from: location, to });
      await recorder.recordLocation(navigation.location, navigation.history);
    }
  }

  async #dispatch(call: ToolCall, options: DispatchOptions): Promise<ToolResult> {
    const { navigation, router, hooks, readTexts } = this.#session;
    const place = call.space ?? formatSpacePath(navigation.location);
    let whole: ToolCall;
    try {
      const sent = addUnsentText(call, this.#session);
      whole = readTexts.hasSeparator && options.fromCode !== true ? restoreCopiedLines(sent) : sent;
    } catch (error) {
      return { ok: false, ...renderError(error), lines: 1, space: place, ran: false, ms: 0 };
    }
    const allowed = (await hooks?.beforeCall(whole, place)) ?? whole;
    if ('refusal' in allowed) {
      const error = new ApprovalError(`${call.verb} was not run: ${allowed.refusal}`);
      return { ok: false, ...renderError(error), lines: 1, space: place, ran: false, ms: 0 };
    }
    const result = await router.dispatch(allowed, navigation.location, options);
    const elsewhere = await this.#callElsewhere(allowed, result, options);
    return elsewhere ?? (await hooks?.afterCall(allowed, result)) ?? result;
  }

  /** Reads or changes what home does not have in the space that has it; undefined when none does. */
  async #callElsewhere(call: ToolCall, result: ToolResult, options: DispatchOptions): Promise<ToolResult | undefined> {
    const { missing } = result;
    if (missing === undefined || options.fromCode === true || !MOVED.has(call.verb)) return undefined;
    const { hooks, registry, host } = this.#session;
    const { signal } = options;
    // A space that fails, or takes too long, has nothing of that name.
    const limit = new TimeLimit({ name: 'read', timeoutMs: LOCATE_MS }, signal, host.timers);
    const found = await limit.run(() => locateElsewhere(registry, missing)).catch(() => throwIfAborted(signal));
    if (!found) return undefined;
    if (found.isExact) return this.#dispatch(moveCall(call, missing, found), options);
    const tag = `<${found.space}.R:${found.target}>`;
    options.onOffer?.(tag);
    const text = `${result.text.replace(/\nTry: .*$/s, '')}\nTry: ${tag}`;
    const offered = { ...result, text, remedies: [tag] };
    return (await hooks?.afterCall(call, offered)) ?? offered;
  }

  /** Returns a text without the signatures and examples of tools, which are meant to be repeated. */
  #dropSignatures(text: string): string {
    const { registry } = this.#session;
    const all = [{ path: [], space: registry.home }, ...walkSpaces(registry)];
    const foreign = all.filter(({ space }) => space.isForeign === true);
    const isOwn = (path: SpacePath) => !foreign.some((one) => one.path.every((name, index) => path[index] === name));
    const spaces = all.map(({ space }) => space);
    const own = all.filter(({ path }) => isOwn(path)).map(({ space }) => space);
    return text
      .split('\n')
      .filter((line) => !isSignature(line, spaces) && !isExample(line, own))
      .join('\n');
  }

  /**
   * Returns the result of a call that was meant for a place the session did not reach; undefined if the call is to run.
   */
  #skipAfterFailedMove({ verb, space }: ToolCall, location: string): ToolResult | undefined {
    if (this.#failedMove === undefined || space !== undefined || verb === 'go' || verb === 'help') return undefined;
    const text = `not run: ${this.#failedMove} failed and you are still in ${location}.`;
    return { ok: false, errorType: 'ResourceError', text, space: location, lines: 1, ran: false, ms: 0 };
  }
}

/** Returns the call in another space for a call at home that did not find its target; the line range stays. */
function moveCall(call: ToolCall, { name }: MissingName, { space, target }: Elsewhere): ToolCall {
  const range = call.arg.startsWith(name) ? call.arg.slice(name.length) : '';
  return { ...call, space, arg: target + range };
}

/** Returns the text of everything that code has read, because code may print any line of it. */
function renderRead({ value, text }: ToolResult): string {
  if (typeof value === 'string') return value;
  return Array.isArray(value) ? value.map((row: unknown) => toRowText(row)).join('\n') : text;
}

function toRowText(row: unknown): string {
  return typeof row === 'object' && row !== null ? Object.values(row).join('\n') : String(row);
}

function isSignature(line: string, spaces: readonly SpaceDefinition[]): boolean {
  const [shown] = line.split('  -- ', 1);
  return listNamedTools(line, spaces).some(({ spec }) => renderSignature(spec, { style: 'tag' }) === shown);
}

/**
 * Returns true for an example that bae has made of the tools of some spaces.
 *
 * @param spaces without those of servers, which say what is in their examples
 */
function isExample(line: string, spaces: readonly SpaceDefinition[]): boolean {
  const [, tag] = /^Example: (<.*)$/.exec(line) ?? [];
  if (tag === undefined) return false;
  // Help on a tool of another place names the place.
  const plain = tag.replace(/^<(?:[\w-]+\.)+(?=[\w-]+:)/, '<');
  return (
    spaces.some((space) => renderExample(space) === line) ||
    listNamedTools(plain, spaces).some((definition) => makeExampleCall({ definition, known: {} }) === plain)
  );
}

function listNamedTools(tag: string, spaces: readonly SpaceDefinition[]): readonly ToolDefinition[] {
  const name = /^<([\w.-]+)/.exec(tag)?.[1];
  if (name === undefined) return [];
  const tool = findVerb(name) ?? name;
  return spaces.flatMap(({ tools }) => (Object.hasOwn(tools, tool) ? tools[tool]! : []));
}

function isOrientation({ verb, arg }: ToolCall): boolean {
  return verb === 'go' || verb === 'help' || (verb === 'read' && arg === '');
}

/** Returns true for a move. The map, the location and the help are requested like moves but change no location. */
function isMove({ verb, arg }: ToolCall): boolean {
  return verb === 'go' && arg !== 'nav' && arg !== 'where' && arg !== 'help';
}

/** Returns the text of an error without its last lines, the calls that it suggests; earlier ones may be a server's. */
function removeSuggestions(text: string, count: number): string {
  const end = count === 0 ? -1 : text.lastIndexOf('\nTry: ');
  return end === -1 ? text : removeSuggestions(text.slice(0, end), count - 1);
}

/**
 * Returns a call with the texts that its model meant: results show a line `---` as `\---`. A search for that finds both.
 */
function restoreCopiedLines(call: ToolCall): ToolCall {
  const { verb, arg, body, kwargs = {} } = call;
  const restored = Object.entries(kwargs).map(([name, value]) => {
    return [name, typeof value === 'string' ? restoreSeparators(value) : value];
  });
  return {
    ...call,
    ...(verb === 'grep' && { arg: arg.replaceAll('\\\\---', '\\\\?---') }),
    ...(body !== undefined && { body: restoreSeparators(body) }),
    ...(restored.length > 0 && { kwargs: Object.fromEntries(restored) }),
  };
}

function listArguments(call: ToolCall): Readonly<Record<string, unknown>> {
  return { ...call.kwargs, arg: call.arg, ...(call.body !== undefined && { body: call.body }) };
}

/** Maximum length of a stack trace in an event, in UTF-16 code units. */
const LONGEST_STACK = 4000;

function describeEnd(result: ToolResult) {
  const { space, ok, failed, errorType, files, rows, where, pruned, ref, media, stack, ms, text } = result;
  return {
    space,
    ok,
    ...(failed !== undefined && { failed }),
    ...(errorType !== undefined && { errorType }),
    ...(files !== undefined && { files }),
    ...(rows !== undefined && { rows }),
    ...(where !== undefined && { where }),
    ...(pruned !== undefined && { pruned: true }),
    ...(ref !== undefined && { ref }),
    ...(media !== undefined && { media }),
    ...(stack !== undefined && { stack: takeFirstUnits(maskKeys(stack), LONGEST_STACK) }),
    ms,
    text,
  };
}

function describeAbort(ran: boolean, isWholeTurn: boolean): string | undefined {
  if (isWholeTurn) return ran ? INTERRUPTED : undefined;
  return ran ? CANCELLED : 'cancelled by the user before it ran.';
}

function toAborted(facts: Pick<ToolResult, 'space' | 'ran' | 'ms'>, reason: string | undefined): ToolResult {
  const error = new AbortError(reason);
  return { ok: false, ...renderError(error), lines: 1, ...facts };
}
