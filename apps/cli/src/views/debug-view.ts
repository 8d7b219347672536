import type { AgentEvent } from '@bae/core';
import type { Output } from '../terminal/terminal.ts';
import { createPainter, makeVisible } from '../terminal/terminal-text.ts';
import type { View } from './user-view.ts';

type Channel = 'ai' | 'code' | 'debug';

/** Shows every event in full. */
export function createDebugView(out: Output): View {
  return (event) => {
    // The whole response follows.
    if (event.type === 'response-delta') return;
    const failed = 'ok' in event ? !event.ok : event.type === 'notice' && event.code === 'error';
    const [channel, content] = renderEvent(event);
    showBlock(out, [channel, `is_error=${failed} label=${makeVisible(event.label)} type=${event.type}`], content);
  };
}

/** Shows a message exactly as it is sent to a model. */
export function showPrompt(out: Output, role: string, text: string): void {
  showBlock(out, ['ai', `is_error=false role=${role} type=prompt`], text);
}

/** Shows a header, and its content indented by two spaces. */
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
      const state = `${event.errorType ?? 'ok'}, ${Math.round(event.ms)} ms`;
      return ['code', `${event.id} ${event.tag} [${event.space}] ${state}\n${event.summary}\n${event.text}`];
    }
    case 'run-start':
      return ['code', `${event.id}\n${event.code}`];
    case 'run-end':
      return ['code', `${event.id} ${event.ok ? 'ok' : 'failed'}, ${Math.round(event.ms)} ms\n${event.output}`];
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
