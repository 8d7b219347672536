import type { ToolDefinition } from '@bae/core';
import { safeParse, type $ZodType } from 'zod/v4/core';
import type { SampleArguments, SampleCall } from './space-samples.ts';

type Param = ToolDefinition['spec']['params'][number];

const TEXTS = ['conformance', 'text', '1', 'https://example.com', 'me@example.com', '2026-01-31'];
const VALUES: readonly unknown[] = [...TEXTS, 1, 0, 10, true, ['one'], {}];

/**
 * Finds arguments that a tool should accept: its own examples, otherwise values that fit. Includes only required ones.
 */
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

/** Returns true if a schema accepts a value synchronously. */
function isAccepted(schema: $ZodType, value: unknown): boolean {
  try {
    return safeParse(schema, value).success;
  } catch {
    return false;
  }
}

/** Returns the parameter that takes the argument of a tag. */
export function findFirstParam({ spec }: Pick<ToolDefinition, 'spec'>): Param | undefined {
  return spec.params.find(({ body }) => body !== true);
}

/** Creates the call of a tag with an argument; a tool without parameters gets none. */
export function makeTargetCall(tool: ToolDefinition, target: unknown): SampleCall {
  const first = findFirstParam(tool);
  return { tool: tool.name, args: first === undefined ? {} : { [first.name]: target } };
}

/** Returns the parameter that takes the body of a tag. */
export function findBodyParam({ spec }: Pick<ToolDefinition, 'spec'>): Param | undefined {
  return spec.params.find(({ body }) => body === true);
}

/** Call with one fault, and the text that its error must contain. */
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

interface Fault extends Omit<BadCall, 'args'> {
  /** Value of the parameter; undefined if it gets none. */
  readonly value: unknown;
}

/** Creates calls that a tool must refuse: with a misspelt name, a value of a wrong type, or a missing argument. */
export function makeBadCalls(tool: ToolDefinition): readonly BadCall[] {
  const { params, name } = tool.spec;
  const good = findExampleArguments(tool);
  // An edit without a change is a read, and other verbs cannot even be written without their argument.
  const first = VERBS.has(name) ? findFirstParam(tool) : undefined;
  const others = params.filter((param) => param !== first);
  const faults = [
    ...(tool.spec.rest === true ? [] : misspell(params)),
    ...(name === 'edit' ? others : params).flatMap(changeType),
    ...others.flatMap((param) => breakSchema(param, tool.params._zod.def.shape[param.name])),
    ...others.filter((param) => !('default' in param) && param.body !== true).map(leaveOut),
  ];
  return faults.map(({ value, ...fault }) => ({ ...fault, args: { ...good, [fault.param]: value } }));
}

function misspell(params: readonly Param[]): readonly Fault[] {
  const target = params.find(({ name }) => name.length >= 3) ?? params[0];
  const param = target === undefined ? 'anything' : `${target.name}x`;
  if (params.some(({ name }) => name === param)) return [];
  const expects = target === undefined ? /unknown parameter/ : /unknown parameter \(did you mean \w+\?\)/;
  return [{ param, value: '1', because: `it has no parameter ${param}`, expects, sent: param }];
}

function changeType({ name: param, type }: Param): readonly Fault[] {
  if (type === 'json' || /^string\||\|string(\||$)/.test(type)) return [];
  const isText = type === 'string' || type === 'string[]';
  const [value, sent] = isText ? [{ sent: 'no-text' }, 'no-text'] : [NO_WORD, NO_WORD];
  return [{ param, value, because: `its ${param} is of the type ${type}`, expects: /expected /, sent }];
}

/** Creates a value of the right type that the schema refuses: its author may have written the message. */
function breakSchema({ name: param, type }: Param, schema: $ZodType | undefined): readonly Fault[] {
  const values: readonly (string | number)[] = type === 'string' ? [NO_WORD, '!'] : [NO_NUMBER];
  if (schema === undefined || !['string', 'int', 'number'].includes(type)) return [];
  const value = values.find((one) => !isAccepted(schema, one));
  if (value === undefined) return [];
  const because = `its schema refuses ${JSON.stringify(value)}`;
  return [{ param, value, because, expects: EXPECTATION, sent: String(value) }];
}

function leaveOut({ name: param }: Param): Fault {
  return { param, value: undefined, because: `its ${param} is required`, expects: /required/, sent: '' };
}
