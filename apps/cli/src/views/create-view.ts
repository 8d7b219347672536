import type { Message, Model, SpaceTree, AgentEvent, Usage } from '@bae/core';
import { formatQuantity } from '@bae/workspace';
import type { CliOptions } from '../command-line/options.ts';
import type { Terminal, Output } from '../terminal/terminal.ts';
import { createPainter, makeVisible } from '../terminal/terminal-text.ts';
import { readProse } from './read-prose.ts';
import { createProseStream } from './streamed-prose.ts';
import { createUserView, showProse, type PlainView, type View } from './user-view.ts';

export interface ViewChoice {
  readonly options: CliOptions;
  readonly terminal: Terminal;
  readonly tree: SpaceTree;
  /** True to show complete results and code. Default: false. */
  readonly whole?: boolean;
}

/** Creates the view selected by the options: JSON, everything, or the important events. */
export function createView({ options, terminal, tree, whole = false }: ViewChoice): View {
  const { out, err } = terminal;
  if (options.json) return (event) => out.write(`${JSON.stringify(event)}\n`);
  // Progress must not be mixed into an answer that is redirected to a file.
  const progress = out.isTerminal ? out : err;
  const prose = (text: string): string => readProse(text, { tree });
  const style = { answers: out, unattended: !terminal.interactive, prose, whole };
  const user = createUserView(progress, style, tree);
  if (!isDebug(options)) {
    const showUnfinished = async (text: string, label: string): Promise<void> => {
      if (out.isTerminal) await showProse(out, { text, label, isDim: true });
    };
    const stream = createProseStream(terminal.status, { prose, color: err.color, showUnfinished });
    return (event) => {
      const shown = stream(event);
      return shown === undefined ? user(event) : shown.then(() => user(event));
    };
  }
  const debug = createDebugView(progress);
  return (event) => (event.type === 'answer' && !out.isTerminal ? user : debug)(event);
}

export function isDebug({ verbose, debug }: CliOptions): boolean {
  return verbose || debug;
}

/** Returns the model or, with --verbose, a wrapper that shows the messages sent to it. */
export function observeModel(model: Model, { options, terminal }: Pick<ViewChoice, 'options' | 'terminal'>): Model {
  if (!isDebug(options) || options.json) return model;
  const out = terminal.out.isTerminal ? terminal.out : terminal.err;
  return watchMessages(model, ({ role, text }) => showPrompt(out, role, text));
}

/** Wraps a model to report each message once, exactly as it is sent, in any number of conversations. */
export function watchMessages(model: Model, onMessage: (message: Message) => void): Model {
  /** Number of reported messages, by the first message of a conversation. */
  const reported = new WeakMap<Message, number>();
  const respond: Model['respond'] = (messages, options) => {
    const [first] = messages;
    // Earlier messages never change, and responses were shown when they arrived.
    const fresh = messages.slice(first === undefined ? 0 : (reported.get(first) ?? 0));
    for (const message of fresh) if (message.role !== 'assistant') onMessage(message);
    if (first !== undefined) reported.set(first, messages.length);
    return model.respond(messages, options);
  };
  return forwardModel(() => model, { respond });
}

/** Creates a model that always delegates to the current one, except for the given members. */
export function forwardModel(current: () => Model, own: Partial<Model> = {}): Model {
  return new Proxy<Model>(current(), {
    get(_first, key) {
      if (Object.hasOwn(own, key)) return own[key as keyof Model];
      const model = current();
      const value: unknown = Reflect.get(model, key);
      return typeof value === 'function' ? (value.bind(model) as unknown) : value;
    },
  });
}

type Channel = 'ai' | 'code' | 'debug';

/** Shows every event in full. */
export function createDebugView(out: Output): PlainView {
  return (event) => {
    // The complete response follows.
    if (event.type === 'response-delta') return;
    if (event.type === 'turn-end' && event.unfinished !== undefined)
      showBlock(out, ['ai', `is_error=false label=${makeVisible(event.label)} type=response-delta`], event.unfinished);
    const failed = 'ok' in event ? !event.ok : event.type === 'notice' && event.code === 'error';
    const [channel, content] = renderEvent(event);
    showBlock(out, [channel, `is_error=${failed} label=${makeVisible(event.label)} type=${event.type}`], content);
  };
}

/** Returns true if the response is written anew after an error. */
export function isNewTry(event: AgentEvent): boolean {
  return event.type === 'notice' && event.code === 'retry';
}

/** Shows a message exactly as it is sent to a model. */
export function showPrompt(out: Output, role: string, text: string): void {
  showBlock(out, ['ai', `is_error=false role=${role} type=prompt`], text);
}

/** Shows a header, and the content indented by two spaces. */
function showBlock(out: Output, [channel, fields]: readonly [Channel, string], content: string): void {
  const paint = createPainter(out);
  const body = content === '' ? '' : `${makeVisible(content).replaceAll(/^(?=[^\n])/gm, '  ')}\n`;
  out.write(`${paint(channel, `[${channel}]`)} ${paint('debug', fields)}\n${body}`);
}

function renderEvent(event: Exclude<AgentEvent, { type: 'response-delta' }>): readonly [Channel, string] {
  switch (event.type) {
    case 'turn-start':
      return ['ai', event.prompt];
    case 'response-end':
      return ['ai', `${event.text}\n${renderUsage(event)}`];
    case 'answer':
      return ['ai', event.text];
    case 'call-start':
      return ['code', `${event.id} ${event.tag} [${event.space}]\n${JSON.stringify(event.arguments)}`];
    case 'call-end': {
      const state = `${event.errorType ?? (event.failed === true ? 'failed' : 'ok')}, ${Math.round(event.ms)} ms`;
      const stack = event.stack === undefined ? '' : `\n${event.stack}`;
      return ['code', `${event.id} ${event.tag} [${event.space}] ${state}\n${event.summary}\n${event.text}${stack}`];
    }
    case 'call-progress': {
      const { done, total, text = '' } = event;
      return ['code', `${event.id} ${done}${total === undefined ? '' : ` of ${total}`} ${text}`.trimEnd()];
    }
    case 'hook': {
      const { hook, part, outcome, ms, text = '' } = event;
      return ['debug', `${hook}.${part} ${outcome}, ${Math.round(ms)} ms ${text}`.trimEnd()];
    }
    case 'call-output':
      return ['code', `${event.id}\n${event.text}`];
    case 'run-start':
      return ['code', `${event.id}\n${event.code}`];
    case 'run-end':
      return ['code', `${event.id} ${event.ok ? 'ok' : 'failed'}, ${Math.round(event.ms)} ms\n${event.output}`];
    case 'space-enter':
      return ['debug', `${event.from} -> ${event.to}`];
    case 'notice':
      return ['debug', `${event.code}: ${event.text}`];
    default:
      return ['debug', `${event.outcome}: ${renderTurnTotals(event.totals)}`];
  }
}

function renderTurnTotals(totals: Extract<AgentEvent, { type: 'turn-end' }>['totals']): string {
  const { sends, calls, runs, cost, ms } = totals;
  const counts = [formatQuantity(sends, 'request'), formatQuantity(calls, 'call'), formatQuantity(runs, 'run block')];
  const price = cost === undefined ? '' : `; ${cost} USD`;
  return `${counts.join(', ')}; ${renderTokenUse(totals)}${price}; ${Math.round(ms)} ms`;
}

function renderUsage({ usage, context }: Extract<AgentEvent, { type: 'response-end' }>): string {
  return `${renderTokenUse(usage)}; ${(context * 100).toFixed(1)} % of the context`;
}

function renderTokenUse({ inputTokens, cachedTokens, outputTokens }: Usage): string {
  return `tokens: ${inputTokens} in (${cachedTokens} cached), ${outputTokens} out`;
}
