import type { AgentEvent } from '@bae/core';

/**
 * Events as text that people can read and snapshots can hold: one line an event, further lines of a
 * text indented, nothing that differs from run to run.
 *
 * Streamed pieces and starts are left out, because the end of each carries the whole. With more than
 * one session each line begins with its label: `@2 user: hello`.
 */
export function renderTranscript(events: readonly AgentEvent[]): string {
  const several = new Set(events.map(({ label }) => label)).size > 1;
  const lines = events.map((event) => {
    const line = renderEvent(event);
    return line === undefined || !several ? line : `@${event.label} ${line}`;
  });
  return lines.filter((line) => line !== undefined).join('\n');
}

function renderEvent(event: AgentEvent): string | undefined {
  switch (event.type) {
    case 'turn-start':
      return entry('user', event.prompt);
    case 'response-end':
      return event.executable ? entry('model', event.text) : undefined;
    case 'call-end':
      return entry(event.ok ? 'call' : 'call failed', event.summary);
    case 'run-end':
      return entry(event.ok ? 'run' : 'run failed', `${event.code}\n=> ${event.output || '(no output)'}`);
    case 'space-enter':
      return entry('enter', `${event.from} -> ${event.to}`);
    case 'notice':
      return entry(`notice ${event.code}`, event.text);
    case 'answer':
      return entry('answer', event.text);
    case 'turn-end': {
      const { sends, calls, runs } = event.totals;
      return entry('end', `${event.outcome} (sends ${sends}, calls ${calls}, runs ${runs})`);
    }
    default:
      return undefined;
  }
}

function entry(kind: string, text: string): string {
  return `${kind}: ${text.trimEnd().replaceAll('\n', '\n  ')}`;
}
