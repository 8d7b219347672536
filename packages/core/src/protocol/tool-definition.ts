import type { $ZodObject } from 'zod/v4/core';
import type { ToolContext } from './tool-context.ts';
import type { ToolReturn } from './tool-output.ts';
import type { ToolSpec } from './tool-spec.ts';

/**
 * What a call does to the world: `read` changes nothing, `write` changes something here,
 * `external` leaves the machine or costs money.
 */
export type ToolEffect = 'read' | 'write' | 'external';

/**
 * One tool of a space, as plain data: everything that routing, validation, tables and documentation
 * need, and the function to call.
 *
 * Decorators, `tool()` and mounted servers all end in this record; nothing downstream knows which.
 */
export interface ToolDefinition {
  readonly name: string;
  /** The first line says what comes back. */
  readonly description: string;
  readonly effect: ToolEffect;
  /** Validates the named arguments; made of any zod schemas. */
  readonly params: $ZodObject;
  /** The same parameters as data, derived from `params`: for signatures, tables and binding. */
  readonly spec: ToolSpec;
  /** Longest time one call may take, in milliseconds. Default: 10 s for grep, 60 s for others. */
  readonly timeoutMs?: number;
  /**
   * What a call is about, in the one spelling that rules over consent are compared with: for a file its path
   * without links. Changes nothing. Default: the primary argument as it was sent.
   */
  target?(args: Readonly<Record<string, unknown>>, context: ToolContext): string | Promise<string>;
  /**
   * Shows what a call would change, as a unified diff or in words, and changes nothing. For whoever is
   * asked to approve it.
   */
  preview?(args: Readonly<Record<string, unknown>>, context: ToolContext): string | Promise<string>;
  /**
   * Runs the call. Contract: throws a `BaeError` for what the caller can mend; obeys
   * `context.signal`.
   *
   * @param args validated arguments by parameter name
   */
  invoke(args: Readonly<Record<string, unknown>>, context: ToolContext): ToolReturn | Promise<ToolReturn>;
}
