import type { AgentEvent, Message, SpaceTree } from '@bae/core';
import type { CliOptions } from '../command-line/options.ts';
import { createBeforeWrite, type Output, type Terminal } from '../terminal/terminal.ts';
import { readTyped } from './read-prose.ts';
import { measureShown } from '../terminal/screen-rows.ts';
import {
  createPainter,
  makeLineVisible,
  makeOutputVisible,
  makeVisible,
  padToWidth,
  truncate,
} from '../terminal/terminal-text.ts';
import { wrapOutput } from '../terminal/wrap-output.ts';
import { createView, isDebug, isNewTry, showPrompt } from './create-view.ts';
import { createUserView } from './user-view.ts';

/** Views of a session: the important events, everything, or the input and output of the model. */
export const VIEWS = ['user', 'debug', 'ai'] as const;

export type ViewName = (typeof VIEWS)[number];

/** Channels of output: answers and thoughts of a model, calls and code, and notices. */
export const CHANNELS = ['ai', 'code', 'debug'] as const;

export type ChannelName = (typeof CHANNELS)[number];

function getChannel({ type }: AgentEvent): ChannelName {
  if (type.startsWith('call-') || type.startsWith('run-')) return 'code';
  return type === 'notice' || type === 'space-enter' ? 'debug' : 'ai';
}

/** Cause of an event: a turn of the model, or a person who typed tags or code. */
export type Cause = 'turn' | 'tags' | 'code';

/** Displayed item: an event, a message exactly as it is sent to the model, or a line between two sessions. */
type Shown =
  | { readonly event: AgentEvent; readonly cause: Cause }
  | { readonly message: Message }
  | { readonly boundary: string };

type UnfinishedResponse = { readonly event: Extract<AgentEvent, { type: 'response-delta' }>; readonly cause: Cause };

/** Earlier conversation, with the lines before and after it. */
interface Recalled {
  readonly events: readonly AgentEvent[];
  readonly title: string;
  readonly end: string;
}

export interface ViewSwitchOptions {
  readonly options: CliOptions;
  readonly terminal: Terminal;
  readonly tree: SpaceTree;
  /** True to show complete results and code. Default: false. */
  readonly whole?: boolean;
}

/** Events that are shown whole on request. */
const SHOWN_WHOLE: ReadonlySet<string> = new Set<AgentEvent['type']>(['call-end', 'run-start', 'run-end']);

/** Maximum number of events kept for redisplay, and of characters in them. */
const MOST_KEPT = 1000;
const MOST_CHARACTERS = 2_000_000;

/**
 * Display of a session in one of several views. When another view is chosen, earlier events can be shown again in it.
 */
export class ViewSwitch {
  readonly #options: ViewSwitchOptions;
  readonly #kept: Shown[] = [];
  readonly #hidden = new Set<ChannelName>();
  #characters = 0;
  /** What has arrived of a response that has no end yet. */
  #unfinished: UnfinishedResponse | undefined;
  #isWhole = false;
  #current: ViewName;
  #show: (shown: Shown) => void | Promise<void>;

  constructor(options: ViewSwitchOptions) {
    this.#options = options;
    this.#current = isDebug(options.options) ? 'debug' : 'user';
    this.#show = createRenderer(this.#current, options);
  }

  get current(): ViewName {
    return this.#current;
  }

  /** View after this one. */
  get next(): ViewName {
    return VIEWS[(VIEWS.indexOf(this.#current) + 1) % VIEWS.length]!;
  }

  /** Kept events: at most the last thousand, with at most two million characters. */
  get events(): readonly AgentEvent[] {
    return this.#kept.flatMap((one) => ('event' in one ? [one.event] : []));
  }

  isHidden(channel: ChannelName): boolean {
    return this.#hidden.has(channel);
  }

  /** Hides a channel from now on, or shows it again. */
  toggle(channel: ChannelName): void {
    if (!this.#hidden.delete(channel)) this.#hidden.add(channel);
  }

  /** Shows an event and keeps it. */
  showEvent(event: AgentEvent, cause: Cause): void | Promise<void> {
    return this.#add({ event, cause });
  }

  /** Keeps the events of an earlier conversation as if they had been shown, and renders their end, in that many rows. */
  recall({ events, title, end }: Recalled, rows: number): Promise<string> {
    const recalled: readonly Shown[] = [
      { boundary: title },
      ...events.map((event) => ({ event, cause: 'turn' as const })),
      { boundary: end },
    ];
    for (const shown of recalled) this.#keep(shown);
    return this.#render(recalled, rows);
  }

  /** Shows a message to the model, if the view includes these, and keeps it. */
  showMessage(message: Message): void {
    void this.#add({ message });
  }

  /** Chooses a view for all further output. */
  choose(view: ViewName): void {
    this.#isWhole = false;
    this.#current = view;
    this.#show = createRenderer(view, this.#options);
    // The rest of it will arrive in this view.
    if (this.#unfinished !== undefined) void this.#show(this.#unfinished);
  }

  /** True while the last turn is shown with its complete results. */
  get isWhole(): boolean {
    return this.#isWhole;
  }

  /** Renders the end of the earlier output in the current view, in a number of screen rows; a whole turn in any number. */
  render(rows: number): Promise<string> {
    return this.#isWhole ? this.#render(this.#listLastTurn(), Infinity) : this.#render(this.#kept, rows);
  }

  async #render(all: readonly Shown[], rows: number): Promise<string> {
    const { terminal, ...others } = this.#options;
    let text = '';
    const before = createBeforeWrite();
    const write = (part: string): void => {
      before.run();
      text += part;
    };
    const out: Output = { ...terminal.out, isTerminal: true, write, beforeWrite: before.add };
    const status = { ...terminal.status, stream: () => undefined };
    const shownTerminal = { ...terminal, out, err: out, status };
    const show = createRenderer(this.#current, { ...others, terminal: shownTerminal, whole: this.#isWhole });
    const questions = placeQuestions(all);
    for (const shown of all) {
      const question = questions.get(shown);
      // The prompt at which it was typed is not an event.
      if (this.#current === 'user' && question !== undefined) out.write(renderQuestion(question, out));
      await show(shown);
      // The line about the cancellation is not kept either.
      if (this.#current === 'user' && 'event' in shown && isCancelled(shown.event))
        out.write(`${createPainter(out)('hint', renderCancelled(shown.event))}\n`);
    }
    before.run();
    const columns = Math.max(1, terminal.out.columns());
    const lines = wrapOutput(makeOutputVisible(text), columns).trimEnd().split('\n');
    let from = lines.length;
    for (let left = rows; from > 0; from--) {
      left -= Math.max(1, Math.ceil(measureShown(lines[from - 1]!) / columns));
      if (left < 0 && from < lines.length) break;
    }
    // The line that tells what follows is never cut off.
    const [first] = all;
    const head = from > 0 && first !== undefined && 'boundary' in first ? [lines[0]!] : [];
    return [...head, ...lines.slice(from)].join('\n');
  }

  /**
   * Chooses whether `render` shows the last turn with its complete results, until something else is shown. Returns false
   * if nothing was called in it.
   */
  toggleWhole(): boolean {
    if (!this.#listLastTurn().some((one) => 'event' in one && SHOWN_WHOLE.has(one.event.type))) return false;
    this.#isWhole = !this.#isWhole;
    return true;
  }

  #listLastTurn(): readonly Shown[] {
    const start = this.#kept.findLastIndex((one) => 'event' in one && one.event.type === 'turn-start');
    return this.#kept.slice(Math.max(start, 0));
  }

  #add(shown: Shown): void | Promise<void> {
    if (!('event' in shown) || shown.event.type !== 'turn-end') this.#isWhole = false;
    this.#follow(shown);
    if (!isPartial(shown)) this.#keep(shown);
    // At the end of a turn, its views clear their state.
    const isHidden = 'event' in shown && shown.event.type !== 'turn-end' && this.#hidden.has(getChannel(shown.event));
    return isHidden ? undefined : this.#show(shown);
  }

  /** Keeps what has arrived of a response until it ends, for a view that is chosen meanwhile. */
  #follow(shown: Shown): void {
    if (!('event' in shown) || !this.#isShownAgain) return;
    const { event, cause } = shown;
    if (event.type === 'response-delta') {
      const text = `${this.#unfinished?.event.text ?? ''}${event.text}`;
      this.#unfinished = { event: { ...event, text }, cause };
    }
    if (event.type === 'response-end' || event.type === 'turn-end' || isNewTry(event)) this.#unfinished = undefined;
  }

  /** False for redirected output. */
  get #isShownAgain(): boolean {
    const { options, terminal } = this.#options;
    return terminal.interactive && !options.json;
  }

  #keep(shown: Shown): void {
    if (this.#isShownAgain) {
      this.#kept.push(shown);
      this.#characters += measureText(shown);
      while (this.#kept.length > MOST_KEPT || (this.#characters > MOST_CHARACTERS && this.#kept.length > 1))
        this.#characters -= measureText(this.#kept.shift()!);
    }
  }
}

/** Returns each question to the model by what is shown first because of it, such as the reading of an attached file. */
function placeQuestions(all: readonly Shown[]): ReadonlyMap<Shown, string> {
  const questions = new Map<Shown, string>();
  let first: Shown | undefined;
  for (const shown of all) {
    const event = 'event' in shown && shown.cause === 'turn' ? shown.event : undefined;
    if (event === undefined || event.type === 'turn-end') first = undefined;
    else first ??= shown;
    if (event?.type === 'turn-start') questions.set(first!, event.prompt);
  }
  return questions;
}

/** Renders the first line of a question to the model. */
function renderQuestion(prompt: string, out: Pick<Output, 'color' | 'columns'>): string {
  const [line = ''] = readTyped(prompt).split('\n');
  return `${createPainter(out)('ai', '>')} ${truncate(makeLineVisible(line), out.columns() - 3)}\n`;
}

function isCancelled(event: AgentEvent): boolean {
  return event.type === 'turn-end' && event.outcome === 'aborted';
}

/** Renders the line for people about a turn that was cancelled. */
export function renderCancelled({ label }: Pick<AgentEvent, 'label'>): string {
  return makeLineVisible(`cancelled ai:${label}`);
}

/** Returns true for a partial event, whose complete content follows in its end event. */
function isPartial(shown: Shown): boolean {
  return 'event' in shown && ['response-delta', 'call-progress', 'call-output'].includes(shown.event.type);
}

/** Counts the characters of all strings in a value, including nested ones such as a body in the arguments of a call. */
function measureText(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, one) => sum + measureText(one), 0);
}

/** Creates a renderer for a view, with its own state. */
function createRenderer(view: ViewName, { options, terminal, tree, whole = false }: ViewSwitchOptions) {
  const { out, err } = terminal;
  if (view === 'ai') return createAiView(out);
  const chosen = { ...options, verbose: view === 'debug', debug: options.debug && view === 'debug' };
  const turns = createView({ options: chosen, terminal, tree, whole });
  const [tags, code] =
    view === 'debug' ? [turns, turns] : [createUserView(out, 'panel', tree), createUserView(out, 'lines', tree)];
  const views = { turn: turns, tags, code };
  return (shown: Shown): void | Promise<void> => {
    if ('event' in shown) return views[shown.cause](shown.event);
    if ('boundary' in shown) return showBoundary(shown.boundary, out);
    if (view === 'debug' && !options.json)
      showPrompt(out.isTerminal ? out : err, shown.message.role, shown.message.text);
  };
}

function showBoundary(text: string, out: Output): void {
  const line = padToWidth(`── ${makeLineVisible(text)} ${'─'.repeat(out.columns())}`, out.columns() - 1);
  out.write(`${createPainter(out)('quiet', line.replace(/…$/, '─'))}\n`);
}

/** Shows the exact input and output of the model; for input typed by a person, the calls and results. */
function createAiView(out: Output) {
  const paint = createPainter(out);
  const print = (name: string, text: string): void => {
    const body = makeVisible(text).trimEnd();
    out.write(`${paint(name === 'error' ? 'error' : 'ai', `[${name}]`)}\n${body === '' ? '' : `${body}\n`}`);
  };
  return (shown: Shown): void => {
    if ('message' in shown) return print(shown.message.role === 'system' ? 'system' : 'ai-input', shown.message.text);
    if ('boundary' in shown) return showBoundary(shown.boundary, out);
    const { event, cause } = shown;
    const { label } = event;
    if (event.type === 'response-end') return print(`ai-output:${label}`, event.text);
    if (event.type === 'notice' && event.code === 'error') return print(`error:${label}`, event.text);
    // In a turn, the results are in the next message.
    if (cause === 'turn') return;
    if (event.type === 'call-start') print(`tool-call:${label}`, event.tag);
    else if (event.type === 'call-end') print(`${event.ok ? 'tool-output' : 'error'}:${label}`, event.text);
    else if (event.type === 'run-start') print(`exec-code:${label}`, event.code);
    else if (event.type === 'run-end') print(`${event.ok ? 'exec-result' : 'error'}:${label}`, event.output);
  };
}
