import { BaeError, ApprovalError, isConflict } from '../errors/bae-error.ts';
import { explainThrown, joinRemedies, renderError } from '../feedback/render-feedback.ts';
import type { ApprovalRequest, CallDraft, Confine } from '../protocol/approver.ts';
import {
  isChange,
  type Change,
  type SessionState,
  type ToolArguments,
  type ToolContext,
  type ToolDefinition,
  type ToolEffect,
  type ToolOutput,
} from '../protocol/tool-definition.ts';
import type { RunningBlock } from '../protocol/code-runner.ts';
import type { Host } from '../protocol/host.ts';
import { MOST_PLANS, UNITS_PER_TOKEN } from '../protocol/limits.ts';
import { formatSpacePath, parsePath, type SpacePath, type SpaceTree } from '../protocol/space-path.ts';
import type { ToolCall } from '../protocol/tool-call.ts';
import type { ToolResult } from '../protocol/tool-result.ts';
import { locateElsewhere, resolveSpace } from '../registry/navigation.ts';
import { maskData, maskKeys, refuseMasks } from '../results/mask-keys.ts';
import {
  countTextLines,
  limitPlace,
  limitResult,
  limitWhole,
  type ResultLimits,
  isToolData,
  normaliseOutput,
  getWhole,
  readReturned,
} from './render-result.ts';
import { adaptHints, qualifyTag, type CallForm } from './suggest-call.ts';
import {
  bindCall,
  type BoundCall,
  explainLiteral,
  explainNothing,
  explainParameters,
  resolveCall,
  type ResolvedCall,
  type SessionTools,
  listSelecting,
  toBoundCall,
} from './resolve-call.ts';
import { CallQuestions, describeChange, makeApprovalRequest, type QuestionPorts } from './call-questions.ts';
import { TimeLimit, throwIfAborted, untilAborted } from './abort.ts';
import { getPrimaryParam } from './split-argument.ts';
import { keepAttachments, type KeptAttachments } from '../results/kept-media.ts';
import { formatCount, joinParts } from '../text-size/text-size.ts';

/** Maximum number of files that a result lists. */
const MOST_FILES = 500;
const NO_ATTACHMENTS: KeptAttachments = { text: '', media: [], data: [] };

/** Objects that a router uses. */
export interface ToolRouterPorts extends ResultLimits, QuestionPorts {
  readonly tree: SpaceTree;
  readonly host: Host;
  /** Tools of the session itself. Default: none. */
  readonly sessionTools?: SessionTools | undefined;
  /** Runs work that may change only some files of the workspace. Default: as it is. */
  readonly confine?: Confine | undefined;
}

/** Options of one call. */
export interface DispatchOptions extends Partial<Pick<ResultLimits, 'cap'>> {
  readonly signal: AbortSignal;
  readonly session: SessionState;
  /** All calls of the same response. Default: this call only. */
  readonly batch?: readonly ToolCall[];
  /** Reason why a call that changes something needs separate consent, even if such calls are allowed. */
  readonly reason?: string;
  /** Explains why the call itself needs consent where calls of its tool do not; undefined if it does not. */
  readonly explainEcho?: (call: BoundCall) => string | undefined;
  /** Receives the tags that the tool suggests. */
  readonly onOffer?: (tag: string) => void;
  /** Explains why the arguments of a call that acts outside the workspace need consent; undefined if they do not. */
  readonly explainCopy?: (args: ToolArguments, space: string) => string | undefined;
  /** True for code, which gets the whole result in addition to the text for a model. Default: false. */
  readonly fromCode?: boolean | undefined;
  /** Called when a change begins: after that, the outcome of an aborted call is unknown. */
  readonly onRun?: () => void;
  /** Receives the progress reports of the tool. */
  readonly onProgress?: ToolContext['progress'];
  /** Receives the interim output of the tool. */
  readonly onOutput?: ToolContext['output'];
  /** Runs work with the time limit of the caller paused, such as asking for consent. */
  readonly pauseDuring?: RunningBlock['pauseDuring'];
  /** The changes so far of the run block that makes the call. */
  readonly draft?: CallDraft | undefined;
}

/** Router for every call, from tags and from code: resolve → bind → plan → ask → apply → normalise → prune. */
export class ToolRouter {
  readonly #ports: ToolRouterPorts;

  constructor(ports: ToolRouterPorts) {
    this.#ports = ports;
  }

  /**
   * Returns the result of one call made at a location; a refusal by any step is also a result.
   *
   * @throws AbortError when the signal aborts; no other errors
   */
  dispatch(call: ToolCall, at: SpacePath, options: DispatchOptions): Promise<ToolResult> {
    return new RoutedCall(this.#ports, options, formatSpacePath(at)).execute(call, at);
  }
}

/** One call and its state. */
class RoutedCall {
  readonly #ports: ToolRouterPorts;
  readonly #options: DispatchOptions;
  readonly #began: number;
  #space: string;
  #definition: ToolDefinition | undefined;
  readonly #files = new Set<string>();
  #ran = false;
  /** Files that the call may change now. */
  #named: readonly string[] = [];
  #seesDraft = false;
  /** Effect of the call: `read` for a plan that changes nothing, regardless of the tool. */
  #effect: ToolEffect | undefined;
  /** Qualifies tags of the tool's space so that they work where the call was made. */
  #tag: ToolContext['tag'] = (tag) => this.#offer(tag);
  #answerLimit = Infinity;
  #questions: CallQuestions | undefined;

  constructor(ports: ToolRouterPorts, options: DispatchOptions, space: string) {
    this.#ports = { ...ports, cap: options.cap ?? ports.cap };
    this.#options = options;
    this.#began = ports.host.clock.now();
    this.#space = space;
  }

  async execute(sent: ToolCall, at: SpacePath): Promise<ToolResult> {
    const result = await this.#execute(sent, at);
    this.#files.delete('');
    return this.#files.size === 0 ? result : { ...result, files: Array.from(this.#files).slice(0, MOST_FILES) };
  }

  async #execute(sent: ToolCall, at: SpacePath): Promise<ToolResult> {
    const { signal, session, fromCode = false, draft, pauseDuring } = this.#options;
    try {
      throwIfAborted(signal);
      const { definition, call } = this.#resolve(sent, at);
      const { batch = [call] } = this.#options;
      const { params, ...range } = await untilAborted(bindCall(definition, call, fromCode), signal);
      const request = makeApprovalRequest(call, definition, { args: params, session: session.id, space: this.#space });
      this.#seesDraft = definition.seesDraft?.(params) === true;
      if (!this.#seesDraft) await draft?.settle(pauseDuring);
      const limit = new TimeLimit(definition, signal, this.#ports.host.timers);
      const questions = new CallQuestions(this.#ports, { signal, limit, pauseDuring });
      this.#questions = questions;
      const context: ToolContext = {
        signal: limit.signal,
        space: this.#space,
        definition,
        files: this.#files,
        answerLimit: this.#answerLimit,
        tag: this.#tag,
        block: call.block === true,
        fromCode,
        batch,
        session,
        requestApproval: (reason, about) => questions.consentFor(request, reason, about),
        ask: (question) => questions.askPerson(question, request),
        model: (prompt) => questions.askModel(prompt, request),
        progress: (...report) => {
          limit.extend(report[0]);
          this.#options.onProgress?.(...report);
        },
        output: (text) => this.#options.onOutput?.(text),
        ...(!fromCode && { locate: (name: string) => this.#locate(name) }),
        ...range,
      };
      const run = () => this.#confine(() => this.#run(params, context, request));
      const { value, whole } = await limit.run(() => draft?.run(run) ?? run());
      const output = this.#maskKeys(normaliseOutput(value, this.#tag));
      const { data, ...result } = this.#toResult(output, definition, params);
      // Code could print a key in pieces or backwards.
      const open = <T>(found: T): T => (questions.mayShowKeys ? found : (maskData(found) as T));
      if (isToolData(value)) return { ...result, value: open(value) };
      if (fromCode && data !== undefined && whole === undefined) {
        return { ...result, value: { text: output.text, attachments: data } };
      }
      if (!fromCode) return explainNothing(result, { call, definition });
      const read = result.ok ? open(whole ?? output.text) : result.text;
      if (read === result.text) return result;
      return { ...result, value: read, ...(typeof read === 'string' && { lines: countTextLines(read) }) };
    } catch (error) {
      throwIfAborted(signal);
      const explained = explainParameters(error, this.#definition);
      const hints = await this.#adaptHints(explained, at, fromCode ? 'code' : (sent.form ?? 'tag'));
      const { fact, remedies, ...details } = explainThrown(explained, (hint) => hints.get(hint) ?? hint);
      const answered = { call: sent, definition: fromCode ? undefined : this.#definition, tag: this.#tag };
      const told = await explainLiteral({ fact, remedies }, error, answered);
      const text = maskKeys(joinRemedies(told));
      const limited = { ...this.#measure(text), ...limitWhole(text, this.#ports.results) };
      return { ok: false, ...details, remedies: told.remedies.map((one) => maskKeys(one)), ...limited };
    }
  }

  #resolve(sent: ToolCall, at: SpacePath): ResolvedCall {
    const { tree, cap, sessionTools } = this.#ports;
    const place = sent.space === undefined ? at : resolveSpace(tree, at, sent.space);
    const resolved = resolveCall(sent, { tree, at: place, sessionTools });
    this.#space = resolved.space;
    this.#definition = resolved.definition;
    this.#effect = resolved.definition.effect;
    const { tools = {}, answerLimit = Infinity } = tree.at(parsePath(resolved.space)) ?? {};
    const name = sent.space;
    if (name !== undefined) this.#tag = (tag) => this.#offer(qualifyTag(tag, name, tools));
    this.#answerLimit = Math.min(answerLimit, Math.floor(cap / UNITS_PER_TOKEN));
    return resolved;
  }

  /** Finds a name in the other spaces; those that fail do not have it. */
  async #locate(name: string): Promise<string | undefined> {
    const found = await locateElsewhere(this.#ports.tree, { name, hasNear: true }).catch(() => undefined);
    return found?.isExact === true ? found.target : undefined;
  }

  /** Writes the hints of an error as calls that work where and as the failed call was made. */
  async #adaptHints(error: unknown, at: SpacePath, form: CallForm): Promise<ReadonlyMap<string, string>> {
    if (!BaeError.is(error)) return new Map();
    const { tree, sessionTools } = this.#ports;
    const find = (call: ToolCall): ToolDefinition | undefined => {
      try {
        const place = call.space === undefined ? at : resolveSpace(tree, at, call.space);
        return resolveCall(call, { tree, at: place, sessionTools }).definition;
      } catch {
        return undefined;
      }
    };
    const qualified = error.hints.map((hint) => this.#tag(hint));
    const adapted = await adaptHints(qualified, { form, find });
    return new Map(error.hints.map((hint, index) => [hint, adapted[index]!]));
  }

  /** Reports that a tag was suggested, and returns it. */
  #offer(tag: string): string {
    this.#options.onOffer?.(tag);
    return tag;
  }

  /** Runs the tool; for code, also gets the whole result if only a part was returned. */
  async #run(params: ToolArguments, context: ToolContext, request: ApprovalRequest) {
    const isRead = context.definition.effect === 'read';
    if (isRead && this.#ports.approver.restrictsRead?.(request) === true) await this.#questions!.consentToRead(request);
    const returned = await (isRead ? this.#invoke(params, context) : this.#change(params, context, request));
    const tool = `${this.#space}.${context.definition.name}`;
    const { signal, output } = context;
    // A generator runs while it is read.
    const value = await this.#confine(() => readReturned(returned, { tool, signal, output }));
    if (!context.fromCode) return { value };
    // For a change, throwing here would wrongly claim that nothing was changed.
    const whole = await this.#confine(() =>
      this.#effect === 'read' ? getWhole(value, tool) : getWhole(value, tool).catch(() => undefined),
    );
    return { value, whole };
  }

  /** Runs code of the tool, which may change the files that the call has named, and no others. */
  #confine<T>(work: () => T): T {
    const { confine } = this.#ports;
    return confine === undefined ? work() : confine(this.#named, work);
  }

  #invoke(params: ToolArguments, context: ToolContext): unknown {
    this.#ran = true;
    this.#options.onRun?.();
    return this.#confine(() => context.definition.invoke(params, context));
  }

  async #change(params: ToolArguments, context: ToolContext, described: ApprovalRequest): Promise<unknown> {
    const { definition } = context;
    refuseMasks(params);
    const about = (await definition.target?.(params, context)) ?? described.target;
    const target = typeof about === 'string' ? about : about.path;
    if (typeof about !== 'string') context.files.add(about.path);
    const { reason: given = this.#explainEcho(params, definition, [described.target, target]) } = this.#options;
    const reason = given ?? this.#explainCopy(params, definition, typeof about !== 'string');
    const request = { ...described, target, ...(reason && { reason }) };
    if (definition.plan === undefined) {
      const preview = definition.preview && (async () => definition.preview!(params, context));
      await this.#questions!.consent({ ...request, ...(preview && { preview }) });
      this.#named = [target];
      return this.#invoke(params, context);
    }
    const denied = this.#ports.approver.deny?.(request);
    if (denied?.allow === false) throw new ApprovalError(denied.reason);
    return this.#applyPlan(params, typeof about === 'string' ? context : { ...context, target: about }, request);
  }

  /** @param targets the target as it was written, and what it leads to, such as the path of a file that is a link */
  #explainEcho(params: ToolArguments, definition: ToolDefinition, [written, real]: readonly [string, string]) {
    const targets = written.replace(/^(?:\.\/)+/, '').startsWith(real) ? [written] : [written, real];
    return targets.map((target) => this.#options.explainEcho?.(toBoundCall(definition, params, target))).find(Boolean);
  }

  /** Explains why consent is needed for text copied into a call that deletes or acts outside the workspace. */
  #explainCopy(params: ToolArguments, definition: ToolDefinition, isForFile: boolean) {
    const { name, effect, destructive, spec } = definition;
    if (effect !== 'external' && destructive !== true && name !== 'delete') return undefined;
    const left = new Set([...listSelecting(definition, params), isForFile && getPrimaryParam(spec)?.name]);
    const others = Object.entries(params).filter(([param]) => !left.has(param));
    return this.#options.explainCopy?.(Object.fromEntries(others), this.#space);
  }

  /** Plans, asks and applies; starts again if the state has changed before the plan could be applied. */
  async #applyPlan(params: ToolArguments, context: ToolContext, request: ApprovalRequest): Promise<unknown> {
    let approved: string | undefined;
    for (let attempt = 1; ; attempt++) {
      this.#ran = true;
      this.#named = [];
      const planned = await this.#confine(() => context.definition.plan!(params, context));
      if (!isChange(planned)) {
        this.#effect = 'read';
        return planned;
      }
      this.#named = planned.touches.flatMap((touch) => ('path' in touch ? touch.path : []));
      const change = async () => this.#confine(() => planned.apply(context));
      let apply = change;
      if (approved === undefined || (await describeChange(planned)) !== approved) {
        this.#ran = false;
        throwIfAborted(context.signal);
        for (const touch of planned.touches) if ('path' in touch) context.files.add(touch.path);
        const touches = planned.touches.map((touch) => ('path' in touch ? touch.path : touch.outside));
        const texts = planned.texts && { texts: () => planned.texts!() };
        const whole = { ...request, touches, preview: async () => planned.preview(), ...texts };
        if (this.#isTaken(planned, whole)) apply = () => this.#options.draft!.add(whole, change);
        else await this.#questions!.consent(whole);
        this.#ran = true;
      }
      this.#options.onRun?.();
      try {
        return await apply();
      } catch (error) {
        if (!isConflict(error) || attempt === MOST_PLANS) throw error;
        approved = await describeChange(planned);
      }
    }
  }

  /** Tests whether a change affects only files, so that consent is requested once for the whole run block. */
  #isTaken({ touches }: Change, request: ApprovalRequest): boolean {
    const { draft } = this.#options;
    const reachesFiles = touches.length > 0 && touches.every((touch) => 'path' in touch);
    return this.#seesDraft && reachesFiles && draft?.takes(request) === true;
  }

  /** Masks text that looks like a key in a result, unless the user has just allowed showing it. */
  #maskKeys(output: ToolOutput): ToolOutput {
    const text = this.#questions?.mayShowKeys === true ? output.text : maskKeys(output.text);
    return text === output.text ? output : { ...output, text };
  }

  #toResult(
    output: ToolOutput,
    { confirms, effect, spec }: ToolDefinition,
    params: ToolArguments,
  ): ToolResult & Partial<Pick<KeptAttachments, 'data'>> {
    const { text, rows, errors = [], failed, paged, attachments = [], where } = output;
    // The last line of a page may contain its number.
    const content = paged === true ? text.replace(/\n\[[^\n]*\]$/, '') : text;
    const { pruner, results } = this.#ports;
    const cap = Math.min(this.#ports.cap, this.#answerLimit * UNITS_PER_TOKEN);
    const isWhole = errors.length > 0 || (confirms === true && this.#effect === effect);
    // Code gets the whole text; keeping the results of thousands of calls would take too much space.
    const store = this.#options.fromCode === true ? undefined : results;
    const sought = params[getPrimaryParam(spec)?.name ?? ''];
    const limited = isWhole ? limitWhole(text, results) : limitResult(output, { pruner, cap, results: store, sought });
    const hasKept = attachments.length !== 0 && results !== undefined;
    const kept = hasKept ? keepAttachments(attachments, results, this.#options.fromCode === true) : NO_ATTACHMENTS;
    const { data, media, text: lines } = kept;
    const { hint = text === '' && data.length > 0 ? formatCount(data.length, 'attachment') : undefined } = output;
    return {
      ok: errors.length === 0,
      ...(failed === true && { failed }),
      ...(errors.length > 0 && { errorType: renderError(errors[0]).errorType, partial: true }),
      ...(rows !== undefined && { rows }),
      ...(hint !== undefined && { hint }),
      ...(where !== undefined && { where: limitPlace(maskKeys(where)) }),
      ...this.#measure(content),
      ...limited,
      text: joinParts(limited.text, lines),
      ...(media.length > 0 && { media }),
      ...(data.length > 0 && { data }),
    };
  }

  #measure(text: string) {
    const effect = this.#effect;
    const ms = this.#ports.host.clock.now() - this.#began;
    return { space: this.#space, ran: this.#ran, ...(effect && { effect }), lines: countTextLines(text), ms };
  }
}
