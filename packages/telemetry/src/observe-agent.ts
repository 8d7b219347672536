import {
  context,
  metrics,
  SpanKind,
  SpanStatusCode,
  trace,
  type Attributes,
  type BatchObservableResult,
  type Histogram,
  type MeterProvider,
  type Span,
  type TracerProvider,
} from '@opentelemetry/api';
import type { Agent, AgentEvent } from '@bae/core';
import { maskKeys } from '@bae/core/pipeline';
import { ATTRIBUTES, CONVENTIONS_VERSION, METRICS, SPANS } from './conventions.ts';

export interface TelemetryOptions {
  /** Name of the agent. Default: `bae`. */
  readonly name?: string;
  /** `provider/model`. */
  readonly model?: string;
  /** Name of the conversation. Default: the id of the agent. */
  readonly conversation?: string;
  /**
   * True to record prompts, responses, arguments and results in the spans, with anything that looks like a key masked;
   * or a function that changes each of these texts after masking. Default: none of them is recorded.
   */
  readonly captureContent?: boolean | ((text: string) => string);
  /** Default: the providers registered in the process. */
  readonly tracerProvider?: TracerProvider;
  readonly meterProvider?: MeterProvider;
}

/** Maximum length of a recorded text, in UTF-16 code units. */
const TEXT_CAP = 20_000;

/**
 * Creates spans and metrics from the events of an agent: `invoke_agent` for a turn, which contains `chat` for each
 * response of the model and `execute_tool` for each call and run block. Returns the function that stops observing.
 */
export function observeAgent(agent: Agent, options: TelemetryOptions = {}): () => void {
  const turns = new TurnSpans(agent, options);
  return agent.subscribe((event) => turns.follow(event));
}

/** The spans of a session, whose turns follow one another. */
class TurnSpans {
  readonly #tracer;
  readonly #tokens: Histogram;
  readonly #duration: Histogram;
  readonly #about: Attributes;
  /** The same for metrics, without the conversation: each one would create a separate series. */
  readonly #series: Attributes;
  readonly #model: string;
  readonly #capture: ((text: string) => string) | undefined;
  #turn: { readonly span: Span; readonly began: number } | undefined;
  /** Running calls by id, the innermost last. */
  readonly #calls = new Map<string, { readonly span: Span; readonly began: number; readonly about: Attributes }>();
  /** Time at which waiting for the model began, in milliseconds since 1970. */
  #askedAt = 0;

  constructor(agent: Agent, options: TelemetryOptions) {
    const { name = 'bae', model = '', conversation = agent.id, captureContent = false } = options;
    const [provider = '', ...rest] = model.split('/');
    this.#model = rest.join('/') || model;
    this.#series = {
      ...(model !== '' && { [ATTRIBUTES.provider]: provider, [ATTRIBUTES.model]: this.#model }),
      [ATTRIBUTES.agentName]: name,
    };
    this.#about = { ...this.#series, [ATTRIBUTES.conversation]: conversation };
    const change = typeof captureContent === 'function' ? captureContent : (text: string) => text;
    this.#capture = captureContent === false ? undefined : (text) => change(maskKeys(text)).slice(0, TEXT_CAP);
    this.#tracer = (options.tracerProvider ?? trace).getTracer('@bae/telemetry', CONVENTIONS_VERSION);
    const meter = (options.meterProvider ?? metrics).getMeter('@bae/telemetry', CONVENTIONS_VERSION);
    const [tokens, duration] = [METRICS.tokens, METRICS.duration].map(({ name: metric, boundaries, ...rest }) =>
      meter.createHistogram(metric, { ...rest, advice: { explicitBucketBoundaries: [...boundaries] } }),
    );
    this.#tokens = tokens!;
    this.#duration = duration!;
  }

  follow(event: AgentEvent): void {
    switch (event.type) {
      case 'turn-start':
        return this.#beginTurn(event.prompt);
      case 'response-end':
        return this.#recordResponse(event);
      case 'call-start':
        return this.#beginCall(event.id, event.verb, event.arguments);
      case 'run-start':
        return this.#beginCall(event.id, 'run', { code: event.code });
      case 'call-end':
        return this.#endCall(event.id, event.ok ? undefined : (event.errorType ?? '_OTHER'), event.text);
      case 'run-end':
        return this.#endCall(event.id, event.ok ? undefined : 'RunError', event.output);
      case 'notice':
        this.#turn?.span.addEvent(event.code, this.#capture ? { text: this.#capture(event.text) } : {});
        return undefined;
      case 'turn-end':
        return this.#endTurn(event);
      default:
        return undefined;
    }
  }

  #beginTurn(prompt: string): void {
    const now = Date.now();
    const attributes = {
      ...this.#about,
      [ATTRIBUTES.operation]: SPANS.agent,
      ...this.#messages('input', 'user', prompt),
    };
    const name = `${SPANS.agent} ${String(this.#about[ATTRIBUTES.agentName])}`;
    this.#turn = { span: this.#tracer.startSpan(name, { kind: SpanKind.INTERNAL, attributes }), began: now };
    this.#askedAt = now;
  }

  #recordResponse({ usage, text }: Extract<AgentEvent, { type: 'response-end' }>): void {
    const series: Attributes = { ...this.#series, [ATTRIBUTES.operation]: SPANS.chat };
    const tokens = {
      [ATTRIBUTES.inputTokens]: usage.inputTokens,
      [ATTRIBUTES.outputTokens]: usage.outputTokens,
      [ATTRIBUTES.cachedTokens]: usage.cachedTokens,
    };
    this.#startInside(SPANS.chat, this.#model, {
      kind: SpanKind.CLIENT,
      startTime: this.#askedAt,
      attributes: {
        ...this.#about,
        [ATTRIBUTES.operation]: SPANS.chat,
        ...tokens,
        ...this.#messages('output', 'assistant', text),
      },
    }).end();
    this.#tokens.record(usage.inputTokens, { ...series, [ATTRIBUTES.tokenType]: 'input' });
    this.#tokens.record(usage.outputTokens, { ...series, [ATTRIBUTES.tokenType]: 'output' });
    this.#recordDuration(this.#askedAt, series);
    this.#askedAt = Date.now();
  }

  #beginCall(id: string, tool: string, args: unknown): void {
    const about = {
      [ATTRIBUTES.operation]: SPANS.tool,
      [ATTRIBUTES.toolName]: tool,
      [ATTRIBUTES.toolType]: 'function',
    };
    const content = this.#capture && { [ATTRIBUTES.toolArguments]: this.#capture(JSON.stringify(args)) };
    const span = this.#startInside(SPANS.tool, tool, {
      kind: SpanKind.INTERNAL,
      attributes: { ...about, [ATTRIBUTES.toolCallId]: id, ...content },
    });
    this.#calls.set(id, { span, began: Date.now(), about });
  }

  #endCall(id: string, errorType: string | undefined, text: string): void {
    const call = this.#calls.get(id);
    if (call === undefined) return;
    this.#calls.delete(id);
    const { span, began, about } = call;
    if (this.#capture !== undefined) span.setAttribute(ATTRIBUTES.toolResult, this.#capture(text));
    markError(span, errorType);
    span.end();
    this.#recordDuration(began, { ...about, ...(errorType !== undefined && { [ATTRIBUTES.errorType]: errorType }) });
    this.#askedAt = Date.now();
  }

  #endTurn({ outcome, totals }: Extract<AgentEvent, { type: 'turn-end' }>): void {
    for (const id of this.#calls.keys()) this.#endCall(id, outcome, '');
    if (this.#turn === undefined) return;
    const { span, began } = this.#turn;
    const errorType = outcome === 'failed' || outcome === 'aborted' ? outcome : undefined;
    span.setAttributes({
      [ATTRIBUTES.inputTokens]: totals.inputTokens,
      [ATTRIBUTES.outputTokens]: totals.outputTokens,
      [ATTRIBUTES.cachedTokens]: totals.cachedTokens,
    });
    markError(span, errorType);
    span.end();
    this.#turn = undefined;
    const about = { ...this.#series, [ATTRIBUTES.operation]: SPANS.agent };
    this.#recordDuration(began, { ...about, ...(errorType !== undefined && { [ATTRIBUTES.errorType]: errorType }) });
  }

  /** Starts a span whose parent is the running call, or the turn if there is none. */
  #startInside(
    operation: string,
    target: string,
    options: { readonly kind: SpanKind; readonly attributes: Attributes; readonly startTime?: number },
  ): Span {
    let parent = this.#turn?.span;
    for (const { span } of this.#calls.values()) parent = span;
    const inside = parent === undefined ? context.active() : trace.setSpan(context.active(), parent);
    return this.#tracer.startSpan(`${operation} ${target}`.trimEnd(), options, inside);
  }

  #recordDuration(since: number, series: Attributes): void {
    this.#duration.record((Date.now() - since) / 1000, series);
  }

  #messages(direction: 'input' | 'output', role: string, text: string): Attributes {
    if (this.#capture === undefined) return {};
    const message = [{ role, parts: [{ type: 'text', content: this.#capture(text) }] }];
    return { [direction === 'input' ? ATTRIBUTES.inputMessages : ATTRIBUTES.outputMessages]: JSON.stringify(message) };
  }
}

function markError(span: Span, errorType: string | undefined): void {
  if (errorType === undefined) return;
  span.setAttribute(ATTRIBUTES.errorType, errorType);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** Numbers of sessions with work. */
export interface QueueLoad {
  readonly waiting: number;
  readonly running: number;
}

/**
 * Reports the numbers of waiting and active sessions whenever metrics are collected; nothing while they cannot be read.
 * Returns the function that stops it.
 */
export function observeQueue(
  readLoad: () => QueueLoad | Promise<QueueLoad>,
  meterProvider: Pick<MeterProvider, 'getMeter'> = metrics,
): () => void {
  const meter = meterProvider.getMeter('@bae/telemetry', CONVENTIONS_VERSION);
  const kinds = ['waiting', 'running'] as const;
  const gauges = kinds.map((kind) => {
    const { name, ...options } = METRICS[kind];
    return { kind, gauge: meter.createObservableGauge(name, options) };
  });
  const observe = async (result: BatchObservableResult): Promise<void> => {
    const load = await readLoad();
    for (const { kind, gauge } of gauges) result.observe(gauge, load[kind]);
  };
  const observed = gauges.map(({ gauge }) => gauge);
  meter.addBatchObservableCallback(observe, observed);
  return () => meter.removeBatchObservableCallback(observe, observed);
}
