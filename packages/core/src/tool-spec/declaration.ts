import type { ParamSpec, ToolSpec } from '../protocol/tool-definition.ts';
import { callShape, fieldName, positionName } from './call-shape.ts';
import { codeName } from './code-name.ts';
import { docLine } from './doc-line.ts';
import { plainLine } from './plain-line.ts';

const TYPES: Readonly<Record<string, string>> = {
  string: 'string',
  int: 'int',
  number: 'number',
  boolean: 'boolean',
  'string[]': 'string[]',
  json: 'unknown',
};

/**
 * A tool as TypeScript declares it for code: `read(target?: string): Answer`.
 *
 * What has to be given stands by position, from the first parameter on; everything else is a field of one
 * object at the end.
 *
 * @param called what code calls it; default: its name
 */
export function declaration(spec: ToolSpec, called = codeName(spec.name)): string {
  return `${called}(${parameters(spec)}): Answer`;
}

/** The same as short as TypeScript has it: `read: (target?: string) => Answer`, where `Answer` is declared before. */
export function shortDeclaration(spec: ToolSpec): string {
  return `${codeName(spec.name)}: (${parameters(spec)}) => Answer`;
}

/** The same with what it is for as a comment. */
export function documentedDeclaration(spec: ToolSpec, called?: string): string {
  const doc = docLine(spec.doc);
  return `${declaration(spec, called)};${doc === '' ? '' : ` // ${doc}`}`;
}

function parameters({ params, rest = false }: ToolSpec): string {
  const { byPosition, byName } = callShape(params);
  const fields = [...byName.map(field), ...(rest ? ['[field: string]: unknown'] : [])];
  const isNeeded = byName.some((param) => !('default' in param));
  const last = fields.length === 0 ? [] : [`o${isNeeded ? '' : '?'}: {${fields.join('; ')}}`];
  // TypeScript has nothing that must be given behind what may be left out.
  const written = isNeeded ? byPosition.map(neededParameter) : byPosition.map(parameter);
  return [...written, ...last].join(', ');
}

function parameter(param: ParamSpec): string {
  return `${positionName(param)}: ${typeOf(param.type)}`;
}

function neededParameter(param: ParamSpec): string {
  const type = typeOf(param.type);
  return `${codeName(param.name)}: ${'default' in param ? `${type} | undefined` : type}`;
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
