declare const MODEL_TEXT: unique symbol;

/**
 * Text that may be parsed for calls: written by a model, or typed by a person.
 *
 * Tool output, file content and stored history are plain strings and therefore cannot be parsed.
 */
export type ModelText = string & { readonly [MODEL_TEXT]: true };

/**
 * Marks text as written by a model or a person, so that its tags are executed.
 *
 * Call it only where text enters from a model or a keyboard. Never pass tool output, file content or
 * stored history.
 */
export function asModelText(text: string): ModelText {
  return text as ModelText;
}
