import type { $ZodObject } from 'zod/v4/core';
import { InvalidSpaceError } from '../errors/setup-errors.ts';
import type { ParamSpec, ToolSpec } from '../protocol/tool-spec.ts';
import { paramSpec } from './param-spec.ts';

/** What a signature is derived from. */
export interface SpecSource {
  readonly name: string;
  readonly description: string;
  readonly params: $ZodObject;
  readonly body: string | undefined;
  readonly range: boolean | undefined;
}

/**
 * Derives a tool's signature from its zod schema.
 *
 * @throws InvalidSpaceError when `body` names a parameter that does not exist
 */
export function specOfParams({ name, description, params, body, range }: SpecSource): ToolSpec {
  const { shape, catchall } = params._zod.def;
  if (body !== undefined && !(body in shape)) {
    throw new InvalidSpaceError(
      `tool '${name}': body names the parameter '${body}', but its parameters are ${Object.keys(shape).join(', ') || 'none'}.`,
    );
  }
  const list = Object.entries(shape).map(([key, schema]): ParamSpec => {
    const spec = paramSpec(key, schema);
    return key === body ? { ...spec, body: true } : spec;
  });
  const rest = catchall !== undefined && catchall._zod.def.type !== 'never';
  return { name, doc: description, params: list, ...(rest && { rest }), ...(range === true && { range }) };
}
