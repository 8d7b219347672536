import type { Message, Model, ModelPart } from '@bae/core';

/** What a model is asked when nothing else matters; frozen, because no model may change it. */
export const QUESTION: readonly Message[] = Object.freeze([
  Object.freeze({ role: 'system', text: 'You are terse.' }),
  Object.freeze({ role: 'user', text: 'Say something.' }),
] as const);

/** Long enough for a slow machine, short enough that a test which hangs says why. */
const TIMEOUT_MS = 10_000;

/** One request. */
interface CollectOptions {
  /** Default: a short question. */
  readonly messages?: readonly Message[];
  /** Default: one that never aborts. */
  readonly signal?: AbortSignal;
}

/**
 * Collects every part of one response, to the end of the iteration.
 *
 * @throws Error when the iteration throws, or does not end within ten seconds
 */
export function collect(model: Model, options: CollectOptions = {}): Promise<readonly ModelPart[]> {
  return readParts(model, options, () => true);
}

/** Collects every part of one response that is cancelled as soon as it has text. */
export function collectAndCancel(model: Model): Promise<readonly ModelPart[]> {
  const controller = new AbortController();
  return readParts(model, { signal: controller.signal }, ({ type }) => {
    if (type === 'text-delta') controller.abort();
    return true;
  });
}

/** Stops iterating as soon as the model has sent text, without cancelling. */
export async function leaveEarly(model: Model): Promise<void> {
  await readParts(model, {}, ({ type }) => type !== 'text-delta');
}

/** @param onPart returns false to stop iterating */
async function readParts(
  model: Model,
  { messages = QUESTION, signal = new AbortController().signal }: CollectOptions,
  onPart: (part: ModelPart) => boolean,
): Promise<readonly ModelPart[]> {
  const parts: ModelPart[] = [];
  const read = async (): Promise<void> => {
    for await (const part of model.respond(messages, { signal })) {
      parts.push(part);
      if (!onPart(part)) return;
    }
  };
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    const complain = (): void => reject(new Error(`it did not end; so far: ${JSON.stringify(parts)}`));
    timer = setTimeout(complain, TIMEOUT_MS);
  });
  try {
    await Promise.race([read(), timeout]);
    return parts;
  } finally {
    clearTimeout(timer);
  }
}
