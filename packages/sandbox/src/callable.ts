import type { RunOptions } from '@bae/core';

/** What is in scope, as the caller says it. */
export type RunScope = ReturnType<NonNullable<RunOptions['scope']>>;

/** A call that code makes, as the caller takes it. */
export type CodeCall = Parameters<RunOptions['dispatch']>[0];

/** The signature of a tool. */
export type ToolSpec = RunScope['tools'][number];

/** What a number that comes from the sandbox stands for. */
export type Callable =
  | {
      readonly kind: 'tool';
      readonly shown: string;
      /** The place that code named with it. */
      readonly space: string | undefined;
      /** The place whose own function it is, when code names none. */
      readonly from: string | undefined;
      readonly spec: ToolSpec;
    }
  | { readonly kind: 'move'; readonly shown: string; readonly target: string };
