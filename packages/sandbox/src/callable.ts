import type { RunOptions } from '@bae/core';

/** What is in scope, as the caller says it. */
export type RunScope = ReturnType<NonNullable<RunOptions['scope']>>;

/** The signature of a tool. */
export type ToolSpec = RunScope['tools'][number];

/** What a number that comes from the sandbox stands for. */
export type Callable =
  | { readonly kind: 'tool'; readonly shown: string; readonly space: string | undefined; readonly spec: ToolSpec }
  | { readonly kind: 'move'; readonly shown: string; readonly target: string };
