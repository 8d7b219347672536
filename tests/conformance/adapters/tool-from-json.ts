import { tool, type ToolDefinition } from '@bae/core';
import type { ToolSpec } from '@bae/core/pipeline';
import { z } from 'zod';

/** Makes the tool that an example describes; its zod schemas are what a plugin author would have written. */
export function toolFromJson(json: Omit<ToolSpec, 'name'>, name: string): ToolDefinition {
  const shape = Object.fromEntries(json.params.map((param) => [param.name, schemaOf(param)]));
  const params = json.rest === true ? z.looseObject(shape) : z.object(shape);
  const body = json.params.find((param) => param.body === true)?.name;
  const settings = { ...(body !== undefined && { body }), ...(json.range === true && { range: true }) };
  return tool(json.doc ?? '', params, () => '', settings).named(name);
}

function schemaOf(param: ToolSpec['params'][number]): z.ZodType {
  const schema = typeOf(param.type);
  return 'default' in param ? schema.default(param.default as never) : schema;
}

function typeOf(type: string): z.ZodType {
  switch (type) {
    case 'string':
      return z.string();
    case 'int':
      return z.int();
    case 'number':
      return z.number();
    case 'boolean':
      return z.boolean();
    case 'string[]':
      return z.array(z.string());
    default:
      return z.enum(type.split('|') as [string, ...string[]]);
  }
}
