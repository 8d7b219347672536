import type { ToolDefinition } from '../protocol/tool-definition.ts';
import { exampleTag, exampleValue } from '../tool-spec/example-tag.ts';
import { accepts } from './accepts.ts';
import { schemaExample } from './schema-example.ts';
import { primaryParam } from './split-argument.ts';

/** What a literal example is made from. */
export interface TagSource {
  readonly definition: Pick<ToolDefinition, 'spec' | 'params'>;
  /** Values that are good already, by parameter. */
  readonly known: Readonly<Record<string, unknown>>;
}

/** A literal call that works in the place of the call it replaces. */
export async function workingTag({ definition, known }: TagSource): Promise<string> {
  return exampleTag(definition.spec, { ...(await unusualValues(definition)), ...known });
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
