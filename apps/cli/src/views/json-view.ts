import type { AgentEvent } from '@bae/core';
import type { Output } from '../terminal/output.ts';
import type { View } from './view.ts';

/** Every event as one line of JSON, for programs. */
export class JsonView implements View {
  constructor(private readonly out: Output) {}

  handle(event: AgentEvent): void {
    this.out.write(`${JSON.stringify(event)}\n`);
  }
}
