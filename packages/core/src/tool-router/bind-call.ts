import { BaeError } from '../errors/bae-error.ts';
import { ParameterError } from '../errors/call-errors.ts';
import type { ToolCall } from '../protocol/tool-call.ts';
import type { ToolDefinition } from '../protocol/tool-definition.ts';
import { findExample, makeExampleCall } from '../tool-spec/example-call.ts';
import { renderSignature } from '../tool-spec/signature.ts';
import { bindArguments, PLACEHOLDER } from './bind-arguments.ts';
import { splitLineRange, type SplitTarget } from './split-argument.ts';
import { suggestCall } from './suggest-call.ts';

/** The arguments of a call. @throws ParameterError with the call that was probably meant */
export async function bindCall(definition: ToolDefinition, call: ToolCall, fromCode: boolean): Promise<SplitTarget> {
  const bound = await bindArguments(definition, call);
  if (bound.ok) return splitLineRange({ definition, known: bound.params });
  const { spec } = definition;
  const { error, known, unfilled, summary } = bound;
  const shapes = new Map(unfilled.map((name) => [name, findShape(definition, name)]));
  const suggestions = [suggestCall({ spec, call, known, unfilled, fromCode, shapes })];
  const isText = spec.name === 'grep' && !fromCode && call.form === undefined && !call.arg.includes('"');
  if (isText && summary === undefined && call.arg !== '') suggestions.push(`<Grep:"${call.arg}">`);
  throw new ParameterError(summary ?? error.message, suggestions);
}

/** Adds the usage and a working call to an error about arguments that a tool threw without them. */
export function explainParameters(error: unknown, definition: ToolDefinition | undefined): unknown {
  if (definition === undefined || !BaeError.is(error) || error.name !== 'ParameterError') return error;
  if (error.hints.length > 0 || error.message.includes('\nUsage: ')) return error;
  const usage = `Usage: ${renderSignature(definition.spec, { style: 'call' })}`;
  const tag = makeExampleCall({ definition, known: {} });
  return new ParameterError(`${error.message}\n${usage}`, [tag], error.cause);
}

/** A value of the shape that a JSON parameter has, with `…` for its texts; undefined for other parameters. */
function findShape({ spec, params, isLazy }: ToolDefinition, name: string): unknown {
  const schema = params._zod.def.shape[name];
  const isJson = spec.params.some((param) => param.name === name && param.type === 'json');
  if (!isJson || schema === undefined || isLazy === true) return undefined;
  const blank = (value: unknown): unknown => {
    if (typeof value === 'string') return PLACEHOLDER;
    if (Array.isArray(value)) return value.map(blank);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, blank(inner)]));
  };
  const shape = blank(findExample(schema));
  return typeof shape === 'string' ? undefined : shape;
}
