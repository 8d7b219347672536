import { ParameterError } from '../errors/bae-error.ts';
import { renderError } from '../feedback/render-feedback.ts';
import type { ParamSpec, ToolDefinition, ToolSpec } from '../protocol/tool-definition.ts';
import { CONTENT_NAMES } from '../protocol/verbs.ts';
import { parseJson } from '../tag-parser/foreign/json-calls.ts';
import { formatCount } from '../text-size/text-size.ts';
import { deriveParam } from '../tool-spec/derive-spec.ts';
import { getFirstSentence } from '../tool-spec/plain-text.ts';
import { renderSignature } from '../tool-spec/signature.ts';
import {
  accepts,
  checkArguments,
  coerce,
  findPlaceholder,
  PLACEHOLDER,
  type Checked,
  type SchemaIssue,
} from './check-arguments.ts';
import { quoteName, suggestNearest } from './quote-json.ts';
import { shapeValues } from './repair-value.ts';
import {
  acceptsName,
  findMeant,
  getPrimaryParam,
  listBodyEntries,
  splitArgument,
  type SentArguments,
} from './split-argument.ts';

type Binding =
  | { readonly ok: true; readonly params: Readonly<Record<string, unknown>> }
  | {
      readonly ok: false;
      /** Text of the error: `ParameterError: …`, one line per problem, then the tool's signature. */
      readonly text: string;
      readonly error: ParameterError;
      /** The valid values, and those that were probably meant, by parameter. */
      readonly known: Readonly<Record<string, unknown>>;
      /** Required or given parameters without such a value. */
      readonly unfilled: readonly string[];
      /** Values of the right shape for those of them that take JSON. */
      readonly shapes: ReadonlyMap<string, unknown>;
      /** The short message, if the only problem is missing values. */
      readonly summary: string | undefined;
    };

/** Maximum number of parameters that are left out to find a call that works. */
const MOST_TRIED = 10;

/** Assigns the sent values to parameters, coerces them to the declared types, validates them and fills in defaults. */
export async function bindArguments(
  { spec, params, isLazy = false }: Pick<ToolDefinition, 'spec' | 'params' | 'isLazy'>,
  sent: SentArguments,
): Promise<Binding> {
  const problems = new ParameterProblems(spec);
  const gathered = gatherArguments(spec, sent, problems);
  const given = gathered.values;
  if (problems.count === 0) {
    const asSent = await checkAsSent({ spec, params }, gathered);
    if (asSent !== undefined) return asSent;
  }
  const typed = await coerceAll({ spec, params }, gathered, problems);
  const checked = await checkArguments(params, Object.fromEntries(typed), given);
  if (checked.ok && problems.count === 0) return checked;
  if (!checked.ok) addIssues(checked.issues, problems);
  const known = await findKnownValues({ spec, params }, typed, problems);
  const names = spec.params.map(({ name }) => name);
  const unfilled = new Set(
    names.filter((name) => problems.has(name) && !known.has(name) && !problems.surplus.has(name)),
  );
  if (unfilled.size === 0) {
    // What a schema says of several parameters is only seen when each of them is valid.
    const again = await checkArguments(params, Object.fromEntries(known), given);
    for (const { name } of again.ok ? [] : again.issues) if (name !== undefined) unfilled.add(name);
  }
  const open = isLazy ? [] : spec.params.filter(({ name, type }) => type === 'json' && unfilled.has(name));
  const shapes = shapeValues(open, params, typed);
  if ([...unfilled].every((name) => shapes.has(name))) {
    const surplus = await findSurplus({ spec, params }, new Map([...known, ...shapes]));
    if (surplus !== undefined) known.delete(surplus);
  }
  const error = new ParameterError(describeProblems(spec, problems));
  const { text } = renderError(error);
  const summary = problems.summarize(spec.name);
  return { ok: false, text, error, known: Object.fromEntries(known), unfilled: [...unfilled], shapes, summary };
}

/** Returns the values without a problem, and valid ones that were probably meant. */
async function findKnownValues(
  { spec, params }: Pick<ToolDefinition, 'spec' | 'params'>,
  typed: ReadonlyMap<string, unknown>,
  problems: ParameterProblems,
): Promise<Map<string, unknown>> {
  const known = new Map([...typed].filter(([name]) => !problems.has(name)));
  for (const { name, type } of spec.params) {
    const schema = params._zod.def.shape[name];
    const meant = problems.meant.get(name);
    const result = known.has(name) || meant === undefined ? undefined : await coerce(meant, { type, schema });
    if (result?.ok === true && (schema === undefined || (await accepts(schema, result.value))))
      known.set(name, result.value);
  }
  return known;
}

/** Finds an optional parameter without which arguments fit together that do not fit with it. */
async function findSurplus(
  { spec, params }: Pick<ToolDefinition, 'spec' | 'params'>,
  known: ReadonlyMap<string, unknown>,
): Promise<string | undefined> {
  if (await accepts(params, Object.fromEntries(known))) return undefined;
  const needed = new Set(spec.params.filter((param) => !('default' in param)).map(({ name }) => name));
  for (const name of [...known.keys()].filter((one) => !needed.has(one)).slice(0, MOST_TRIED)) {
    const others = Object.fromEntries([...known].filter(([other]) => other !== name));
    if (await accepts(params, others)) return name;
  }
  return undefined;
}

/** Reads the sent values in the types of the parameters, as the schema gets them. */
export async function readSentValues(
  definition: Pick<ToolDefinition, 'spec' | 'params'>,
  sent: SentArguments,
): Promise<Readonly<Record<string, unknown>>> {
  const problems = new ParameterProblems(definition.spec);
  return Object.fromEntries(await coerceAll(definition, gatherArguments(definition.spec, sent, problems), problems));
}

/**
 * Checks the arguments as they are, without converting values whose types are known; returns undefined if the schema
 * does not accept them. Texts are converted to the types of their parameters; if that does not fit, they are read as
 * JSON, because a type may leave out what a schema allows.
 */
async function checkAsSent(
  { spec, params }: Pick<ToolDefinition, 'spec' | 'params'>,
  { values, written }: GatheredArguments,
): Promise<Extract<Checked, { readonly ok: true }> | undefined> {
  if ([...values].some(([name, value]) => findPlaceholder(value, name) !== undefined)) return undefined;
  const texts = new Map([...values].filter(([name]) => written.has(name)));
  const converted = await coerceAll({ spec, params }, { values: texts, written }, new ParameterProblems(spec));
  const types = new Map(spec.params.map(({ name, type }) => [name, type]));
  const asJson = Array.from(values, ([name, value]) => {
    const isOpen = written.has(name) && typeof value === 'string' && types.get(name) !== 'string';
    return [name, isOpen ? (parseJson(value) ?? value) : (converted.get(name) ?? value)] as const;
  });
  for (const read of texts.size === 0 ? [values] : [[...values, ...converted], asJson]) {
    const checked = await checkArguments(params, Object.fromEntries(read), values);
    if (checked.ok) return checked;
  }
  return undefined;
}

/** Coerces values to the declared types, by parameter; a missing or unsuitable value becomes a problem. */
async function coerceAll(
  { spec, params }: Pick<ToolDefinition, 'spec' | 'params'>,
  { values: given, written }: GatheredArguments,
  problems: ParameterProblems,
): Promise<ReadonlyMap<string, unknown>> {
  const typed = new Map(given);
  const { shape, catchall } = params._zod.def;
  for (const param of spec.params) {
    const { name, type } = param;
    typed.delete(name);
    if (problems.has(name)) continue;
    if (!given.has(name)) {
      if (!('default' in param)) problems.addMissing(name);
      continue;
    }
    const value = given.get(name);
    if (value === PLACEHOLDER) {
      problems.addUnfilled(name, name);
      continue;
    }
    const result = await coerce(value, { type, schema: shape[name] });
    const blank = result.ok && type === 'json' ? findPlaceholder(result.value, name) : undefined;
    if (blank !== undefined) problems.addUnfilled(name, blank);
    if (result.ok) typed.set(name, result.value);
    else {
      problems.add(name, result.problem);
      if (result.nearest !== undefined) problems.meant.set(name, result.nearest);
    }
  }
  if (catchall === undefined || catchall._zod.def.type === 'unknown') return typed;
  const declared = new Set(spec.params.map(({ name }) => name));
  const { type } = deriveParam('', catchall);
  for (const name of given.keys()) {
    if (declared.has(name) || !written.has(name)) continue;
    const result = await coerce(given.get(name), { type, schema: catchall });
    if (result.ok) typed.set(name, result.value);
  }
  return typed;
}

/** Adds the issues of the schema, except for parameters that already have a problem and were left out. */
function addIssues(issues: readonly SchemaIssue[], problems: ParameterProblems): void {
  const fresh = issues.filter(({ name }) => name === undefined || !problems.has(name));
  for (const { name, path, text, isSurplus } of fresh) {
    if (name !== undefined && isSurplus === true) problems.surplus.add(name);
    if (name === undefined) problems.addMisuse('arguments', text);
    else problems.add(name, text, path);
  }
}

function describeProblems(spec: ToolSpec, problems: ParameterProblems): string {
  const doc = getFirstSentence(spec.doc);
  return [
    `tool '${spec.name}' parameter error (${formatCount(problems.count, 'problem')})`,
    ...problems.toLines(),
    `Usage: ${renderSignature(spec, { style: 'call' })}`,
    ...(doc === '' ? [] : [`  ${doc}`]),
  ].join('\n');
}

/** All problems with the arguments of one call, which are reported together. */
class ParameterProblems {
  /** Values that were probably meant, by parameter. */
  readonly meant = new Map<string, unknown>();
  /** Parameters that must not be given together with the others. */
  readonly surplus = new Set<string>();
  readonly #problems: { readonly rank: number; readonly name: string; readonly text: string }[] = [];
  /** Parameters without a value. */
  readonly #missing = new Set<string>();
  /** Parameters with a placeholder, each with the path to it: `parent.page_id`. */
  readonly #unfilled = new Map<string, string>();
  readonly #names: readonly string[];

  constructor(spec: ToolSpec) {
    this.#names = spec.params.map(({ name }) => name);
  }

  get count(): number {
    return this.#problems.length;
  }

  has(name: string): boolean {
    return this.#problems.some((problem) => problem.name === name);
  }

  /** Adds a problem with the value of a parameter, or of a path below one: `filter.limit`. */
  add(name: string, text: string, path: string = name): void {
    const position = this.#names.indexOf(name);
    const rank = position < 0 ? this.#names.length : position;
    const line = path === name ? quoteName(name) : path;
    this.#problems.push({ rank, name, text: `${line}: ${text}` });
  }

  addMissing(name: string): void {
    this.#missing.add(name);
    this.add(name, 'required');
  }

  addUnfilled(name: string, path: string): void {
    this.#unfilled.set(name, path);
    this.add(name, `fill in ${path}`);
  }

  /** @param guess `meant`: the parameter that was probably meant; `open`: the one if no other name is similar */
  addUnknown(name: string, value: unknown, guess: { readonly [K in 'meant' | 'open']: string | undefined }): void {
    const nearest = suggestNearest(name, this.#names);
    const meant = guess.meant ?? (nearest === '' ? guess.open : undefined);
    const suggestion = meant === undefined ? nearest : ` (did you mean ${meant}?)`;
    this.add(name, `unknown parameter${suggestion}`);
    if (meant !== undefined) this.meant.set(meant, value);
  }

  /** Summarizes the problems as `create_issue needs repo, title.` if nothing else is wrong. */
  summarize(tool: string): string | undefined {
    if (this.#missing.size + this.#unfilled.size < this.count) return undefined;
    const needed = this.#names.filter((name) => this.#missing.has(name)).join(', ');
    const unfilled = this.#names.flatMap((name) => this.#unfilled.get(name) ?? []).join(', ');
    const parts = [needed && `${tool} needs ${needed}`, unfilled && `fill in ${unfilled}`];
    return `${parts.filter((part) => part !== '').join('; ')}.`;
  }

  /** Adds a problem that does not concern a single parameter: the arguments together, the argument, the body. */
  addMisuse(part: 'arguments' | 'arg' | 'body', text: string): void {
    const rank = this.#names.length + 1 + ['arguments', 'arg', 'body'].indexOf(part);
    this.#problems.push({ rank, name: '', text: `${part}: ${text}` });
  }

  /** Lists one line per problem, in the order of the parameters, then unknown names in their order, then misuse. */
  toLines(): readonly string[] {
    const sorted = this.#problems.toSorted(
      (a, b) => a.rank - b.rank || (a.name < b.name ? -1 : Number(a.name > b.name)),
    );
    return sorted.map(({ text }) => `- ${text}`);
  }
}

/** The sent values by parameter. */
interface GatheredArguments {
  readonly values: ReadonlyMap<string, unknown>;
  /** Parameters whose values were written as text in a tag, so that their types are not known. */
  readonly written: ReadonlySet<string>;
}

/** Collects the values as they were sent, by parameter. A value that belongs to no parameter becomes a problem. */
function gatherArguments(spec: ToolSpec, sent: SentArguments, problems: ParameterProblems): GatheredArguments {
  const values = new Map<string, unknown>();
  const origins = new Map<string, string>();
  const written = new Set<string>();
  const unknown = new Map<string, unknown>();
  const declared = new Set(spec.params.map(({ name }) => name));
  const content = findContentParam(spec, sent);
  const isData = sent.isData === true || sent.form === 'json';

  const give = (name: string, value: unknown, origin: 'tag' | 'keyword' | 'body') => {
    if (value === undefined) return;
    const before = origins.get(name);
    const isField = spec.rest === true && origin !== 'tag' && isFieldName(name);
    if (!declared.has(name) && !isField && !acceptsName(spec, name)) unknown.set(name, value);
    else if (before === 'tag' && origin === 'tag' && values.get(name) === value) return;
    else if (before !== undefined) {
      problems.add(name, `given twice${before === origin ? '' : ` (${before} and ${origin})`}`);
      problems.meant.set(name, joinGiven(spec, name, [values.get(name), value]));
    } else {
      origins.set(name, origin);
      values.set(name, value);
      // Text in JSON is text; in a tag it may stand for something else.
      if (origin === 'tag' || (origin === 'keyword' && !isData) || name === content?.name) written.add(name);
    }
  };

  const textual = spec.params.find(({ mayBeBody }) => mayBeBody === true);
  const entries = listBodyEntries(spec, content, sent) ?? (textual && [[textual.name, sent.body]]);
  const fields = new Set(entries?.map(([name]) => name));
  const { argument, keywords, misspelt, unquoted } =
    sent.isData === true ? takeAsValue(sent) : splitArgument(spec, sent, fields);
  const primary = getPrimaryParam(spec);
  for (const [name, { meant, value }] of misspelt) {
    problems.add(name, `unknown parameter (did you mean ${meant}?)`);
    problems.meant.set(meant, value);
  }
  if (unquoted !== undefined) {
    problems.add(unquoted, `quote a value of several words: ${unquoted}="…"`);
    problems.meant.set(unquoted, argument.slice(unquoted.length + 1).trim());
  } else if (primary !== undefined && argument !== '') give(primary.name, argument, sent.isData ? 'keyword' : 'tag');
  const [only] = spec.params;
  if (primary === undefined && argument !== '') {
    if (only?.body === true && sent.body === undefined) {
      problems.add(only.name, 'is not the argument but the body: write it between the tags');
      problems.meant.set(only.name, argument);
    } else problems.addMisuse('arg', 'this tool takes no argument');
  }
  for (const [name, value] of keywords) give(name, value, 'tag');
  for (const [written, value] of Object.entries(sent.kwargs ?? {})) {
    // Calls in JSON may use this name for the first parameter, whatever its name.
    const isFirst = written === 'target' && primary !== undefined && !declared.has(written) && spec.rest !== true;
    const isText = written === 'content' && textual !== undefined && !declared.has(written);
    give(isFirst ? primary.name : isText ? textual.name : written, value, 'keyword');
  }
  if (entries === undefined) problems.addMisuse('body', 'this tool takes no body');
  for (const [name, value] of entries ?? []) give(name, value, 'body');
  // What a target is, is often said by its name: `commit`, `script`.
  const isOpen = unknown.size === 1 && primary?.name === 'target' && !values.has('target');
  const open = isOpen && typeof [...unknown.values()][0] === 'string' ? 'target' : undefined;
  const needed = spec.params
    .filter((param) => !('default' in param) && !values.has(param.name))
    .map(({ name }) => name);
  for (const [name, value] of unknown) {
    const meant = findMeant(name, [...declared], needed);
    const isPassedOn = spec.open === true && isFieldName(name) && (meant === undefined || values.has(meant));
    if (isPassedOn) values.set(name, value);
    else problems.addUnknown(name, value, { meant, open });
  }
  return { values, written };
}

/**
 * Joins two values given for one parameter if it is text in words, such as a title; otherwise returns the second, which
 * was given by name.
 */
function joinGiven({ params }: ToolSpec, name: string, [first, second]: readonly [unknown, unknown]): unknown {
  const { example } = params.find((param) => param.name === name) ?? {};
  const isInWords = typeof example === 'string' && example.includes(' ');
  if (!isInWords || typeof first !== 'string' || typeof second !== 'string' || second.includes(first)) return second;
  return first.includes(second) ? first : `${first}: ${second}`;
}

/** Tests whether a name can be shown on one line, and does not replace the prototype of an object. */
function isFieldName(name: string): boolean {
  return name !== '__proto__' && !/\p{Cc}/u.test(name);
}

/** Reads an argument that code passed, which is a value as it is. */
function takeAsValue({ arg = '' }: SentArguments): ReturnType<typeof splitArgument> {
  return { argument: String(arg), keywords: new Map(), misspelt: new Map(), unquoted: undefined };
}

/**
 * Finds the parameter that gets the text between the tags. `content` in JSON is read as such text, but belongs to the
 * parameter of that name if the tool does not take text between tags.
 */
function findContentParam({ params }: ToolSpec, { form }: SentArguments): ParamSpec | undefined {
  const content = params.find((param) => param.body === true);
  return content ?? (form === 'json' ? params.find(({ name }) => CONTENT_NAMES.includes(name)) : undefined);
}
