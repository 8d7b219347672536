import { ApprovalError, isConflict, ParameterError, ResourceError } from '../errors/call-errors.ts';
import { BaeError } from '../errors/bae-error.ts';
import { renderError } from '../feedback/render-error.ts';
import type { ApprovalRequest, Approver } from '../protocol/approver.ts';
import {
  isChange,
  type Change,
  type SessionState,
  type ToolContext,
  type ToolDefinition,
  type ToolEffect,
  type ToolOutput,
} from '../protocol/tool-definition.ts';
import type { Host } from '../protocol/host.ts';
import { UNITS_PER_TOKEN } from '../protocol/limits.ts';
import { formatSpacePath, parsePath, type SpacePath, type SpaceTree } from '../protocol/space-path.ts';
import type { ToolCall } from '../protocol/tool-call.ts';
import type { ToolResult } from '../protocol/tool-result.ts';
import { resolveSpace } from '../registry/resolve-space.ts';
import { bindArguments } from './bind-arguments.ts';
import { limitResult, limitWhole, type AnswerLimits } from './bound-answer.ts';
import { isToolData, normaliseOutput, wholeOf } from './render-value.ts';
import { resolveCall, type ResolvedCall, type SessionTools } from './resolve-call.ts';
import { qualifyTag } from './qualify-tag.ts';
import { runTool, type PauseDuring } from './time-limit.ts';
import { primaryParam } from './split-argument.ts';
import { renderSignature } from '../tool-spec/signature.ts';
import { splitLineRange, type SplitTarget } from './line-range.ts';
import { throwIfAborted, untilAborted } from './abort.ts';
import { exampleCall } from './example-call.ts';

/** What a router works with. */
export interface ToolRouterPorts extends AnswerLimits {
  readonly tree: SpaceTree;
  readonly approver: Approver;
  readonly host: Host;
  /** Tools of the session itself. Default: none. */
  readonly sessionTools?: SessionTools | undefined;
}

/** For whom a call is made, and until when. */
export interface DispatchOptions {
  readonly signal: AbortSignal;
  readonly session: SessionState;
  /** The calls of the response that the call came in. Default: the call alone. */
  readonly batch?: readonly ToolCall[];
  /** Why a call that changes something needs consent of its own, even where such calls are allowed. */
  readonly reason?: string;
  /** Why this call must not change anything, such as a failed move before it. Default: it may. */
  readonly refusedBecause?: string | undefined;
  /** True for code, which gets the whole result besides the text for a model. Default: false. */
  readonly fromCode?: boolean | undefined;
  /** Called when a change begins: from then on the outcome of an aborted call is unknown. */
  readonly onRun?: () => void;
  /** Runs work with the time limit of the caller paused, such as asking for consent. */
  readonly pauseDuring?: (<T>(work: () => Promise<T>) => Promise<T>) | undefined;
}

/** Most plans of one call, when something else keeps changing what it was planned on. */
const MOST_PLANS = 20;

type Params = Readonly<Record<string, unknown>>;

/** What is known of a call so far, for its result. */
interface Progress {
  readonly began: number;
  space: string;
  ran: boolean;
  effect?: ToolEffect;
  definition?: ToolDefinition;
  /** Qualifies the tags that an error offers. */
  tag?: ToolContext['tag'];
}

/** A call whose tool and arguments are known. */
interface ReadyCall {
  readonly resolved: ResolvedCall;
  readonly params: Params;
  readonly context: ToolContext;
  readonly options: DispatchOptions;
}

/** A call that plans, and what consent is asked with. */
interface PlannedCall {
  readonly request: ApprovalRequest;
  readonly progress: Progress;
  readonly pauseDuring: PauseDuring;
}

/** What a tool returned, and for code all of it where that is only a part. */
interface Returned {
  readonly value: unknown;
  readonly whole?: string | undefined;
}

/**
 * Every call goes through here, whoever makes it: resolve → bind → plan → ask → apply → normalise → prune.
 *
 * Every step but the last two may refuse; a refusal is a result like any other.
 */
export class ToolRouter {
  readonly #ports: ToolRouterPorts;

  constructor(ports: ToolRouterPorts) {
    this.#ports = ports;
  }

  /**
   * Returns the result of one call made at a location.
   *
   * @throws AbortError when the signal aborts, and never otherwise
   */
  async dispatch(call: ToolCall, at: SpacePath, options: DispatchOptions): Promise<ToolResult> {
    const { fromCode = false } = options;
    const progress: Progress = { began: this.#ports.host.clock.now(), space: formatSpacePath(at), ran: false };
    try {
      throwIfAborted(options.signal);
      const resolved = this.#resolve(call, at);
      progress.space = resolved.space;
      progress.definition = resolved.definition;
      progress.effect = resolved.definition.effect;
      progress.tag = this.#tagsFor(call, resolved.space);
      refuseChange(resolved, options);
      const { params, ...range } = await untilAborted(bind(resolved), options.signal);
      const context = this.#context(resolved, { params, ...range }, options);
      const { value, whole } = await this.#run({ resolved, params, context, options }, progress);
      const output = normaliseOutput(value, progress.tag);
      const answer = this.#answer(resolved, output, { progress, isKept: !fromCode });
      if (isToolData(value)) return { ...answer, value };
      const read = fromCode && answer.ok ? (whole ?? output.text) : answer.text;
      return read === answer.text ? answer : { ...answer, value: read, lines: countLines(read) };
    } catch (error) {
      throwIfAborted(options.signal);
      return this.#failure(await explainParameters(error, progress.definition), progress);
    }
  }

  #resolve(call: ToolCall, at: SpacePath): ResolvedCall {
    const { tree, sessionTools } = this.#ports;
    const place = call.space === undefined ? at : resolveSpace(tree, at, call.space);
    return resolveCall(call, { tree, at: place, sessionTools });
  }

  /** Qualifies tags of a space so that they work where a call was made. */
  #tagsFor({ space: name }: ToolCall, space: string): ToolContext['tag'] {
    if (name === undefined) return (tag) => tag;
    const { tools = {} } = this.#ports.tree.at(parsePath(space)) ?? {};
    return (tag) => qualifyTag(tag, { name, tools });
  }

  /** Limit of the results of a space, in tokens. */
  #answerLimit(space: string): number {
    const { answerLimit = Infinity } = this.#ports.tree.at(parsePath(space)) ?? {};
    return Math.min(answerLimit, Math.floor(this.#ports.cap / UNITS_PER_TOKEN));
  }

  /** What the tool is handed; its signal is still that of the turn. */
  #context(resolved: ResolvedCall, { params, ...range }: SplitTarget, options: DispatchOptions): ToolContext {
    const { space, definition, call } = resolved;
    const { signal, session, batch = [call], fromCode = false } = options;
    const tag = this.#tagsFor(call, space);
    const request = requestOf(resolved, params, session);
    const requestApproval = (reason: string, target = request.target) =>
      this.#consent({ ...request, target, reason }, options);
    const block = call.block === true;
    const answerLimit = this.#answerLimit(space);
    return { signal, space, definition, answerLimit, tag, block, fromCode, batch, session, requestApproval, ...range };
  }

  /** Runs the tool within its time limit; what changes something, after consent. */
  #run(ready: ReadyCall, progress: Progress): Promise<Returned> {
    const { definition } = ready.resolved;
    const { timers } = this.#ports.host;
    return runTool({ definition, context: ready.context, timers }, async (context, pauseDuring) => {
      const call = { ...ready, context };
      const value = await (definition.effect === 'read'
        ? this.#invoke(call, progress)
        : this.#change(call, progress, pauseDuring));
      // Not for a change: an error here would claim that nothing was changed.
      if (ready.options.fromCode !== true || progress.effect !== 'read') return { value };
      return { value, whole: await wholeOf(value) };
    });
  }

  #invoke({ resolved, params, context, options }: ReadyCall, progress: Progress): unknown {
    progress.ran = true;
    options.onRun?.();
    return resolved.definition.invoke(params, context);
  }

  async #change(ready: ReadyCall, progress: Progress, pauseDuring: PauseDuring): Promise<unknown> {
    const { resolved, params, context, options } = ready;
    const { definition } = resolved;
    const { reason } = options;
    const about = requestOf(resolved, params, context.session);
    const found = (await definition.target?.(params, context)) ?? about.target;
    const target = typeof found === 'string' ? found : found.path;
    const request = { ...about, target, ...(reason !== undefined && { reason }) };
    if (definition.plan === undefined) {
      const preview = definition.preview && (async () => definition.preview!(params, context));
      await pauseDuring(() => this.#consent({ ...request, ...(preview && { preview }) }, options));
      return this.#invoke(ready, progress);
    }
    const denied = this.#ports.approver.deny?.(request);
    if (denied?.allow === false) throw new ApprovalError(denied.reason);
    const planning = typeof found === 'string' ? ready : { ...ready, context: { ...context, target: found } };
    return this.#applyPlan(planning, { request, progress, pauseDuring });
  }

  /** Plans, asks and applies; again when what was planned on has changed before it could be applied. */
  async #applyPlan({ resolved, params, context, options }: ReadyCall, about: PlannedCall): Promise<unknown> {
    const { request, progress, pauseDuring } = about;
    let approved: string | undefined;
    for (let attempt = 1; ; attempt++) {
      progress.ran = true;
      const planned = await resolved.definition.plan!(params, context);
      if (!isChange(planned)) {
        progress.effect = 'read';
        return planned;
      }
      if (approved === undefined || (await describeChange(planned)) !== approved) {
        progress.ran = false;
        throwIfAborted(context.signal);
        await pauseDuring(() => this.#consent({ ...request, ...askFor(planned) }, options));
        progress.ran = true;
      }
      options.onRun?.();
      try {
        return await planned.apply(context);
      } catch (error) {
        if (!isConflict(error) || attempt === MOST_PLANS) throw error;
        approved = await describeChange(planned);
      }
    }
  }

  async #consent(request: ApprovalRequest, { signal, pauseDuring = runNow }: DispatchOptions): Promise<void> {
    const decision = async () => this.#ports.approver.approve(request, signal);
    const answer = await untilAborted(pauseDuring(decision), signal);
    if (!answer.allow) throw new ApprovalError(answer.reason);
  }

  /** @param isKept false for code, which gets the whole text: kept, those of thousands of calls would be too much */
  #answer(
    { definition, space }: ResolvedCall,
    output: ToolOutput,
    { progress, isKept }: { readonly progress: Progress; readonly isKept: boolean },
  ): ToolResult {
    const { text, rows, hint, errors = [] } = output;
    const { pruner, results } = this.#ports;
    const cap = Math.min(this.#ports.cap, this.#answerLimit(space) * UNITS_PER_TOKEN);
    const isWhole = errors.length > 0 || (definition.confirms === true && progress.effect === definition.effect);
    const fitted = isWhole
      ? limitWhole(text, this.#ports.results)
      : limitResult(output, { pruner, cap, results: isKept ? results : undefined });
    return {
      ok: errors.length === 0,
      ...(errors.length > 0 && { errorType: renderError(errors[0]).errorType, partial: true }),
      ...(rows !== undefined && { rows }),
      ...(hint !== undefined && { hint }),
      ...this.#facts(text, progress),
      ...fitted,
    };
  }

  #failure(error: unknown, progress: Progress): ToolResult {
    const { text, ...rendered } = renderError(error, progress.tag);
    return { ok: false, ...rendered, ...this.#facts(text, progress), ...limitWhole(text, this.#ports.results) };
  }

  #facts(text: string, { began, tag: _tag, definition: _definition, ...facts }: Progress) {
    return { ...facts, lines: countLines(text), ms: this.#ports.host.clock.now() - began };
  }
}

/** @throws ResourceError when a call would change something and should not */
function refuseChange({ definition }: ResolvedCall, { refusedBecause }: DispatchOptions): void {
  if (refusedBecause === undefined || definition.effect === 'read') return;
  throw new ResourceError(`${definition.name} was not run: ${refusedBecause}. Nothing was changed.`);
}

function runNow<T>(work: () => Promise<T>): Promise<T> {
  return work();
}

/** The part of a request for consent that comes from the plan. */
function askFor(change: Change): Pick<ApprovalRequest, 'touches' | 'preview'> {
  const touches = change.touches.map((touch) => ('path' in touch ? touch.path : touch.outside));
  return { touches, preview: async () => change.preview() };
}

/** The change as the person who was asked saw it. */
async function describeChange(change: Change): Promise<string> {
  return JSON.stringify([change.touches, await change.preview()]);
}

async function bind({ definition, call }: ResolvedCall): Promise<SplitTarget> {
  const bound = await bindArguments(definition, call);
  if (bound.ok) return splitLineRange({ definition, known: bound.params });
  const tag = await exampleCall({ definition, known: bound.known });
  throw new ParameterError(bound.error.message, [tag]);
}

/** Adds the usage and a working call to an error about arguments that a tool threw without them. */
async function explainParameters(error: unknown, definition: ToolDefinition | undefined): Promise<unknown> {
  if (definition === undefined || !BaeError.is(error) || error.name !== 'ParameterError') return error;
  if (error.hints.length > 0 || error.message.includes('\nUsage: ')) return error;
  const usage = `Usage: ${renderSignature(definition.spec, { style: 'call' })}`;
  const tag = await exampleCall({ definition, known: {} });
  return new ParameterError(`${error.message}\n${usage}`, [tag], error.cause);
}

function requestOf({ space, definition, call }: ResolvedCall, args: Params, session: SessionState): ApprovalRequest {
  const { name, effect, spec } = definition;
  const value = args[primaryParam(spec)?.name ?? ''];
  const target = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  return { session: session.id, space, tool: name, effect, tag: call.tag, args, target };
}

/** A line break at the end does not begin another line. */
function countLines(text: string): number {
  let lines = text === '' || text.endsWith('\n') ? 0 : 1;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}
