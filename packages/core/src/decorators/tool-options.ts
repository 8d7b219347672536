import type { $ZodObject, $ZodType, output } from 'zod/v4/core';
import type { Change, ToolContext, ToolEffect, ToolReturn } from '../protocol/tool-definition.ts';

/** Parameters of a tool: an object schema, or just its fields in order. */
export type ToolParams = $ZodObject | Readonly<Record<string, $ZodType>>;

/** The arguments that a tool with these parameters is called with. */
export type ToolArgs<P extends ToolParams> = P extends $ZodObject
  ? output<P>
  : { readonly [K in keyof P]: P[K] extends $ZodType ? output<P[K]> : never };

type ParamName<P extends ToolParams> = keyof ToolArgs<P> & string;

/** What a tool may say about itself besides its description and parameters. */
export interface ToolSettings<P extends ToolParams> {
  /** Default: `read` for read, glob and grep; `write` for every other tool. */
  readonly effect?: ToolEffect;
  /** The parameter that takes the text between the open and the close tag. */
  readonly body?: ParamName<P>;
  /** True to be handed a line range at the end of the argument apart from it, as `context.range`. */
  readonly range?: boolean;
  /**
   * What a call is about, in the one spelling that rules over consent are compared with: for a file its path
   * without links. In a class, `this` is the instance. Default: the argument as it was sent.
   */
  readonly target?: (args: ToolArgs<P>, context: ToolContext) => string | Promise<string>;
  /**
   * True when the function plans: it changes nothing and returns a `Change`, which is applied after consent, or a
   * result when there is nothing to change. Default: the function itself makes the change.
   */
  readonly plan?: boolean;
  /** True when the answer confirms a change and is shown whole. Default: for write and edit. */
  readonly confirms?: boolean;
  /**
   * Shows what a call would change, as a unified diff or in words, and changes nothing: what the person who is
   * asked for consent reads. In a class, `this` is the instance. Not for a function that plans.
   */
  readonly preview?: (args: ToolArgs<P>, context: ToolContext) => string | Promise<string>;
  /** Longest time one call may take, in milliseconds. */
  readonly timeoutMs?: number;
}

/** The work of a tool: validated arguments in, text, a richer output or (with `plan`) a `Change` out. */
export type ToolFunction<P extends ToolParams> = (
  args: ToolArgs<P>,
  context: ToolContext,
) => Change | ToolReturn | Promise<Change | ToolReturn>;

/** Options of the `@tool` decorator. */
export interface ToolDecoratorOptions<P extends ToolParams> extends ToolSettings<P> {
  /** The first line says what comes back. */
  readonly description: string;
  readonly params: P;
  /** Default: the method's name. */
  readonly name?: string;
}
