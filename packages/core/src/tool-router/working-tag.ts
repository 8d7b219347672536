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
export function workingTag({ definition, known, space }: TagSource): string {
  const tag = exampleTag(definition.spec, { ...unusualValues(definition), ...known });
  return space === undefined ? tag : `<${space}.${tag.slice(1)}`;
}

/** Values for the parameters an example has to have, where the schema would not take the usual one. */
function unusualValues({ spec, params }: TagSource['definition']): Readonly<Record<string, unknown>> {
  const { shape } = params._zod.def;
  const primary = primaryParam(spec);
  const values = spec.params.flatMap((param) => {
    const schema = shape[param.name];
    const isShown = param === primary || !('default' in param);
    if (schema === undefined || !isShown || accepts(schema, exampleValue(param, spec.name))) return [];
    return [[param.name, schemaExample(schema)] as const];
  });
  return Object.fromEntries(values);
}
