import { ModelError, type Model, type ModelPart } from '@bae/core';

/**
 * The first of several models that responds. The next one is asked where one fails before its first word; after that its
 * failure counts. The names, prices and sizes are those of the first.
 *
 * @param models in the order in which they are asked; at least one
 */
export function fallbackModel(first: Model, ...others: readonly Model[]): Model {
  return {
    ...pickFacts(first),
    async *respond(messages, options) {
      let failure: ModelPart | undefined;
      for (const model of [first, ...others]) {
        let hasBegun = false;
        for await (const part of model.respond(messages, options)) {
          if (part.type === 'error' && !hasBegun && !options.signal.aborted) {
            failure = addEarlierFailure(part, model, failure);
            break;
          }
          hasBegun ||= part.type === 'text-delta';
          yield part;
          if (part.type === 'end' || part.type === 'error') return;
        }
        // A model that was silent and did not fail is for the agent to judge.
        if (failure === undefined || hasBegun) return;
      }
      if (failure !== undefined) yield failure;
    },
    async dispose() {
      for (const model of [first, ...others]) await model.dispose?.();
    },
  };
}

function pickFacts({ name, idleMs, prices, contextTokens }: Model) {
  return {
    name,
    ...(idleMs !== undefined && { idleMs }),
    ...(prices !== undefined && { prices }),
    ...(contextTokens !== undefined && { contextTokens }),
  };
}

/** The last failure, with what went wrong before it. */
function addEarlierFailure(
  { error }: Extract<ModelPart, { type: 'error' }>,
  { name }: Model,
  before: ModelPart | undefined,
): Extract<ModelPart, { type: 'error' }> {
  const earlier = before?.type === 'error' ? `${before.error.message} ` : '';
  const { retryable, hints, retryAfterMs } = error;
  const message = `${earlier}${name}: ${error.message}`;
  const facts = { retryable, hints, cause: error, ...(retryAfterMs !== undefined && { retryAfterMs }) };
  return { type: 'error', error: new ModelError(message, facts) };
}
