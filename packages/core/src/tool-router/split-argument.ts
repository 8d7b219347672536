import type { ParamSpec, ToolSpec } from '../protocol/tool-spec.ts';
import type { SentArguments } from './sent-arguments.ts';
import { takeKeywords, type SplitArgument } from './take-keywords.ts';

const IDENTIFIER = /^[\p{L}_][\p{L}\p{N}_-]*$/u;

/** The parameter that takes the tag's argument. */
export function primaryParam(spec: ToolSpec): ParamSpec | undefined {
  return spec.params.find((param) => param.body !== true);
}

/**
 * The keywords at the end of an argument that a tool would take, and what is left of the argument.
 *
 * @param fields names that a JSON body gives a value
 */
export function splitArgument(
  spec: ToolSpec,
  { arg = '', kwargs = {} }: SentArguments,
  fields: ReadonlySet<string> = new Set(),
): SplitArgument {
  const primary = primaryParam(spec);
  const declared = new Set(spec.params.map(({ name }) => name));
  const others = spec.params.filter((param) => param === primary || param.body === true);
  const given = new Set([...Object.keys(kwargs), ...fields]);
  const bound = new Set([...others.map(({ name }) => name), ...Object.keys(kwargs)]);
  return takeKeywords(String(arg), {
    isKeyword: (name) => !bound.has(name) && (declared.has(name) || isOpen(spec, name)),
    first: primary?.name,
    mayBeEmpty: primary === undefined || 'default' in primary || given.has(primary.name),
  });
}

/** True for a name that is no parameter but accepted by a tool with open parameters. */
export function isOpen(spec: ToolSpec, name: string): boolean {
  // Assigning to this name would replace an object's prototype.
  return spec.rest === true && name !== '__proto__' && IDENTIFIER.test(name);
}
