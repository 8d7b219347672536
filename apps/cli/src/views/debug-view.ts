import type { AgentEvent } from '@bae/core';
import { makeVisible } from '../terminal/make-visible.ts';
import { painterFor } from '../terminal/paint.ts';
import type { Output } from '../terminal/output.ts';
import type { View } from './view.ts';

type Channel = 'ai' | 'code' | 'debug';

const CHANNELS: Readonly<Record<AgentEvent['type'], Channel>> = {
  'turn-start': 'ai',
  'response-delta': 'ai',
  'response-end': 'ai',
  'call-start': 'code',
  'call-end': 'code',
  'run-start': 'code',
  'run-end': 'code',
  'space-enter': 'debug',
  notice: 'debug',
  answer: 'ai',
  'turn-end': 'debug',
};

/** Everything that happens, unshortened: a header per event and its content, indented by two blanks. */
export class DebugView implements View {
  constructor(private readonly out: Output) {}

  handle(event: AgentEvent): void {
    // The whole response follows in one piece.
    if (event.type === 'response-delta') return;
    const failed = 'ok' in event ? !event.ok : event.type === 'notice' && event.code === 'error';
    const header = { is_error: failed, label: event.label, type: event.type };
    this.show(CHANNELS[event.type], header, contentOf(event));
  }

  /** Shows a message exactly as a model is sent it. */
  prompt(role: string, text: string): void {
    this.show('ai', { is_error: false, role, type: 'prompt' }, text);
  }

  private show(channel: Channel, header: Readonly<Record<string, unknown>>, content: string): void {
    const paint = painterFor(this.out);
    const keys = Object.keys(header).toSorted();
    const fields = keys.map((key) => `${key}=${makeVisible(String(header[key]))}`).join(' ');
    const lines = makeVisible(content).split('\n');
    const body = content === '' ? '' : `${lines.map((line) => (line === '' ? '' : `  ${line}`)).join('\n')}\n`;
    this.out.write(`${paint(channel, `[${channel}]`)} ${paint('debug', fields)}\n${body}`);
  }
}

function contentOf(event: Exclude<AgentEvent, { type: 'response-delta' }>): string {
  switch (event.type) {
    case 'turn-start':
      return event.prompt;
    case 'response-end':
      return `${event.text}\n${usageLine(event)}`;
    case 'answer':
      return event.text;
    case 'call-start':
      return `${event.id} ${event.tag} [${event.space}]\n${JSON.stringify(event.arguments)}`;
    case 'call-end':
      return `${event.id} ${event.tag} [${event.space}] ${event.errorType ?? 'ok'}, ${ms(event.ms)}\n${event.summary}\n${event.text}`;
    case 'run-start':
      return `${event.id}\n${event.code}`;
    case 'run-end':
      return `${event.id} ${event.ok ? 'ok' : 'failed'}, ${ms(event.ms)}\n${event.output}`;
    case 'space-enter':
      return `${event.from} -> ${event.to}`;
    case 'notice':
      return `${event.code}: ${event.text}`;
    default:
      return `${event.outcome} ${JSON.stringify(event.totals)}`;
  }
}

function usageLine({ usage, context }: Extract<AgentEvent, { type: 'response-end' }>): string {
  const { inputTokens, cachedTokens, outputTokens } = usage;
  const share = (context * 100).toFixed(1);
  return `tokens: ${inputTokens} in (${cachedTokens} cached), ${outputTokens} out; ${share} % of the context`;
}

function ms(time: number): string {
  return `${Math.round(time)} ms`;
}
