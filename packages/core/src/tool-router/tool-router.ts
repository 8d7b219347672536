import { ApprovalError, ParameterError, ResourceError } from '../errors/call-errors.ts';
import { renderError } from '../feedback/render-error.ts';
import type { ApprovalRequest, Approver } from '../protocol/approver.ts';
import type { Host } from '../protocol/host.ts';
import { dotted } from '../protocol/space-path.ts';
import type { SpacePath, SpaceTree } from '../protocol/space-tree.ts';
import type { ToolCall } from '../protocol/tool-call.ts';
import type { SessionState, ToolContext } from '../protocol/tool-context.ts';
import type { ToolEffect } from '../protocol/tool-definition.ts';
import type { ToolOutput } from '../protocol/tool-output.ts';
import type { ToolResult } from '../protocol/tool-result.ts';
import { resolveSpace } from '../registry/resolve-space.ts';
import { parsePath } from '../registry/space-path.ts';
import { bindArguments } from './bind-arguments.ts';
import { fitAnswer, fitWhole, type Fitting } from './fit-answer.ts';
import { invokeTool, type Invocation } from './invoke-tool.ts';
import { invokeWhole, type WholeReturn } from './invoke-whole.ts';
import { isToolData, normaliseOutput } from './normalise-output.ts';
import { resolveCall, type ResolvedCall } from './resolve-call.ts';
import { qualifiedTag } from './qualified-tag.ts';
import { primaryParam } from './split-argument.ts';
import type { SessionAnswers } from './session-answers.ts';
import { splitTarget, type SplitTarget } from './split-target.ts';
import { throwIfAborted, untilAborted } from './until-aborted.ts';
import { workingTag } from './working-tag.ts';

/** What a router works with. */
export interface ToolRouterPorts extends Fitting {
  readonly tree: SpaceTree;
  readonly approver: Approver;
  readonly host: Host;
  /** Tools of the session itself. Default: none. */
  readonly answers?: SessionAnswers | undefined;
}

/** For whom a call is made, and until when. */
export interface DispatchOptions {
  readonly signal: AbortSignal;
  readonly session: SessionState;
  /** The calls of the response that the call came in. Default: the call alone. */
  readonly batch?: readonly ToolCall[];
  /** Why a call that changes something needs consent of its own, even where such calls are allowed. */
  readonly reason?: string;
  /** Why nothing may be changed by this call: its place may not be the one that was meant. Default: it may. */
  readonly unsafe?: string | undefined;
  /** True for code, which gets an answer as a whole besides what a model would read of it. Default: false. */
  readonly fromCode?: boolean | undefined;
  /** Hears when the tool is called: from then on nobody knows what an aborted call has done. */
  readonly onRun?: () => void;
  /** Does work whose time does not count for whoever makes the call, such as asking for consent. */
  readonly waiting?: (<T>(work: () => Promise<T>) => Promise<T>) | undefined;
}

type Params = Readonly<Record<string, unknown>>;

/** Tools whose answer confirms a change: it is shown whole. */
const CONFIRMING: ReadonlySet<string> = new Set(['write', 'edit']);

/** How far a call has come: what its result says when it goes no further. */
interface Progress {
  readonly began: number;
  space: string;
  ran: boolean;
  effect?: ToolEffect;
  /** Words the tags that an error offers. */
  tag?: ToolContext['tag'];
}

/**
 * The one way a call takes, whoever made it: resolve → bind → approve → invoke → normalise → prune.
 *
 * Every step but the last two may refuse; a refusal is a result like any other.
 */
export class ToolRouter {
  readonly #ports: ToolRouterPorts;

  constructor(ports: ToolRouterPorts) {
    this.#ports = ports;
  }

  /**
   * Answers one call made at a location.
   *
   * @throws AbortError when the signal aborts, and never otherwise
   */
  async dispatch(call: ToolCall, at: SpacePath, options: DispatchOptions): Promise<ToolResult> {
    const { fromCode = false } = options;
    const progress: Progress = { began: this.#ports.host.clock.now(), space: dotted(at), ran: false };
    try {
      throwIfAborted(options.signal);
      const resolved = this.#resolve(call, at);
      progress.space = resolved.space;
      progress.effect = resolved.definition.effect;
      progress.tag = this.#tagsFor(call, resolved.space);
      refuseUnsafe(resolved, options);
      const target = await untilAborted(bind(resolved), options.signal);
      const context = this.#context(resolved, target, options);
      await this.#approve(resolved, { params: target.params, options }, context);
      progress.ran = true;
      options.onRun?.();
      const { definition } = resolved;
      const invocation = { definition, params: target.params, context, timers: this.#ports.host.timers };
      const { returned, whole } = await (fromCode ? invokeWhole(invocation) : invokeOnly(invocation));
      const output = normaliseOutput(returned, progress.tag);
      const answer = this.#answer(resolved, output, { progress, isKept: !fromCode });
      if (isToolData(returned)) return { ...answer, value: returned };
      const value = fromCode && answer.ok ? (whole ?? output.text) : answer.text;
      return value === answer.text ? answer : { ...answer, value, lines: countLines(value) };
    } catch (error) {
      throwIfAborted(options.signal);
      return this.#failure(error, progress);
    }
  }

  #resolve(call: ToolCall, at: SpacePath): ResolvedCall {
    const { tree, answers } = this.#ports;
    const place = call.space === undefined ? at : resolveSpace(tree, at, call.space);
    return resolveCall(call, { tree, at: place, answers });
  }

  /** Words tags of a space so that they work where a call was made. */
  #tagsFor({ space: name }: ToolCall, space: string): ToolContext['tag'] {
    if (name === undefined) return (tag) => tag;
    const { tools = {} } = this.#ports.tree.at(parsePath(space)) ?? {};
    return (tag) => qualifiedTag(tag, { name, tools });
  }

  /** What the tool is handed; its signal is still that of the turn. */
  #context(resolved: ResolvedCall, { params, ...range }: SplitTarget, options: DispatchOptions): ToolContext {
    const { space, call } = resolved;
    const { signal, session, batch = [call], fromCode = false } = options;
    const tag = this.#tagsFor(call, space);
    const request = requestOf(resolved, params, session);
    const requestApproval = (reason: string, target = request.target) =>
      this.#consent({ ...request, target, reason }, options);
    const block = call.block === true;
    return { signal, space, tag, block, fromCode, batch, session, requestApproval, ...range };
  }

  async #approve(
    resolved: ResolvedCall,
    { params, options }: { readonly params: Params; readonly options: DispatchOptions },
    context: ToolContext,
  ): Promise<void> {
    const { reason } = options;
    const { definition } = resolved;
    if (definition.effect === 'read') return;
    const { signal, session } = context;
    const request = requestOf(resolved, params, session);
    const about = async () => definition.target?.(params, context) ?? request.target;
    const target = await untilAborted(about(), signal);
    const preview = definition.preview && (async () => definition.preview!(params, context));
    const optional = { ...(preview && { preview }), ...(reason !== undefined && { reason }) };
    await this.#consent({ ...request, target, ...optional }, options);
  }

  async #consent(request: ApprovalRequest, { signal, waiting = doNow }: DispatchOptions): Promise<void> {
    const decision = async () => this.#ports.approver.approve(request, signal);
    const answer = await untilAborted(waiting(decision), signal);
    if (!answer.allow) throw new ApprovalError(answer.reason);
  }

  /** @param isKept false for code, which gets the whole text: kept, those of thousands of calls would be too much */
  #answer(
    { definition }: ResolvedCall,
    output: ToolOutput,
    { progress, isKept }: { readonly progress: Progress; readonly isKept: boolean },
  ): ToolResult {
    const { text, rows, hint, errors = [] } = output;
    const isWhole = errors.length > 0 || CONFIRMING.has(definition.name);
    const fitted = isWhole
      ? fitWhole(text, this.#ports.results)
      : fitAnswer(output, isKept ? this.#ports : { ...this.#ports, results: undefined });
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
    return { ok: false, ...rendered, ...this.#facts(text, progress), ...fitWhole(text, this.#ports.results) };
  }

  #facts(text: string, { began, tag: _tag, ...facts }: Progress) {
    return { ...facts, lines: countLines(text), ms: this.#ports.host.clock.now() - began };
  }
}

/** @throws ResourceError when a call would change something and should not */
function refuseUnsafe({ definition }: ResolvedCall, { unsafe }: DispatchOptions): void {
  if (unsafe === undefined || definition.effect === 'read') return;
  throw new ResourceError(`${definition.name} was not run: ${unsafe}. Nothing was changed.`);
}

async function invokeOnly(invocation: Invocation): Promise<WholeReturn> {
  return { returned: await invokeTool(invocation) };
}

function doNow<T>(work: () => Promise<T>): Promise<T> {
  return work();
}

async function bind({ definition, call }: ResolvedCall): Promise<SplitTarget> {
  const bound = await bindArguments(definition, call);
  if (bound.ok) return splitTarget({ definition, known: bound.params });
  const tag = await workingTag({ definition, known: bound.known });
  throw new ParameterError(bound.error.message, [tag]);
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
