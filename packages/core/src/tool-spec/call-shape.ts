import type { ParamSpec } from '../protocol/tool-definition.ts';
import { codeName } from './code-name.ts';
import { memberName } from './member-name.ts';

/** How code passes the parameters of a tool. */
export interface CallShape {
  /** The first one, and all others that have to be given unless the first can be left out. */
  readonly byPosition: readonly ParamSpec[];
  /** All others, as fields of one object at the end. */
  readonly byName: readonly ParamSpec[];
}

/** Tells the parameters that stand by position from those that are given by name. */
export function callShape(params: readonly ParamSpec[]): CallShape {
  const [first, ...others] = params;
  if (first === undefined) return { byPosition: [], byName: [] };
  if (isOptional(first)) return { byPosition: [first], byName: others };
  return { byPosition: params.filter((param) => !isOptional(param)), byName: others.filter(isOptional) };
}

/** A parameter by position, with a question mark when it may be left out. */
export function positionName(param: ParamSpec): string {
  return codeName(param.name) + mark(param);
}

/** The same for one that is given by name. */
export function fieldName(param: ParamSpec): string {
  return memberName(param.name) + mark(param);
}

function mark(param: ParamSpec): string {
  return isOptional(param) ? '?' : '';
}

function isOptional(param: ParamSpec): boolean {
  return 'default' in param;
}
