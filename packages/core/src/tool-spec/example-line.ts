import type { ParamSpec, ToolSpec } from '../protocol/tool-definition.ts';
import { exampleTag } from './example-tag.ts';
import { exampleValue } from './example-value.ts';
import { inToolOrder } from './tool-order.ts';
import type { ToolSpecs } from './tool-table.ts';

/** Which tool shows best how a space is used: looking before changing. */
const TELLING = ['grep', 'read', 'glob', 'write', 'edit'];

/** The line below a tool table, `Example: <Grep:TODO path=src>`; empty for a space without tools. */
export function exampleLine(specs: ToolSpecs): string {
  const names = inToolOrder(Object.keys(specs));
  const name = TELLING.find((verb) => Object.hasOwn(specs, verb)) ?? names[0];
  if (name === undefined) return '';
  const spec: ToolSpec = { name, ...specs[name]! };
  return `Example: ${exampleTag(spec, tellingArguments(spec))}`;
}

/** One keyword more than the call needs, to show how keywords are written; none whose example is the empty text. */
function tellingArguments(spec: ToolSpec): Readonly<Record<string, unknown>> {
  const [, ...others] = spec.params.filter((param) => param.body !== true);
  const shown = others.find(
    (param) => param.example !== '' && (param.example !== undefined || isSearchedPath(spec, param)),
  );
  return shown === undefined ? {} : { [shown.name]: exampleValue(shown, spec.name) };
}

function isSearchedPath({ name }: ToolSpec, param: ParamSpec): boolean {
  return name === 'grep' && param.name === 'path' && param.type === 'string';
}
