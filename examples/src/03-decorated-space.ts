// The same kind of space as a class: injected, with a child space.
// Run it: node examples/dist/03-decorated-space.js
import {
  asModelText,
  createAgent,
  defineResourcespace,
  inject,
  resourcespace,
  tool,
  type Resourcespace,
} from '@bae/core';
import { z } from 'zod';

const SHELF = Symbol.for('examples.shelf');

@resourcespace({ name: 'books', description: 'Books on the shelf.' })
class BooksSpace implements Resourcespace {
  constructor(@inject(SHELF) private readonly shelf: readonly string[]) {}

  enter() {
    return `${this.shelf.length} books`;
  }

  children() {
    const count = () => String(this.shelf.length);
    return {
      statistics: defineResourcespace({ name: 'statistics', description: 'Numbers.', tools: {}, enter: count }),
    };
  }

  @tool({ description: 'Titles that contain a text.', params: { pattern: z.string() } })
  grep({ pattern }: { pattern: string }) {
    const rows = this.shelf.filter((title) => title.includes(pattern));
    return { text: rows.join('\n') || '(no matches)', rows: rows.length };
  }
}

const agent = createAgent({ spaces: [BooksSpace], provide: [{ token: SHELF, value: ['Emma', 'Ulysses'] }] });
const { feedback } = await agent.run(asModelText('@books()\n<Grep:Em>\n@statistics()'));
console.log(feedback);
await agent.close();
