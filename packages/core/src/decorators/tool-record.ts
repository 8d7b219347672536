import { $ZodObject } from 'zod/v4/core';
import { isChange, type ToolDefinition, type ToolEffect } from '../protocol/tool-definition.ts';
import { specOfParams } from '../tool-spec/spec-of-params.ts';
import type { ToolFunction, ToolParams, ToolSettings } from './tool-options.ts';

/** A tool whose name is still to come: from the key it is listed under, or the method it decorates. */
export interface NamelessTool {
  named(name: string): ToolDefinition;
}

/** What both ways of writing a tool boil down to. */
export interface ToolSource<P extends ToolParams> {
  readonly description: string;
  readonly params: P;
  readonly run: ToolFunction<P>;
  readonly settings: ToolSettings<P>;
}

const CONFIRMING = new Set(['write', 'edit']);
const READING = new Set(['read', 'glob', 'grep']);

/**
 * Makes the plain record of a tool.
 *
 * @throws InvalidSpaceError when `body` names a parameter that does not exist
 */
export function toolRecord<P extends ToolParams>(source: ToolSource<P>): NamelessTool {
  const { description, settings } = source;
  const params = objectSchema(source.params);
  return {
    named(name) {
      const spec = specOfParams({ name, description, params, body: settings.body, range: settings.range });
      const effect: ToolEffect = settings.effect ?? (READING.has(name) ? 'read' : 'write');
      const { timeoutMs, target, preview, confirms = CONFIRMING.has(name) } = settings;
      const optional = {
        ...(timeoutMs !== undefined && { timeoutMs }),
        ...(confirms && { confirms }),
        ...(target !== undefined && { target }),
        ...(preview !== undefined && { preview }),
      };
      return { name, description, effect, params, spec, ...optional, ...workOf(source) };
    },
  };
}

function objectSchema(params: ToolParams): $ZodObject {
  if (params instanceof $ZodObject) return params;
  return new $ZodObject({ type: 'object', shape: params });
}

/** The function as the router calls it: it makes the change itself, or plans it. */
function workOf<P extends ToolParams>({ run, settings }: ToolSource<P>): Pick<ToolDefinition, 'invoke' | 'plan'> {
  // Both are validated by the schema before they are called, so the argument type of P holds.
  if (settings.plan !== true) return { invoke: run };
  const plan = run as NonNullable<ToolDefinition['plan']>;
  return {
    plan,
    invoke: async (args, context) => {
      const planned = await plan(args, context);
      return isChange(planned) ? planned.apply(context) : planned;
    },
  };
}
