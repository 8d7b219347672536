import type { AgentEvent } from '@bae/core';
import type { Output } from '../terminal/terminal.ts';
import { createPainter, makeVisible } from '../terminal/terminal-text.ts';
import type { View } from './view.ts';

type Channel = 'ai' | 'code' | 'debug';

/** Shows every event in full: a header, and its content indented by two spaces. */
export class DebugView implements View {
  readonly #out: Output;

  constructor(out: Output) {
    this.#out = out;
  }

  handle(event: AgentEvent): void {
    // The whole response follows.
    if (event.type === 'response-delta') return;
    const failed = 'ok' in event ? !event.ok : event.type === 'notice' && event.code === 'error';
    const header = { is_error: failed, label: event.label, type: event.type };
    const [channel, content] = renderEvent(event);
    this.#show(channel, header, content);
  }

  /** Shows a message exactly as it is sent to a model. */
  prompt(role: string, text: string): void {
    this.#show('ai', { is_error: false, role, type: 'prompt' }, text);
  }

  #show(channel: Channel, header: Readonly<Record<string, unknown>>, content: string): void {
    const paint = createPainter(this.#out);
    const keys = Object.keys(header).toSorted();
    const fields = keys.map((key) => `${key}=${makeVisible(String(header[key]))}`).join(' ');
    const lines = makeVisible(content).split('\n');
    const body = content === '' ? '' : `${lines.map((line) => (line === '' ? '' : `  ${line}`)).join('\n')}\n`;
    this.#out.write(`${paint(channel, `[${channel}]`)} ${paint('debug', fields)}\n${body}`);
  }
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
      const state = `${event.errorType ?? 'ok'}, ${formatMs(event.ms)}`;
      return ['code', `${event.id} ${event.tag} [${event.space}] ${state}\n${event.summary}\n${event.text}`];
    }
    case 'run-start':
      return ['code', `${event.id}\n${event.code}`];
    case 'run-end':
      return ['code', `${event.id} ${event.ok ? 'ok' : 'failed'}, ${formatMs(event.ms)}\n${event.output}`];
    case 'space-enter':
      return ['debug', `${event.from} -> ${event.to}`];
    case 'notice':
      return ['debug', `${event.code}: ${event.text}`];
    default:
      return ['debug', `${event.outcome} ${JSON.stringify(event.totals)}`];
  }
}

function renderUsage({ usage, context }: Extract<AgentEvent, { type: 'response-end' }>): string {
  const { inputTokens, cachedTokens, outputTokens } = usage;
  const share = (context * 100).toFixed(1);
  return `tokens: ${inputTokens} in (${cachedTokens} cached), ${outputTokens} out; ${share} % of the context`;
}

function formatMs(time: number): string {
  return `${Math.round(time)} ms`;
}
