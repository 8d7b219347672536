import type { ToolDefinition } from '@bae/core';
import { safeParse, type $ZodType } from 'zod/v4/core';

/** Arguments of a call by parameter name. */
export type SampleArguments = Readonly<Record<string, unknown>>;

/** Call that works. */
export interface SampleCall {
  readonly tool: string;
  readonly args: SampleArguments;
}

/** Call that changes something, and how the change can be seen. */
export interface SampleChange {
  readonly args: SampleArguments;
  /** Argument with which `read` is then called. Default: the first argument. */
  readonly readAs?: string | number;
  /** Text that `read` then shows in addition to its earlier text. */
  readonly shows: string;
}

/** Patterns to search for. */
export interface SamplePatterns {
  readonly matches?: string;
  readonly misses?: string;
}

/**
 * Samples to try a space with. All are optional: without one, the kit finds something by itself, or says which sample
 * it needs.
 */
export interface SpaceSamples {
  readonly existing?: string | number;
  /** Target that `read` does not find; `null` if it finds everything. */
  readonly missing?: string | number | null;
  readonly glob?: SamplePatterns;
  readonly grep?: SamplePatterns;
  readonly write?: SampleChange;
  readonly edit?: SampleChange;
  /** Calls of the other tools, by name: `{ close: { id: 7 } }`. */
  readonly calls?: Readonly<Record<string, SampleArguments>>;
  /** Call that takes a long time, to be cancelled. */
  readonly slow?: SampleCall;
  /** Answers of the user to a tool's question, by field. Default: any answers that the question allows. */
  readonly answers?: Readonly<Record<string, string | number | boolean>>;
  /** Answer of the model to a tool's question. Default: a sentence. */
  readonly response?: string;
}

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
