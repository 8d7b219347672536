import { config, util, type $ZodIssue, type $ZodRawIssue, type ParseContext } from 'zod/v4/core';
import { isFields, type Fields } from './schema-document.ts';

type Path = readonly (string | number)[];

/** A reason why a schema refuses a value, in the terms of zod, so that all refusals read the same. */
export interface SchemaIssue extends Fields {
  readonly code: string;
  readonly path: Path;
  readonly input: unknown;
  /** Of a choice between schemas: what each of them says. */
  readonly branches?: readonly (readonly SchemaIssue[])[];
}

/** Maximum length of a schema that is quoted, in characters. */
const LONGEST_QUOTE = 80;
/** Maximum number of alternatives that are described. */
const MOST_BRANCHES = 8;

export function sayWords(path: Path, input: unknown, message: string): SchemaIssue {
  return { code: 'custom', path, input, message };
}

export function sayRequired(path: Path): SchemaIssue {
  return { code: 'invalid_type', expected: 'nonoptional', path, input: undefined };
}

/** Quotes a schema, unless it is long. */
export function quoteSchema(schema: unknown): string {
  const text = JSON.stringify(schema);
  return text.length > LONGEST_QUOTE ? 'another schema' : text;
}

/** Says why none of several schemas takes a value: if it is of the kind that only one of them is for, what that one says. */
export function sayNoneFits(
  path: Path,
  input: unknown,
  all: readonly (readonly SchemaIssue[])[],
): readonly SchemaIssue[] {
  const near = all.filter((issues) => !issues.some((issue) => isOtherKind(issue, path)));
  const [only] = near;
  if (only !== undefined && near.length === 1) return only;
  const branches = near.length === 0 ? all : near;
  if (path.length === 0 && isFields(input)) return sayOneOfFields(branches);
  return [{ code: 'invalid_union', path, input, branches: branches.flatMap(listFirstReasons).slice(0, MOST_BRANCHES) }];
}

/** Lists what an alternative says first; of one that is itself a choice, what its alternatives say. */
function listFirstReasons([first]: readonly SchemaIssue[]): readonly (readonly SchemaIssue[])[] {
  if (first === undefined) return [];
  // A branch has no branches: they could be as many as there are ways through references.
  const { branches, ...issue } = first;
  return branches ?? [[issue]];
}

/** Tests whether an issue says that a value is of another kind: another type, or with another constant in a field. */
function isOtherKind({ code, path, input }: SchemaIssue, at: Path): boolean {
  const depth = path.length - at.length;
  if (depth === 0) return code === 'invalid_type' || code === 'invalid_value';
  return depth === 1 && code === 'invalid_value' && input !== undefined;
}

/** Of the arguments as a whole: says what the nearest alternative needs, and what the others need instead. */
function sayOneOfFields(branches: readonly (readonly SchemaIssue[])[]): readonly SchemaIssue[] {
  const [nearest = [], ...others] = branches.toSorted((a, b) => a.length - b.length);
  const missing = others.flatMap((issues) =>
    issues.filter(({ input, path }) => input === undefined && path.length === 1),
  );
  const names = [...new Set(missing.map(({ path }) => String(path[0])))];
  return nearest.map((issue) =>
    issue.input === undefined && issue.path.length === 1 && names.length > 0
      ? { ...issue, message: `required, or ${names.join(' or ')}` }
      : issue,
  );
}

/** Converts an issue to one of zod. Paths inside a branch begin at the value of the choice. */
export function toRawIssue({ branches, path, ...issue }: SchemaIssue, context: ParseContext | undefined): $ZodRawIssue {
  const finish = (inner: SchemaIssue): $ZodIssue =>
    util.finalizeIssue(toRawIssue({ ...inner, path: inner.path.slice(path.length) }, context), context, config());
  const errors = branches?.map((inner) => inner.map(finish));
  return { ...issue, path: [...path], ...(errors && { errors }) } as unknown as $ZodRawIssue;
}
