import type { ParamSpec, ToolSpec } from '../protocol/tool-spec.ts';
import { jsonBody } from './json-body.ts';
import type { ParameterProblems } from './parameter-problems.ts';
import type { SentArguments } from './sent-arguments.ts';
import { isOpen, primaryParam, splitArgument } from './split-argument.ts';

type Entries = readonly (readonly [name: string, value: unknown])[];
type Origin = 'tag' | 'keyword' | 'body';

/**
 * Sorts what was sent by parameter: argument, keywords, body. Values are as they were sent.
 *
 * Whatever belongs to no parameter, or to one that has a value already, becomes a problem.
 */
export function gatherArguments(
  spec: ToolSpec,
  sent: SentArguments,
  problems: ParameterProblems,
): ReadonlyMap<string, unknown> {
  const values = new Map<string, unknown>();
  const origins = new Map<string, Origin>();
  const declared = new Set(spec.params.map(({ name }) => name));

  const give = (name: string, value: unknown, origin: Origin) => {
    if (value === undefined) return;
    const before = origins.get(name);
    if (!declared.has(name) && !isOpen(spec, name)) problems.unknown(name);
    else if (before !== undefined) problems.add(name, `given twice (${before} and ${origin})`);
    else {
      origins.set(name, origin);
      values.set(name, value);
    }
  };

  const content = spec.params.find((param) => param.body === true);
  const entries = bodyEntries(content, sent.body);
  const fields = new Set(entries?.map(([name]) => name));
  const { argument, keywords } = splitArgument(spec, sent, fields);
  const primary = primaryParam(spec);
  if (primary !== undefined && argument !== '') give(primary.name, argument, 'tag');
  if (primary === undefined && argument !== '') problems.misuse('arg', 'this tool takes no argument');
  for (const [name, value] of keywords) give(name, value, 'tag');
  for (const [name, value] of Object.entries(sent.kwargs ?? {})) give(name, value, 'keyword');
  if (entries === undefined) problems.misuse('body', 'this tool takes no body');
  for (const [name, value] of entries ?? []) give(name, value, 'body');
  return values;
}

/** What a body gives a value to; undefined when the tool cannot use it. */
function bodyEntries(content: ParamSpec | undefined, body: string | undefined): Entries | undefined {
  if (body === undefined) return [];
  if (content !== undefined) return [[content.name, body]];
  // A write always has a closing tag, also of a tool that takes nothing between its tags.
  return body.trim() === '' ? [] : jsonBody(body);
}
