import type { Model } from '@bae/core';

/** An adapter without a guard: the text as it comes, whatever else is reported, and always a normal stop. */
export function unguardedModel(model: Model): Model {
  return {
    name: model.name,
    async *respond(messages, options) {
      for await (const part of model.respond(messages, options)) if (part.type === 'text-delta') yield part;
      yield { type: 'end', reason: 'stop' };
    },
  };
}

/** An adapter that asks again by itself, and lets stand what it has passed on before. */
export function hastyModel(model: Model): Model {
  return {
    name: model.name,
    async *respond(messages, options) {
      for await (const part of model.respond(messages, options)) {
        if (part.type === 'error') break;
        yield part;
        if (part.type === 'end') return;
      }
      yield* model.respond(messages, options);
    },
  };
}
