import type { ToolDefinition } from '@bae/core';
import { safeParse, type $ZodType } from 'zod/v4/core';
import type { SampleArguments } from './space-samples.ts';

type Param = ToolDefinition['spec']['params'][number];

const TEXTS = ['conformance', 'text', '1', 'https://example.com', 'me@example.com', '2026-01-31'];
const VALUES: readonly unknown[] = [...TEXTS, 1, 0, 10, true, ['one'], {}];

/** Finds arguments that a tool should accept: its own examples, else values that fit. Only those that are required. */
export function findExampleArguments({ spec, params }: Pick<ToolDefinition, 'spec' | 'params'>): SampleArguments {
  const required = spec.params.filter((param) => !('default' in param));
  return Object.fromEntries(
    required.map((param) => [param.name, chooseExample(param, params._zod.def.shape[param.name])]),
  );
}

function chooseExample({ example, type }: Param, schema: $ZodType | undefined): unknown {
  if (example !== undefined) return example;
  const choices = type.includes('|') ? type.split('|') : [];
  return [...choices, ...VALUES].find((value) => schema !== undefined && isAccepted(schema, value));
}

/** True when a schema accepts a value synchronously. */
function isAccepted(schema: $ZodType, value: unknown): boolean {
  try {
    return safeParse(schema, value).success;
  } catch {
    return false;
  }
}

/** The parameter that takes the argument of a tag. */
export function findFirstParam({ spec }: Pick<ToolDefinition, 'spec'>): Param | undefined {
  return spec.params.find(({ body }) => body !== true);
}

/** The parameter that takes the body of a tag. */
export function findBodyParam({ spec }: Pick<ToolDefinition, 'spec'>): Param | undefined {
  return spec.params.find(({ body }) => body === true);
}

/** A call with one thing wrong, and what its error must contain. */
export interface BadCall {
  readonly args: SampleArguments;
  readonly param: string;
  readonly because: string;
  readonly expects: RegExp;
  readonly sent: string;
}

const VERBS = new Set(['write', 'edit', 'glob', 'grep']);
const NO_WORD = 'x-no-such-value-x';
const NO_NUMBER = -987_654_321;
const EXPECTATION = /expected|must|should|only|has to|one of|at least|at most|such as/i;
const NOT_A_TEXT = { sent: 'no-text' };

/** Makes calls that a tool must refuse: a misspelt name, a value of a wrong type, a missing argument. */
export function makeBadCalls(tool: ToolDefinition): readonly BadCall[] {
  const { params, name } = tool.spec;
  const good = findExampleArguments(tool);
  // An edit without a change is a read, and other verbs cannot even be written without their argument.
  const first = VERBS.has(name) ? findFirstParam(tool) : undefined;
  const others = params.filter((param) => param !== first);
  return [
    ...(tool.spec.rest === true ? [] : misspell(params, good)),
    ...(name === 'edit' ? others : params).flatMap((param) => changeType(param, good)),
    ...others.flatMap((param) => breakSchema(param, tool, good)),
    ...others.filter((param) => !('default' in param) && param.body !== true).map((param) => leaveOut(param, good)),
  ];
}

function misspell(params: readonly Param[], good: SampleArguments): readonly BadCall[] {
  const target = params.find(({ name }) => name.length >= 3) ?? params[0];
  const key = target === undefined ? 'anything' : `${target.name}x`;
  if (params.some(({ name }) => name === key)) return [];
  const expects = target === undefined ? /unknown parameter/ : /unknown parameter \(did you mean \w+\?\)/;
  return [{ args: { ...good, [key]: '1' }, param: key, because: `it has no parameter ${key}`, expects, sent: key }];
}

function changeType({ name, type }: Param, good: SampleArguments): readonly BadCall[] {
  if (type === 'json' || /^string\||\|string(\||$)/.test(type)) return [];
  const isText = type === 'string' || type === 'string[]';
  return [
    {
      args: { ...good, [name]: isText ? NOT_A_TEXT : NO_WORD },
      param: name,
      because: `its ${name} is of the type ${type}`,
      expects: /expected /,
      sent: isText ? 'no-text' : NO_WORD,
    },
  ];
}

/** A value of the right type that the schema refuses: its author may have written the message. */
function breakSchema({ name, type }: Param, { params }: ToolDefinition, good: SampleArguments): readonly BadCall[] {
  const schema = params._zod.def.shape[name];
  const values: readonly (string | number)[] = type === 'string' ? [NO_WORD, '!'] : [NO_NUMBER];
  if (schema === undefined || !['string', 'int', 'number'].includes(type)) return [];
  const value = values.find((one) => !isAccepted(schema, one));
  if (value === undefined) return [];
  const because = `its schema refuses ${JSON.stringify(value)}`;
  return [{ args: { ...good, [name]: value }, param: name, because, expects: EXPECTATION, sent: String(value) }];
}

function leaveOut({ name }: Param, good: SampleArguments): BadCall {
  const args = Object.fromEntries(Object.entries(good).filter(([key]) => key !== name));
  return { args, param: name, because: `its ${name} is required`, expects: /required/, sent: '' };
}
