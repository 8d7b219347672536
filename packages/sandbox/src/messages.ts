/** WebAssembly module, which threads can share. */
export type CompiledModule = object;

export interface ThreadSettings {
  /** Compiled engine. */
  readonly engine?: CompiledModule;
  readonly memoryBytes: number;
  /** Maximum number of calls of one block, then maximum length of the arguments of one call, in characters. */
  readonly mostCalls: number;
  readonly mostArguments: number;
  /** Maximum length of the kept output, and of the last value, in characters. */
  readonly outputLimit: number;
  /**
   * Two numbers that are visible while code runs: the first is not 0 once the code has to stop, the second is the
   * number of messages sent.
   */
  readonly signal: SharedArrayBuffer;
}

/** Tool, place or move that code can call by name; part of the JSON of a scope. */
export interface ScopeNode {
  /** Identifier, or name of a member. */
  readonly name: string;
  readonly callee: number;
  /** Text that is displayed when it is printed. */
  readonly signature: string;
  readonly members: readonly ScopeNode[];
}

export interface CallRequest {
  readonly id: number;
  readonly callee: number;
  /** JSON object of arguments by position: `{"0":"a.ts"}`. */
  readonly args: string;
}

export interface CallResult {
  readonly id: number;
  readonly form: ResultForm;
  readonly text: string;
}

/** Form of the text of a result: the value itself, JSON of the value, or JSON of an error as `{ name, message }`. */
export type ResultForm = 'text' | 'json' | 'error';

export type HostMessage =
  | {
      readonly type: 'run';
      /** Number of the block, from 1; used in stack traces. */
      readonly block: number;
      readonly code: string;
      /** JSON of the scope; empty if it has not changed. */
      readonly scope: string;
      /** Tools in scope whose names are operators of the language. */
      readonly operators: readonly string[];
    }
  | (CallResult & {
      readonly type: 'result';
      /** The block that made the call. */
      readonly block: number;
      /** JSON of the scope; empty if it has not changed. */
      readonly scope: string;
    })
  /** Wakes a thread that waits for results. */
  | { readonly type: 'stop' };

export type ThreadMessage =
  | { readonly type: 'ready' }
  | {
      readonly type: 'progress';
      readonly output: string;
      readonly calls: readonly CallRequest[];
      /** True if the code cannot continue without a result. */
      readonly waits: boolean;
      /** Length of the results received so far, in characters. */
      readonly received: number;
    }
  | {
      readonly type: 'end';
      readonly end: BlockEnd;
      readonly output: string;
      readonly cut: boolean;
      readonly notAwaited: NotAwaited;
      /** True if the thread cannot be used again, and its variables are lost. */
      readonly spent: boolean;
    };

export type BlockEnd =
  /** `value`: the last value as text, if there is one; `cut`: true if only its beginning is kept. */
  | { readonly state: 'done'; readonly value: string | undefined; readonly cut: boolean }
  | { readonly state: 'thrown'; readonly error: ThrownError }
  | { readonly state: 'unreadable'; readonly message: string; readonly line: number }
  /** The code awaits a promise that nothing can settle. */
  | { readonly state: 'stuck' }
  | { readonly state: 'stopped'; readonly error: ThrownError | undefined };

/** Errors and results that a block failed to await. */
export interface NotAwaited {
  /** First errors that nothing has caught: the number of the failed call, or the error itself. */
  readonly errors: readonly (number | ThrownError)[];
  readonly count: number;
  /** Numbers of the calls whose result has not been read. Default: none. */
  readonly unread?: readonly number[];
  /** Number of the first call that had no result when the last line had run. Default: none. */
  readonly late?: number | undefined;
}

export const NOTHING_LEFT: NotAwaited = { errors: [], count: 0 };

export interface ThrownError {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
}

/** Shortens an error; a shortened message gives its original length. */
export function boundError({ name, message, stack }: ThrownError): ThrownError {
  const rest = message.length > 4000 ? `… (${message.length} characters)` : '';
  return { name: cutText(name, 100), message: cutText(message, 4000) + rest, stack: cutText(stack, 100_000) };
}

/** Shortens a text to at most `length` characters, without splitting the last one. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  const code = length > 0 ? text.charCodeAt(length - 1) : 0;
  return text.slice(0, code >= 0xd800 && code < 0xdc00 ? length - 1 : length);
}

/** Message and name of the engine's own error when it is out of memory. */
export const OUT_OF_MEMORY = 'out of memory';
export const ENGINE_ERROR = 'InternalError';

/** Creates the same error, for values for which the host finds no room. */
export function createOutOfMemoryError(): Error {
  const error = new RangeError(OUT_OF_MEMORY);
  error.name = ENGINE_ERROR;
  return error;
}

/** Returns true for the engine's own error, false for an error of code with the same message. */
export function isOutOfMemory({ name, message }: Pick<ThrownError, 'name' | 'message'>): boolean {
  return name === ENGINE_ERROR && message === OUT_OF_MEMORY;
}
