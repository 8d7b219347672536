/** What the engine says when it has no more memory. */
export const OUT_OF_MEMORY = 'out of memory';
/** The name under which it says so. */
export const ENGINE_ERROR = 'InternalError';

/** The engine's error, for what the host finds no room for. */
export function outOfMemoryError(): Error {
  const error = new RangeError(OUT_OF_MEMORY);
  error.name = ENGINE_ERROR;
  return error;
}

/** True for the engine's own error, false for one of code that says the same. */
export function isOutOfMemory({ name, message }: { readonly name: string; readonly message: string }): boolean {
  return name === ENGINE_ERROR && message === OUT_OF_MEMORY;
}
