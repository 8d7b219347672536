import type { ToolDefinition } from '../protocol/tool-definition.ts';
import { exampleTag } from '../tool-spec/example-tag.ts';
import { exampleValue } from '../tool-spec/example-value.ts';
import { accepts } from './accepts.ts';
import { schemaExample } from './schema-example.ts';
import { primaryParam } from './split-argument.ts';

/** What a literal example is made from. */
export interface TagSource {
  readonly definition: Pick<ToolDefinition, 'spec' | 'params'>;
  /** Values that are good already, by parameter. */
  readonly known: Readonly<Record<string, unknown>>;
  /** The space a qualified call named: the example names it too. */
  readonly space?: string | undefined;
}

/** A literal call that works where the call it replaces was made. */
export async function workingTag({ definition, known, space }: TagSource): Promise<string> {
  const tag = exampleTag(definition.spec, { ...(await unusualValues(definition)), ...known });
  return space === undefined ? tag : `<${space}.${tag.slice(1)}`;
}

/** Values for the parameters an example has to have, where the schema would not take the usual one. */
async function unusualValues({ spec, params }: TagSource['definition']): Promise<Readonly<Record<string, unknown>>> {
  const primary = primaryParam(spec);
  const shown = spec.params.filter((param) => param === primary || !('default' in param));
  const values = new Map<string, unknown>();
  for (const param of shown) {
    const schema = params._zod.def.shape[param.name];
    if (schema === undefined || (await accepts(schema, exampleValue(param, spec.name)))) continue;
    values.set(param.name, await schemaExample(schema));
  }
  return Object.fromEntries(values);
}
