import type { AgentEvent, Message, SpaceTree } from '@bae/core';
import type { CliOptions } from '../command-line/options.ts';
import type { Output, Terminal } from '../terminal/terminal.ts';
import { measureShown } from '../terminal/screen-rows.ts';
import { createPainter, makeOutputVisible, makeVisible } from '../terminal/terminal-text.ts';
import { createDebugView, createView, isDebug, showPrompt } from './create-view.ts';
import { createUserView } from './user-view.ts';

/** How a session is shown: what matters to a person, everything, or what the model gets and writes. */
export const VIEWS = ['user', 'debug', 'ai'] as const;

export type ViewName = (typeof VIEWS)[number];

/** What is shown, by what it is about: answers and thoughts of a model, calls and code, notices. */
export const CHANNELS = ['ai', 'code', 'debug'] as const;

export type ChannelName = (typeof CHANNELS)[number];

function getChannel({ type }: AgentEvent): ChannelName {
  if (type.startsWith('call-') || type.startsWith('run-')) return 'code';
  return type === 'notice' || type === 'space-enter' ? 'debug' : 'ai';
}

/** Who caused an event: a turn of the model, or a person who typed tags or code. */
export type Cause = 'turn' | 'tags' | 'code';

/** Something that is shown: an event, or a message exactly as it is sent to the model. */
type Shown = { readonly event: AgentEvent; readonly cause: Cause } | { readonly message: Message };

export interface ViewSwitchOptions {
  readonly options: CliOptions;
  readonly terminal: Terminal;
  readonly tree: SpaceTree;
}

/** Events that are kept to be shown again, and characters of text in them. */
const MOST_KEPT = 1000;
const MOST_CHARACTERS = 2_000_000;

/** Shows a session in one of several views, and what was shown before again when another one is chosen. */
export class ViewSwitch {
  readonly #options: ViewSwitchOptions;
  readonly #kept: Shown[] = [];
  readonly #hidden = new Set<ChannelName>();
  #characters = 0;
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

  /** The view after this one. */
  get next(): ViewName {
    return VIEWS[(VIEWS.indexOf(this.#current) + 1) % VIEWS.length]!;
  }

  /** The events that are kept: at most the last thousand, with two million characters. */
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

  /** Shows an event, and keeps it. */
  showEvent(event: AgentEvent, cause: Cause): void | Promise<void> {
    return this.#add({ event, cause });
  }

  /** Shows a message that is sent to the model, where the view shows these, and keeps it. */
  showMessage(message: Message): void {
    void this.#add({ message });
  }

  /** Chooses a view for everything that comes. */
  choose(view: ViewName): void {
    this.#current = view;
    this.#show = createRenderer(view, this.#options);
  }

  /** The end of what was shown before, in the current view, in so many rows of the screen. */
  async render(rows: number): Promise<string> {
    const { terminal, ...others } = this.#options;
    let text = '';
    const out: Output = { ...terminal.out, isTerminal: true, write: (part) => void (text += part) };
    const status = { ...terminal.status, stream: () => undefined };
    const show = createRenderer(this.#current, { ...others, terminal: { ...terminal, out, err: out, status } });
    for (const shown of this.#kept) await show(shown);
    const lines = makeOutputVisible(text).trimEnd().split('\n');
    const columns = Math.max(1, terminal.out.columns());
    let from = lines.length;
    for (let left = rows; from > 0; from--) {
      left -= Math.max(1, Math.ceil(measureShown(lines[from - 1]!) / columns));
      if (left < 0 && from < lines.length) break;
    }
    return lines.slice(from).join('\n');
  }

  /** The calls of the last turn with their whole results. */
  renderLastCalls(): string {
    const start = this.#kept.findLastIndex((one) => 'event' in one && one.event.type === 'turn-start');
    const { out } = this.#options.terminal;
    let text = '';
    const show = createDebugView({ ...out, write: (part) => void (text += part) });
    for (const one of this.#kept.slice(Math.max(start, 0)))
      if ('event' in one && (one.event.type === 'call-end' || one.event.type === 'run-end')) show(one.event);
    return text.trimEnd();
  }

  #add(shown: Shown): void | Promise<void> {
    const { options, terminal } = this.#options;
    // What is redirected is never shown again.
    if (terminal.interactive && !options.json && !isPartial(shown)) {
      this.#kept.push(shown);
      this.#characters += measureText(shown);
      while (this.#kept.length > MOST_KEPT || (this.#characters > MOST_CHARACTERS && this.#kept.length > 1))
        this.#characters -= measureText(this.#kept.shift()!);
    }
    // Where a turn ends, its views put away what they hold.
    const isHidden = 'event' in shown && shown.event.type !== 'turn-end' && this.#hidden.has(getChannel(shown.event));
    return isHidden ? undefined : this.#show(shown);
  }
}

/** True for what the event of its end has whole. */
function isPartial(shown: Shown): boolean {
  return 'event' in shown && ['response-delta', 'call-progress', 'call-output'].includes(shown.event.type);
}

/** Characters of all texts in it, whatever their names: a body is in the arguments of a call. */
function measureText(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.values(value).reduce<number>((sum, one) => sum + measureText(one), 0);
}

/** Renders everything in one view, with a state of its own. */
function createRenderer(view: ViewName, { options, terminal, tree }: ViewSwitchOptions) {
  const { out, err } = terminal;
  if (view === 'ai') return createAiView(out);
  const chosen = { ...options, verbose: view === 'debug', debug: options.debug && view === 'debug' };
  const turns = createView({ options: chosen, terminal, tree });
  const [tags, code] =
    view === 'debug' ? [turns, turns] : [createUserView(out, 'panel', tree), createUserView(out, 'lines', tree)];
  const views = { turn: turns, tags, code };
  return (shown: Shown): void | Promise<void> => {
    if ('event' in shown) return views[shown.cause](shown.event);
    if (view === 'debug' && !options.json)
      showPrompt(out.isTerminal ? out : err, shown.message.role, shown.message.text);
  };
}

/** Shows what the model gets, exactly, and what it writes; of what a person typed, calls and results. */
function createAiView(out: Output) {
  const paint = createPainter(out);
  const print = (name: string, text: string): void => {
    const body = makeVisible(text).trimEnd();
    out.write(`${paint(name === 'error' ? 'error' : 'ai', `[${name}]`)}\n${body === '' ? '' : `${body}\n`}`);
  };
  return (shown: Shown): void => {
    if ('message' in shown) return print(shown.message.role === 'system' ? 'system' : 'ai-input', shown.message.text);
    const { event, cause } = shown;
    const { label } = event;
    if (event.type === 'response-end') return print(`ai-output:${label}`, event.text);
    if (event.type === 'notice' && event.code === 'error') return print(`error:${label}`, event.text);
    // In a turn the results are in the next message.
    if (cause === 'turn') return;
    if (event.type === 'call-start') print(`tool-call:${label}`, event.tag);
    else if (event.type === 'call-end') print(`${event.ok ? 'tool-output' : 'error'}:${label}`, event.text);
    else if (event.type === 'run-start') print(`exec-code:${label}`, event.code);
    else if (event.type === 'run-end') print(`${event.ok ? 'exec-result' : 'error'}:${label}`, event.output);
  };
}
