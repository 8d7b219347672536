import type { ParamSpec, ToolSpec } from '../protocol/tool-definition.ts';
import { docLine, plainLine } from './plain-text.ts';

/** Names that no function can have, and globals that code needs. */
const RESERVED = new Set(
  (
    'arguments async await break case catch class const continue debugger default delete do else enum eval export ' +
    'extends false finally for function globalThis if implements import in Infinity instanceof interface let NaN ' +
    'new null package private protected public return static super switch this throw true try typeof undefined ' +
    'var void while with yield console Array BigInt Boolean Date Error Function JSON Map Math Number Object Promise ' +
    'Proxy Reflect RegExp Set String Symbol'
  ).split(' '),
);

const IDENTIFIER = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;

const TYPES: Readonly<Record<string, string>> = {
  string: 'string',
  int: 'int',
  number: 'number',
  boolean: 'boolean',
  'string[]': 'string[]',
  json: 'unknown',
};

/** How code passes the parameters of a tool. */
interface CallShape {
  /** The first parameter, and all other required ones unless the first is optional. */
  readonly byPosition: readonly ParamSpec[];
  /** All others, as fields of one object at the end. */
  readonly byName: readonly ParamSpec[];
}

/** The name of a tool or place as an identifier: `my-tool` is `my_tool`, `delete` is `delete_`. */
export function toCodeName(name: string): string {
  const identifier = name.replaceAll(/[^\p{L}\p{N}_$]/gu, '_');
  return RESERVED.has(identifier) ? `${identifier}_` : identifier;
}

/** A property name as it stands in a type, quoted where that is necessary. */
export function memberName(name: string): string {
  return IDENTIFIER.test(name) ? name : JSON.stringify(name);
}

/** Separates positional parameters from those that are passed by name. */
export function callShape(params: readonly ParamSpec[]): CallShape {
  const [first, ...others] = params;
  if (first === undefined) return { byPosition: [], byName: [] };
  if (isOptional(first)) return { byPosition: [first], byName: others };
  return { byPosition: params.filter((param) => !isOptional(param)), byName: others.filter(isOptional) };
}

/**
 * A tool as a TypeScript declaration: `read(target?: string): Answer`.
 *
 * Required parameters are positional, from the first parameter on; all others are fields of one object at
 * the end.
 *
 * @param called the name in code; default: that of the tool
 */
export function declaration(spec: ToolSpec, called = toCodeName(spec.name)): string {
  return `${called}(${declareParams(spec)}): Answer`;
}

/** The shortest declaration: `read: (target?: string) => Answer`. */
export function shortDeclaration(spec: ToolSpec): string {
  return `${toCodeName(spec.name)}: (${declareParams(spec)}) => Answer`;
}

/** The declaration, with the tool's description as a comment. */
export function documentedDeclaration(spec: ToolSpec, called?: string): string {
  const doc = docLine(spec.doc);
  return `${declaration(spec, called)};${doc === '' ? '' : ` // ${doc}`}`;
}

function declareParams({ params, rest = false }: ToolSpec): string {
  const { byPosition, byName } = callShape(params);
  const fields = byName.map((param) => `${memberName(param.name)}${optionalMark(param)}: ${typeOf(param)}`);
  if (rest) fields.push('[field: string]: unknown');
  // TypeScript allows no required parameter behind an optional one.
  const hasRequiredFields = byName.some((param) => !isOptional(param));
  const declared = byPosition.map((param) => declareParam(param, hasRequiredFields));
  if (fields.length > 0) declared.push(`o${hasRequiredFields ? '' : '?'}: {${fields.join('; ')}}`);
  return declared.join(', ');
}

function declareParam(param: ParamSpec, mustStand: boolean): string {
  const name = toCodeName(param.name);
  if (!mustStand) return `${name}${optionalMark(param)}: ${typeOf(param)}`;
  return `${name}: ${typeOf(param)}${isOptional(param) ? ' | undefined' : ''}`;
}

function optionalMark(param: ParamSpec): string {
  return isOptional(param) ? '?' : '';
}

function isOptional(param: ParamSpec): boolean {
  return 'default' in param;
}

function typeOf({ type }: ParamSpec): string {
  const known = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
  if (known !== undefined) return known;
  const alternatives = type.split('|').map((one) => (Object.hasOwn(TYPES, one) ? TYPES[one] : JSON.stringify(one)));
  return plainLine(alternatives.join(' | '));
}
