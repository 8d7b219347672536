import { $ZodObject } from 'zod/v4/core';
import type { ToolDefinition, ToolEffect } from '../protocol/tool-definition.ts';
import { deriveSpec } from '../tool-spec/derive-spec.ts';
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

const READING = new Set(['read', 'glob', 'grep']);

/**
 * Makes the plain record of a tool.
 *
 * @throws InvalidSpaceError when `body` names a parameter that does not exist
 */
export function toolRecord<P extends ToolParams>(source: ToolSource<P>): NamelessTool {
  const { description, settings, run } = source;
  const params = objectSchema(source.params);
  return {
    named(name) {
      const spec = deriveSpec({ name, description, params, body: settings.body, range: settings.range });
      const effect: ToolEffect = settings.effect ?? (READING.has(name) ? 'read' : 'write');
      const { timeoutMs, target, preview } = settings;
      const invoke = run as ToolDefinition['invoke'];
      const optional = {
        ...(timeoutMs !== undefined && { timeoutMs }),
        ...(target !== undefined && { target }),
        ...(preview !== undefined && { preview }),
      };
      return { name, description, effect, params, spec, ...optional, invoke };
    },
  };
}

function objectSchema(params: ToolParams): $ZodObject {
  if (params instanceof $ZodObject) return params;
  return new $ZodObject({ type: 'object', shape: params });
}
