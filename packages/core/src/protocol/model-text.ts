declare const MODEL_TEXT: unique symbol;

/**
 * Text that may be parsed for calls: a model said it, or a person at the keyboard typed it.
 *
 * Tool output, file content and stored history are plain strings and therefore cannot be parsed.
 */
export type ModelText = string & { readonly [MODEL_TEXT]: true };

/**
 * Declares a text to be somebody's own words, so that its tags are executed.
 *
 * Call it only where text enters from a model or a keyboard. Never pass tool output, file content or
 * stored history.
 */
export function asModelText(text: string): ModelText {
  return text as ModelText;
}
