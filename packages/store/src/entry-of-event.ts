import type { AgentEvent } from '@bae/core';

/** What people may look for later. */
export interface NewEntry {
  readonly channel: 'ai' | 'tool' | 'run';
  readonly direction: 'input' | 'output';
  readonly text: string;
  readonly meta: Readonly<Record<string, unknown>>;
}

/** What can be found of an event: prompts, answers, and what calls and run blocks gave. */
export function entryOfEvent(event: AgentEvent): NewEntry | undefined {
  switch (event.type) {
    case 'turn-start':
      return { channel: 'ai', direction: 'input', text: event.prompt, meta: {} };
    case 'answer':
      return { channel: 'ai', direction: 'output', text: event.text, meta: {} };
    case 'call-end': {
      const { id, ok, ref } = event;
      const meta = { id, ok, ...(ref !== undefined && { ref }) };
      return { channel: 'tool', direction: 'output', text: `${event.tag}\n${event.text}`, meta };
    }
    case 'run-end': {
      const { id, ok } = event;
      return { channel: 'run', direction: 'output', text: `${event.code}\n${event.output}`, meta: { id, ok } };
    }
    default:
      return undefined;
  }
}
