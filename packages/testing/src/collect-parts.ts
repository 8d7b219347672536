import type { Message, Model, ModelPart } from '@bae/core';
import { QUESTION } from './question.ts';

/** Long enough for a slow machine, short enough that a test which hangs says why. */
const PATIENCE_MS = 10_000;

/** One request. */
interface CollectOptions {
  /** Default: a short question. */
  readonly messages?: readonly Message[];
  /** Default: one that never aborts. */
  readonly signal?: AbortSignal;
}

/**
 * Every part of one response, to the end of the iteration.
 *
 * @throws Error when the iteration throws, or does not end within ten seconds
 */
export async function collect(model: Model, options: CollectOptions = {}): Promise<readonly ModelPart[]> {
  const { messages = QUESTION, signal = new AbortController().signal } = options;
  const parts: ModelPart[] = [];
  await inTime(readAll(model.respond(messages, { signal }), parts), parts);
  return parts;
}

/** Every part of one response that is cancelled as soon as it has said something. */
export async function collectAndCancel(model: Model): Promise<readonly ModelPart[]> {
  const controller = new AbortController();
  const parts: ModelPart[] = [];
  const onPart = (part: ModelPart): void => {
    if (part.type === 'text-delta') controller.abort();
  };
  await inTime(readAll(model.respond(QUESTION, { signal: controller.signal }), parts, onPart), parts);
  return parts;
}

/** Stops iterating as soon as the model has said something, without cancelling. */
export async function leaveEarly(model: Model): Promise<void> {
  const parts: ModelPart[] = [];
  await inTime(readFirstText(model.respond(QUESTION, { signal: new AbortController().signal }), parts), parts);
}

async function readAll(
  response: AsyncIterable<ModelPart>,
  parts: ModelPart[],
  onPart: (part: ModelPart) => void = () => undefined,
): Promise<void> {
  for await (const part of response) {
    parts.push(part);
    onPart(part);
  }
}

async function readFirstText(response: AsyncIterable<ModelPart>, parts: ModelPart[]): Promise<void> {
  for await (const part of response) {
    parts.push(part);
    if (part.type === 'text-delta') return;
  }
}

async function inTime(work: Promise<void>, parts: readonly ModelPart[]): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<never>((_, reject) => {
    const complain = (): void => reject(new Error(`it did not end; so far: ${JSON.stringify(parts)}`));
    timer = setTimeout(complain, PATIENCE_MS);
  });
  try {
    await Promise.race([work, patience]);
  } finally {
    clearTimeout(timer);
  }
}
