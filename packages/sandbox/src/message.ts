import type { ThrownError } from './worker/thrown-error.ts';

/** What a sandbox's thread is started with. */
export interface ThreadSettings {
  readonly memoryBytes: number;
  /** Most calls of one block, and most characters of the arguments of one call. */
  readonly mostCalls: number;
  readonly mostArguments: number;
  /** Characters that are kept of what is printed, and of the value at the end. */
  readonly outputLimit: number;
  /** Milliseconds to wait for an answer without sleeping. */
  readonly wakefulMs: number;
  /** Two numbers that are seen also while code runs: not 0 once it has to stop, and how many messages were sent. */
  readonly signal: SharedArrayBuffer;
}

/** A call as code made it. */
export interface MadeCall {
  readonly id: number;
  /** Number of what is called. */
  readonly call: number;
  /** JSON object of arguments by position: `{"0":"a.ts"}`. */
  readonly args: string;
}

/** What the text of an answer is: the value itself, JSON of the value, or JSON of what failed as `{ name, message }`. */
export type AnswerForm = 'text' | 'json' | 'error';

/** What the thread is told. */
export type ToThread =
  | {
      readonly type: 'run';
      /** Number of the block, from 1, for stacks. */
      readonly block: number;
      readonly code: string;
      /** JSON of what is in scope; empty when that is as before. */
      readonly scope: string;
      /** Tools in scope that are called like operators of the language. */
      readonly operators: readonly string[];
    }
  | {
      readonly type: 'answer';
      /** The block that made the call, and which of its calls it was. */
      readonly block: number;
      readonly id: number;
      readonly form: AnswerForm;
      readonly text: string;
      /** What is in scope now; empty when that is as before. */
      readonly scope: string;
    }
  /** Wakes a thread that waits for answers. */
  | { readonly type: 'stop' };

/** How a block ended. */
export type BlockEnd =
  /** `cut`: true when only the beginning of the value is shown. */
  | { readonly state: 'done'; readonly shown: string | undefined; readonly cut: boolean }
  | { readonly state: 'thrown'; readonly error: ThrownError }
  | { readonly state: 'unreadable'; readonly message: string; readonly line: number }
  /** It awaits what nothing will ever settle. */
  | { readonly state: 'stuck' }
  | { readonly state: 'stopped'; readonly error: ThrownError | undefined };

/** What was thrown and never caught, and what nobody has waited for. */
export interface LostErrors {
  /** The first: each the number of the call that failed with it, or the error where there is none. */
  readonly first: readonly (number | ThrownError)[];
  readonly count: number;
  /** Numbers of the calls whose answer nobody has asked for. Default: none. */
  readonly unasked?: readonly number[];
  /** Number of the first call that had no answer yet when the last line had run. Default: none. */
  readonly late?: number | undefined;
}

/** What the thread tells. */
export type FromThread =
  | { readonly type: 'ready' }
  | {
      readonly type: 'progress';
      readonly output: string;
      readonly calls: readonly MadeCall[];
      /** True when the code does nothing until it gets an answer. */
      readonly waits: boolean;
      /** Characters of the answers that it has taken until now. */
      readonly taken: number;
    }
  | {
      readonly type: 'end';
      readonly end: BlockEnd;
      readonly output: string;
      /** True when there was more output than is kept. */
      readonly cut: boolean;
      readonly lost: LostErrors;
      /** True when the thread is of no more use, and its variables are lost. */
      readonly spent: boolean;
    };
