import type { ParamSpec, ToolSpec } from '../protocol/tool-spec.ts';
import { callShape, fieldName, positionName } from './call-shape.ts';
import { codeName } from './code-name.ts';
import { docLine } from './doc-line.ts';
import { plainLine } from './plain-line.ts';

const TYPES: Readonly<Record<string, string>> = {
  string: 'string',
  int: 'number',
  number: 'number',
  boolean: 'boolean',
  'string[]': 'string[]',
  json: 'unknown',
};

/**
 * A tool as TypeScript declares it for code: `read(target?: string): Promise<string>`.
 *
 * What has to be given stands by position, from the first parameter on; everything else is a field of one
 * object at the end.
 *
 * @param called what code calls it; default: its name
 */
export function declaration(spec: ToolSpec, called = codeName(spec.name)): string {
  const { byPosition, byName } = callShape(spec.params);
  const fields = [...byName.map(field), ...(spec.rest === true ? ['[field: string]: unknown'] : [])];
  const isNeeded = byName.some((param) => !('default' in param));
  const options = fields.length === 0 ? [] : [`options${isNeeded ? '' : '?'}: { ${fields.join('; ')} }`];
  return `${called}(${[...byPosition.map(parameter), ...options].join(', ')}): Promise<string>`;
}

/** The same with what it is for as a comment. */
export function documentedDeclaration(spec: ToolSpec, called?: string): string {
  const doc = docLine(spec.doc);
  return `${declaration(spec, called)};${doc === '' ? '' : ` // ${doc}`}`;
}

function parameter(param: ParamSpec): string {
  return `${positionName(param)}: ${typeOf(param.type)}`;
}

function field(param: ParamSpec): string {
  return `${fieldName(param)}: ${typeOf(param.type)}`;
}

function typeOf(type: string): string {
  const known = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
  if (known !== undefined) return known;
  const alternatives = type.split('|').map((one) => (Object.hasOwn(TYPES, one) ? TYPES[one] : JSON.stringify(one)));
  return plainLine(alternatives.join(' | '));
}
