import type { $ZodObject, $ZodType, output } from 'zod/v4/core';
import type { ToolContext } from '../protocol/tool-context.ts';
import type { ToolEffect } from '../protocol/tool-definition.ts';
import type { ToolReturn } from '../protocol/tool-output.ts';

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
   * Shows what a call would change, as a unified diff or in words, and changes nothing: for whoever is
   * asked to approve it. In a class, `this` is the instance.
   */
  readonly preview?: (args: ToolArgs<P>, context: ToolContext) => string | Promise<string>;
  /** Longest time one call may take, in milliseconds. */
  readonly timeoutMs?: number;
}

/** The work of a tool: validated arguments in, text (or a richer output) out. */
export type ToolFunction<P extends ToolParams> = (
  args: ToolArgs<P>,
  context: ToolContext,
) => ToolReturn | Promise<ToolReturn>;

/** Options of the `@tool` decorator. */
export interface ToolDecoratorOptions<P extends ToolParams> extends ToolSettings<P> {
  /** The first line says what comes back. */
  readonly description: string;
  readonly params: P;
  /** Default: the method's name. */
  readonly name?: string;
}
