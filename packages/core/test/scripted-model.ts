import type { Message, Model, ModelPart } from '../src/protocol/model.ts';

/** A model that responds with one text after the other, then `done`, and records the requests. */
export function createScriptedModel(...texts: string[]) {
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
