import type { ToolDefinition } from '@bae/core';

type Param = ToolDefinition['spec']['params'][number];
type Values = ReadonlyMap<string, unknown>;

/** One call of a tool by its place, with one thing wrong in it. */
export interface SpoiltCall {
  readonly what: string;
  readonly place: string;
  readonly definition: ToolDefinition;
  readonly values: Values;
}

/** Words that are no parameter of any tool, or one of some others. */
const UNKNOWN = { qqzz: 'x', force: true, recursive: 'true', dest: 'b.md' } as const;

/** Lists the calls of a tool in which something is missing, misspelt, of another type or unknown. */
export function listSpoiltCalls(place: string, definition: ToolDefinition): readonly SpoiltCall[] {
  const { params } = definition.spec;
  const required = params.filter((param, index) => index === 0 || !('default' in param));
  const base = new Map(required.map((param) => [param.name, makeValue(param)]));
  const call = (what: string, values: Iterable<readonly [string, unknown]>): SpoiltCall => ({
    what,
    place,
    definition,
    values: new Map(values),
  });
  const others = (name: string) => [...base].filter(([key]) => key !== name);
  return [
    call('nothing given', []),
    ...required.map(({ name }) => call(`${name} missing`, others(name))),
    ...params.map((param) =>
      call(`${param.name} misspelt`, [...others(param.name), [misspell(param.name), makeValue(param)]]),
    ),
    ...params.flatMap((param) =>
      listWrongValues(param).map((value) =>
        call(`${param.name} of another type`, [...others(param.name), [param.name, value]]),
      ),
    ),
    ...Object.entries(UNKNOWN)
      .filter(([name]) => !params.some((param) => param.name === name))
      .map(([name, value]) => call(`${name} unknown`, [...base, [name, value]])),
  ];
}

function makeValue({ name, type, example, default: usual }: Param): unknown {
  if (example !== undefined && example !== '') return example;
  if (usual !== undefined && usual !== '' && usual !== null) return usual;
  if (type === 'int' || type === 'number') return 1;
  if (type === 'boolean') return true;
  if (type === 'string[]') return ['one'];
  if (type === 'json') return {};
  if (type !== 'string') return type.split('|')[0];
  return name.endsWith('id') ? '1' : /path|target|file|folder/.test(name) ? 'a.md' : 'main';
}

/** Swaps two letters, or doubles the only one. */
function misspell(name: string): string {
  return name.length < 3 ? `${name}${name.at(-1)!}` : `${name.slice(0, -2)}${name.at(-1)!}${name.at(-2)!}`;
}

function listWrongValues({ type }: Param): readonly unknown[] {
  if (type === 'int' || type === 'number') return ['many'];
  if (type === 'boolean') return ['perhaps'];
  if (type === 'string') return [{ a: 1 }];
  if (type === 'string[]') return [5];
  return type === 'json' ? ['none'] : ['zzzz', `${type.split('|')[0]!}x`];
}

/** The ways in which a call is written. */
export const WRITERS: Readonly<Record<string, (call: SpoiltCall) => string>> = {
  tag: (call) => writeTag(call, `${call.place}.${call.definition.name}`),
  'tag with every name': (call) => writeTag(call, `${call.place}.${call.definition.name}`, true),
  JSON: ({ place, definition, values }) =>
    `<tool_call>${JSON.stringify({ name: `${place}.${definition.name}`, arguments: Object.fromEntries(values) })}</tool_call>`,
  code: ({ place, definition, values }) =>
    `<run>\nawait ${place}.${definition.name}(${JSON.stringify(Object.fromEntries(values))});\n</run>`,
  'code by position': ({ place, definition, values }) => {
    const args = definition.spec.params.flatMap(({ name }) => (values.has(name) ? [values.get(name)] : []));
    return `<run>\nawait ${place}.${definition.name}(${args.map((one) => JSON.stringify(one)).join(', ')});\n</run>`;
  },
};

function writeTag({ definition: { spec }, values }: SpoiltCall, name: string, withNames = false): string {
  const body = spec.params.find((param) => param.body === true);
  const first = withNames ? undefined : spec.params.find((param) => param !== body);
  const words = [...values]
    .filter(([key]) => key !== body?.name && key !== first?.name)
    .map(([key, value]) => `${key}=${typeof value === 'string' ? JSON.stringify(value) : format(value)}`);
  const arg = [first && values.has(first.name) ? format(values.get(first.name)) : '', ...words].join(' ').trim();
  const text = body && values.get(body.name);
  return text === undefined ? `<${name}:${arg}>` : `<${name}:${arg}>\n${format(text)}\n</${name}>`;
}

function format(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
