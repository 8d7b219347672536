import type { ToolDefinition } from '@bae/core';
import { accepts, exampleArguments, firstParam } from './example-arguments.ts';
import type { SampleArguments } from './space-samples.ts';

/** A call with one thing wrong, and what the error has to say of it. */
export interface BadCall {
  readonly args: SampleArguments;
  /** Name at fault. */
  readonly param: string;
  /** Why it is wrong. */
  readonly because: string;
  readonly expects: RegExp;
  /** Part of what was sent. */
  readonly sent: string;
}

type Param = ToolDefinition['spec']['params'][number];

const VERBS = new Set(['write', 'edit', 'glob', 'grep']);
const NO_WORD = 'x-no-such-value-x';
const NO_NUMBER = -987_654_321;
const EXPECTATION = /expected|must|should|only|has to|one of|at least|at most|such as/i;
const NOT_A_TEXT = { sent: 'no-text' };

/** Calls that a tool has to refuse: a misspelt name, a value of a wrong type, an argument left out. */
export function badCalls(tool: ToolDefinition): readonly BadCall[] {
  const { params, name } = tool.spec;
  const good = exampleArguments(tool);
  // An edit that says nothing to change is a read, and other verbs cannot even be written without their argument.
  const first = VERBS.has(name) ? firstParam(tool) : undefined;
  const tried = params.filter((param) => param !== first);
  return [
    ...(tool.spec.rest === true ? [] : misspelt(params, good)),
    ...params.filter((param) => name !== 'edit' || param !== first).flatMap((param) => ofWrongType(param, good)),
    ...tried.flatMap((param) => refused(param, tool, good)),
    ...tried.filter((param) => !('default' in param) && param.body !== true).map((param) => leftOut(param, good)),
  ];
}

function misspelt(params: readonly Param[], good: SampleArguments): readonly BadCall[] {
  const target = params.find(({ name }) => name.length >= 3) ?? params[0];
  const key = target === undefined ? 'anything' : `${target.name}x`;
  if (params.some(({ name }) => name === key)) return [];
  const suggestion =
    target === undefined ? /unknown parameter/ : new RegExp(`unknown parameter \\(did you mean \\w+\\?\\)`);
  return [
    {
      args: { ...good, [key]: '1' },
      param: key,
      because: `it has no parameter ${key}`,
      expects: suggestion,
      sent: key,
    },
  ];
}

function ofWrongType(param: Param, good: SampleArguments): readonly BadCall[] {
  const { name, type } = param;
  if (type === 'json' || /^string\||\|string(\||$)/.test(type)) return [];
  const isText = type === 'string' || type === 'string[]';
  const value = isText ? NOT_A_TEXT : NO_WORD;
  const bad = {
    args: { ...good, [name]: value },
    param: name,
    expects: /expected /,
    sent: isText ? 'no-text' : NO_WORD,
  };
  return [{ ...bad, because: `its ${name} is of the type ${type}` }];
}

/** A value of the right type that the schema does not take: its author may have worded why. */
function refused(param: Param, { params }: ToolDefinition, good: SampleArguments): readonly BadCall[] {
  const { name, type } = param;
  const schema = params._zod.def.shape[name];
  const values: readonly (string | number)[] = type === 'string' ? [NO_WORD, '!'] : [NO_NUMBER];
  if (schema === undefined || !['string', 'int', 'number'].includes(type)) return [];
  const value = values.find((one) => !accepts(schema, one));
  if (value === undefined) return [];
  const because = `its schema refuses ${JSON.stringify(value)}`;
  return [{ args: { ...good, [name]: value }, param: name, because, expects: EXPECTATION, sent: String(value) }];
}

function leftOut({ name }: Param, good: SampleArguments): BadCall {
  const args = Object.fromEntries(Object.entries(good).filter(([key]) => key !== name));
  return { args, param: name, because: `its ${name} is required`, expects: /required/, sent: '' };
}
