import { ModelError, type Model, type ModelPart } from '@bae/core';

/**
 * Makes a model that uses the first of several models that responds. If one fails before its first word, the next one
 * is asked; after that, its failure is final. The name, prices and sizes are those of the first model.
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
        // If a model was silent but did not fail, the agent decides how to handle this.
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

/** Adds the earlier failure to the last one. */
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
