import { ParameterError } from '../errors/call-errors.ts';
import { renderError } from '../feedback/render-error.ts';
import type { ToolDefinition } from '../protocol/tool-definition.ts';
import type { ToolSpec } from '../protocol/tool-spec.ts';
import { docLine } from '../tool-spec/plain-text.ts';
import { signature } from '../tool-spec/signature.ts';
import { checkArguments, type SchemaIssue } from './check-arguments.ts';
import { coerce } from './coerce.ts';
import { gatherArguments } from './gather-arguments.ts';
import { ParameterProblems } from './parameter-problems.ts';
import type { SentArguments } from './sent-arguments.ts';

/** Arguments a tool can be called with, or everything that is wrong with the ones that were sent. */
export type Binding =
  | { readonly ok: true; readonly params: Readonly<Record<string, unknown>> }
  | {
      readonly ok: false;
      /** `ParameterError: …`, one line a problem, then the tool's signature. */
      readonly text: string;
      readonly error: ParameterError;
      /** The values nothing is wrong with, by parameter. */
      readonly known: Readonly<Record<string, unknown>>;
    };

/**
 * Turns what was written into a tool's arguments: sorted by parameter, of the declared types, checked
 * by the tool's schema, defaults filled in.
 */
export async function bindArguments(
  { spec, params }: Pick<ToolDefinition, 'spec' | 'params'>,
  sent: SentArguments,
): Promise<Binding> {
  const problems = new ParameterProblems(spec);
  const given = gatherArguments(spec, sent, problems);
  const typed = await coerceAll({ spec, params }, given, problems);
  const checked = await checkArguments(params, Object.fromEntries(typed), given);
  if (checked.ok && problems.count === 0) return checked;
  if (!checked.ok) addIssues(checked.issues, problems);
  const known = [...typed].filter(([name]) => !problems.has(name));
  const error = new ParameterError(report(spec, problems));
  return { ok: false, text: renderError(error).text, error, known: Object.fromEntries(known) };
}

/** Values of the declared types, by parameter; those that cannot be had become problems. */
async function coerceAll(
  { spec, params }: Pick<ToolDefinition, 'spec' | 'params'>,
  given: ReadonlyMap<string, unknown>,
  problems: ParameterProblems,
): Promise<ReadonlyMap<string, unknown>> {
  const typed = new Map(given);
  for (const param of spec.params) {
    const { name, type } = param;
    typed.delete(name);
    if (problems.has(name)) continue;
    if (!given.has(name)) {
      if (!('default' in param)) problems.add(name, 'required');
      continue;
    }
    const result = await coerce(given.get(name), { type, schema: params._zod.def.shape[name] });
    if (result.ok) typed.set(name, result.value);
    else problems.add(name, result.problem);
  }
  return typed;
}

/** A parameter without a usable value was left out above: what the schema says of it is old news. */
function addIssues(issues: readonly SchemaIssue[], problems: ParameterProblems): void {
  const fresh = issues.filter(({ name }) => name === undefined || !problems.has(name));
  for (const { name, path, text } of fresh) {
    if (name === undefined) problems.misuse('arguments', text);
    else problems.add(name, text, path);
  }
}

function report(spec: ToolSpec, problems: ParameterProblems): string {
  const count = problems.count === 1 ? '1 problem' : `${problems.count} problems`;
  const doc = docLine(spec.doc);
  return [
    `tool '${spec.name}' parameter error (${count})`,
    ...problems.lines(),
    `Usage: ${signature(spec, { style: 'call' })}`,
    ...(doc === '' ? [] : [`  ${doc}`]),
  ].join('\n');
}
