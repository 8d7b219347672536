// A view of one's own: a function of events to text. Here, one line for each place, with what was done there.
// Run it: node examples/dist/09-custom-view.js
import { createAgent, defineResourcespace, tool, type AgentEvent } from '@bae/core';
import { ScriptedModel } from '@bae/testing';
import { z } from 'zod';

/** Handles all events of a session; `summary()` sums them up. */
class PlacesView {
  readonly #calls = new Map<string, string[]>();
  #answer = '';

  readonly handle = (event: AgentEvent): void => {
    switch (event.type) {
      case 'call-end': {
        const { space, verb, ok, rows } = event;
        const text = `${ok ? '' : 'failed: '}${verb}${rows === undefined ? '' : ` (${rows})`}`;
        this.#calls.set(space, [...(this.#calls.get(space) ?? []), text]);
        return;
      }
      case 'answer':
        this.#answer = event.text;
        return;
      default:
    }
  };

  summary(): string {
    const places = [...this.#calls].map(([space, calls]) => `${space.padEnd(8)} ${calls.join(', ')}`);
    return [...places, '', this.#answer].join('\n');
  }
}

const text = z.string().describe('Text to look for');
const books = ['Emma', 'Ulysses', 'Middlemarch'];
const library = defineResourcespace({
  name: 'library',
  description: 'Books.',
  tools: {
    grep: tool('Titles with a text.', { text }, (args) => {
      const rows = books.filter((title) => title.includes(args.text));
      return { text: rows.join('\n') || `No title has '${args.text}'.`, rows: rows.length };
    }),
  },
});

const agent = createAgent({
  model: new ScriptedModel(['<R:books>\n@library()\n<Grep:m>\n<Grep:x>', 'Emma, I think.']),
  spaces: [library],
});

const view = new PlacesView();
agent.subscribe(view.handle);
await agent.ask('A book with an m?');
console.log(view.summary());
await agent.close();
