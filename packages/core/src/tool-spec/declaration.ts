import type { ParamSpec, ToolSpec } from '../protocol/tool-spec.ts';
import { codeName } from './code-name.ts';
import { docLine } from './doc-line.ts';
import { plainLine } from './plain-line.ts';

const PLAIN = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;
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
  const [positional, named] = arranged(spec.params);
  const fields = [...named.map(field), ...(spec.rest === true ? ['[field: string]: unknown'] : [])];
  const isNeeded = named.some((param) => !('default' in param));
  const options = fields.length === 0 ? [] : [`options${isNeeded ? '' : '?'}: { ${fields.join('; ')} }`];
  return `${called}(${[...positional.map(parameter), ...options].join(', ')}): Promise<string>`;
}

/** The same with what it is for as a comment. */
export function documentedDeclaration(spec: ToolSpec, called?: string): string {
  const doc = docLine(spec.doc);
  return `${declaration(spec, called)};${doc === '' ? '' : ` // ${doc}`}`;
}

/** The parameters by position, and those by name. */
function arranged(params: readonly ParamSpec[]): readonly [readonly ParamSpec[], readonly ParamSpec[]] {
  const firstOptional = params.findIndex((param) => 'default' in param);
  const count = firstOptional < 0 ? params.length : Math.max(firstOptional, 1);
  return [params.slice(0, count), params.slice(count)];
}

function parameter(param: ParamSpec): string {
  return `${codeName(param.name)}${optional(param)}: ${typeOf(param.type)}`;
}

function field(param: ParamSpec): string {
  return `${memberName(param.name)}${optional(param)}: ${typeOf(param.type)}`;
}

/** A name as it stands in a type, after a dot or in brackets: any will do. */
export function memberName(name: string): string {
  return PLAIN.test(name) ? name : JSON.stringify(name);
}

function optional(param: ParamSpec): string {
  return 'default' in param ? '?' : '';
}

function typeOf(type: string): string {
  const known = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
  if (known !== undefined) return known;
  const alternatives = type.split('|').map((one) => (Object.hasOwn(TYPES, one) ? TYPES[one] : JSON.stringify(one)));
  return plainLine(alternatives.join(' | '));
}
