/** A module of WebAssembly, which threads can share. */
export type CompiledModule = object;

export interface ThreadSettings {
  /** The engine, compiled. */
  readonly engine?: CompiledModule;
  readonly memoryBytes: number;
  /** Calls that one block may make, and characters that the arguments of one call may have. */
  readonly mostCalls: number;
  readonly mostArguments: number;
  /** Characters that are kept of the output, and of the last value. */
  readonly outputLimit: number;
  /** Milliseconds to wait for a message before the thread sleeps. */
  readonly spinMs: number;
  /** Two numbers that are visible while code runs: not 0 once it has to stop, and how many messages were sent. */
  readonly signal: SharedArrayBuffer;
}

/** A tool, a place or a move that code can call by name; part of the JSON of a scope. */
export interface ScopeNode {
  /** An identifier, or the name of a member. */
  readonly name: string;
  readonly callee: number;
  /** What it looks like when it is printed. */
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

/** What the text of a result is: the value itself, JSON of the value, or JSON of an error as `{ name, message }`. */
export type ResultForm = 'text' | 'json' | 'error';

export type HostMessage =
  | {
      readonly type: 'run';
      /** Number of the block, from 1; stacks name it. */
      readonly block: number;
      readonly code: string;
      /** JSON of the scope; empty when it has not changed. */
      readonly scope: string;
      /** Tools in scope whose names are operators of the language. */
      readonly operators: readonly string[];
    }
  | (CallResult & {
      readonly type: 'result';
      /** The block that made the call. */
      readonly block: number;
      /** JSON of the scope; empty when it has not changed. */
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
      /** True when the code cannot continue without a result. */
      readonly waits: boolean;
      /** Characters of the results that it has received so far. */
      readonly received: number;
    }
  | {
      readonly type: 'end';
      readonly end: BlockEnd;
      readonly output: string;
      readonly cut: boolean;
      readonly notAwaited: NotAwaited;
      /** True when the thread cannot be used again, and its variables are lost. */
      readonly spent: boolean;
    };

export type BlockEnd =
  /** `value`: the last value as text, if there is one; `cut`: true when only the beginning is kept. */
  | { readonly state: 'done'; readonly value: string | undefined; readonly cut: boolean }
  | { readonly state: 'thrown'; readonly error: ThrownError }
  | { readonly state: 'unreadable'; readonly message: string; readonly line: number }
  /** It awaits a promise that nothing can settle. */
  | { readonly state: 'stuck' }
  | { readonly state: 'stopped'; readonly error: ThrownError | undefined };

/** What a block has failed to await. */
export interface NotAwaited {
  /** The first errors that nothing has caught: the number of the call that failed, or the error itself. */
  readonly errors: readonly (number | ThrownError)[];
  readonly count: number;
  /** Numbers of the calls whose result nothing has read. Default: none. */
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

/** Shortens an error; a message that is cut gives its length. */
export function boundError({ name, message, stack }: ThrownError): ThrownError {
  const rest = message.length > 4000 ? `… (${message.length} characters)` : '';
  return { name: cutText(name, 100), message: cutText(message, 4000) + rest, stack: cutText(stack, 100_000) };
}

/** Shortens a text to so many characters, without half a character at the end. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  const code = length > 0 ? text.charCodeAt(length - 1) : 0;
  return text.slice(0, code >= 0xd800 && code < 0xdc00 ? length - 1 : length);
}

/** Message and name of the engine's own error when it is out of memory. */
export const OUT_OF_MEMORY = 'out of memory';
export const ENGINE_ERROR = 'InternalError';

/** The same error, for what the host finds no room for. */
export function createOutOfMemoryError(): Error {
  const error = new RangeError(OUT_OF_MEMORY);
  error.name = ENGINE_ERROR;
  return error;
}

/** True for the engine's own error, false for an error of code with the same message. */
export function isOutOfMemory({ name, message }: Pick<ThrownError, 'name' | 'message'>): boolean {
  return name === ENGINE_ERROR && message === OUT_OF_MEMORY;
}
