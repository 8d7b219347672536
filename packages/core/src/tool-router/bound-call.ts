import type { ToolArguments, ToolDefinition } from '../protocol/tool-definition.ts';
import { getPrimaryParam } from './split-argument.ts';

/** A call whose arguments have been assigned to the parameters of its tool. */
export interface BoundCall {
  readonly tool: string;
  /** Value of the first parameter, as text. */
  readonly target: string;
  /** Values of the other parameters that are texts or numbers, without the body and the defaults. */
  readonly options: readonly string[];
  /** True if the target only selects one of the tool's own items: code names such items, too. */
  readonly selects: boolean;
}

/** @param target value of the first parameter, as text */
export function toBoundCall(
  { name, spec, selects = [] }: ToolDefinition,
  params: ToolArguments,
  target: string,
): BoundCall {
  const primary = getPrimaryParam(spec)?.name ?? '';
  const options = spec.params
    .filter((param) => param.name !== primary && param.body !== true && params[param.name] !== param.default)
    .map((param) => params[param.name])
    .filter((value) => typeof value === 'string' || typeof value === 'number');
  return { tool: name, target, options: options.map(String), selects: selects.includes(primary) };
}
