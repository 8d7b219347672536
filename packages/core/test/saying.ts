import type { Message, Model, ModelPart } from '../src/protocol/model.ts';

/** A model that says one thing after the other, then `done`, and remembers the requests. */
export function saying(...texts: string[]) {
  const sends: (readonly Message[])[] = [];
  const model: Model = {
    name: 'test',
    async *respond(messages): AsyncIterable<ModelPart> {
      sends.push([...messages]);
      yield { type: 'text-delta', text: texts[sends.length - 1] ?? 'done' };
      yield { type: 'end', reason: 'stop' };
    },
  };
  return { model, sends };
}
