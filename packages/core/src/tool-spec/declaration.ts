import type { ParamSpec, ToolSpec } from '../protocol/tool-definition.ts';
import { unicodePattern, getFirstDocLine, stripControlCharacters } from './plain-text.ts';

/** Names that a function cannot have, and globals that code needs. */
const RESERVED = new Set(
  (
    'arguments async await break case catch class const continue debugger default delete do else enum eval export ' +
    'extends false finally for function globalThis if implements import in Infinity instanceof interface let NaN ' +
    'new null package private protected public return static super switch this throw true try typeof undefined ' +
    'var void while with yield console Array BigInt Boolean Date Error Function JSON Map Math Number Object Promise ' +
    'Proxy Reflect RegExp Set String Symbol'
  ).split(' '),
);

const IDENTIFIER = unicodePattern(String.raw`^[\p{L}_$][\p{L}\p{N}_$]*$`);
const NOT_IN_IDENTIFIER = unicodePattern(String.raw`[^\p{L}\p{N}_$]`, 'gu');

const TYPES: Readonly<Record<string, string>> = {
  string: 'string',
  int: 'int',
  number: 'number',
  boolean: 'boolean',
  'string[]': 'string[]',
  json: 'unknown',
};

interface CallParameters {
  /** First parameter, and all other required ones unless the first is optional. */
  readonly byPosition: readonly ParamSpec[];
  /** All others, as fields of one object at the end. */
  readonly byName: readonly ParamSpec[];
}

/** Converts the name of a tool or place to an identifier: `my-tool` becomes `my_tool`, `delete` becomes `delete_`. */
export function toCodeName(name: string): string {
  const identifier = name.replaceAll(NOT_IN_IDENTIFIER(), '_');
  return RESERVED.has(identifier) ? `${identifier}_` : identifier;
}

/** Returns a property name, quoted if TypeScript requires it. */
export function quoteProperty(name: string): string {
  return IDENTIFIER().test(name) ? name : JSON.stringify(name);
}

/** Separates positional parameters from those that are passed by name. */
export function splitParameters(params: readonly ParamSpec[]): CallParameters {
  const [first, ...others] = params;
  if (first === undefined) return { byPosition: [], byName: [] };
  if (isOptional(first)) return { byPosition: [first], byName: others };
  return { byPosition: params.filter((param) => !isOptional(param)), byName: others.filter(isOptional) };
}

/**
 * Renders a tool as a TypeScript declaration: `read(target?: string): Answer`. Its name is that of the tool by default.
 */
export function renderDeclaration(spec: ToolSpec, called = toCodeName(spec.name)): string {
  return `${called}(${renderParameters(spec)}): ${renderReturnType(spec)}`;
}

/** Renders the shortest declaration: `read: (target?: string) => Answer`. */
export function renderShortDeclaration(spec: ToolSpec): string {
  return `${toCodeName(spec.name)}: (${renderParameters(spec)}) => ${renderReturnType(spec)}`;
}

/** Renders the declaration, with the tool's description as a comment. */
export function renderDocumentedDeclaration(spec: ToolSpec, called?: string): string {
  const doc = getFirstDocLine(spec.doc);
  return `${renderDeclaration(spec, called)};${doc === '' ? '' : ` // ${doc}`}`;
}

function renderReturnType({ returns }: ToolSpec): string {
  return returns === undefined ? 'Answer' : `Promise<${stripControlCharacters(returns)}>`;
}

function renderParameters({ params, rest = false }: ToolSpec): string {
  const { byPosition, byName } = splitParameters(params);
  const fields = byName.map((param) => declare(quoteProperty(param.name), param));
  if (rest) fields.push('[field: string]: unknown');
  // TypeScript does not allow a required parameter after an optional one.
  const hasRequiredFields = byName.some((param) => !isOptional(param));
  const declared = byPosition.map((param) => declare(toCodeName(param.name), param, hasRequiredFields));
  if (fields.length > 0) declared.push(`o${hasRequiredFields ? '' : '?'}: {${fields.join('; ')}}`);
  return declared.join(', ');
}

function declare(name: string, param: ParamSpec, mustStand = false): string {
  const type = renderParameterType(param);
  if (!isOptional(param)) return `${name}: ${type}`;
  return mustStand ? `${name}: ${type} | undefined` : `${name}?: ${type}`;
}

function isOptional(param: ParamSpec): boolean {
  return 'default' in param;
}

function renderParameterType({ type }: ParamSpec): string {
  const alternatives = type.split('|').map((one) => (Object.hasOwn(TYPES, one) ? TYPES[one] : JSON.stringify(one)));
  return stripControlCharacters(alternatives.join(' | '));
}
