import { getPageLength, type ToolOutput } from '@bae/core';
import { safeParseAsync } from 'zod/v4/core';
import { countUnits, OUTPUT_FIELDS, TOKEN_CAP, UNITS_PER_TOKEN } from '@bae/core/pipeline';
import { type CallOutcome, quoteFirstLine, quoteSample, readWholeText, type OpenSpace } from '../open-space.ts';
import { defineCheck, type AsyncFindings, type SpaceCheckSpec } from '../run-check.ts';
import { findReadingCalls, listKnownCalls } from '../sample-calls.ts';
import type { SampleCall } from '../space-samples.ts';

/** Checks that results have a form and size on which a model and code can rely. */
export const RESULT_CHECKS: readonly SpaceCheckSpec[] = [
  defineCheck('keeps its results within the cap, and loses nothing', findReadingCalls, checkSize),
  defineCheck('returns the same result for the same call', findReadingCalls, async function* look(call, open) {
    const [first, second] = [await open.call(call), await open.call(call)];
    if (readUnnumbered(first) !== readUnnumbered(second))
      yield `${quoteSample(call)} returns a different result the second time. Sort lists; leave out times and random names.`;
  }),
  defineCheck(
    'returns what JSON can hold',
    async (open) => [...(await listKnownCalls(open)), ...listUnsampled(open)],
    checkReturned,
  ),
  defineCheck(
    'returns data that its output schema describes',
    async (open) =>
      (await listKnownCalls(open)).filter(({ tool }) => open.definition.tools[tool]?.output !== undefined),
    checkSchema,
  ),
];

/** Returns the text of a result without the handles of its attachments, which differ from call to call. */
function readUnnumbered(outcome: CallOutcome): string {
  return readWholeText(outcome).replaceAll(/\bresult:\d+/g, 'result:N');
}

const CAP = TOKEN_CAP * UNITS_PER_TOKEN;
/** Maximum length of a page besides its text, in characters: its position, and how to continue. */
const FOOTER = 400;
const MOST_PAGES = 200;

async function* checkSize(call: SampleCall, open: OpenSpace): AsyncFindings {
  const { result, runs } = await open.call(call);
  const returned = runs.at(-1)?.returned;
  if (typeof returned === 'object' && returned !== null && 'paged' in returned && returned.paged === true) {
    const { length } = result.text;
    if (length > getPageLength() + FOOTER)
      yield `${quoteSample(call)} sets paged: true and returns ${length} characters. A page has at most ${getPageLength()}; remove paged and bae cuts it.`;
    return;
  }
  const size = countUnits(result.text);
  if (size > CAP) yield `${quoteSample(call)} gives ${size} units, the cap is ${CAP}.`;
  if (result.ref === undefined || result.pruned === undefined) return;
  if ((await readPages(open, result.ref)) !== readWholeText({ result, runs }))
    yield `${quoteSample(call)}: following ${result.ref} does not give back what was cut.`;
}

async function* checkSchema(call: SampleCall, open: OpenSpace): AsyncFindings {
  const { runs } = await open.call(call);
  const schema = open.definition.tools[call.tool]!.output!;
  for (const { returned } of runs) {
    const { whole } = Object(returned) as ToolOutput;
    const data: unknown = typeof whole === 'function' ? await whole() : returned;
    const { error } = await safeParseAsync(schema, data);
    const [issue] = error?.issues ?? [];
    if (issue === undefined) continue;
    const place = issue.path.length === 0 ? 'the data' : issue.path.join('.');
    yield `${quoteSample(call)} returns something that does not match its output schema: ${place}: ${issue.message}. Change one of them.`;
  }
  return undefined;
}

/** Follows the pages of a kept result to its end. */
async function readPages(open: OpenSpace, ref: string): Promise<string> {
  let text = '';
  let tag: string | undefined = `<R:${ref}>`;
  for (let page = 0; tag !== undefined && page < MOST_PAGES; page++) {
    const current: string = (await open.runText(tag)).result.text;
    const [footer = '', position = '', next]: readonly (string | undefined)[] =
      /\n\[(line[^\]]*?)(?:; next: (<R:[^>]+>))?\]$/.exec(current) ?? [];
    text += current.slice(0, current.length - footer.length);
    // The next page begins inside a line if it names the line in which this page ends.
    const line = /^line (\d+) /.exec(position)?.[1];
    const isInsideLine = line !== undefined && next?.includes(`:${line}@`) === true;
    if (next !== undefined && !isInsideLine) text += '\n';
    tag = next;
  }
  return text;
}

/** Lists the tools that change something and have no sample. */
function listUnsampled({ definition, samples }: OpenSpace): readonly string[] {
  const changing = Object.values(definition.tools).filter(({ effect }) => effect === 'write');
  return changing.flatMap(({ name }) => (/^(write|edit)$/.test(name) || samples.calls?.[name] ? [] : [name]));
}

async function* checkReturned(call: SampleCall | string, open: OpenSpace): AsyncFindings {
  if (typeof call === 'string') return { lacks: `samples.calls.${call}, arguments that work: { … }` };
  const { result, runs } = await open.call(call);
  if (!result.ok) return `${quoteSample(call)} fails: ${quoteFirstLine(result.text)}`;
  for (const { returned } of runs) {
    const problem = findOutputProblem(returned) ?? (await findWholeProblem(returned)) ?? findJsonProblem(returned);
    if (problem !== undefined) yield `${quoteSample(call)} returns ${problem}`;
  }
  return undefined;
}

const FORMATS = ['markdown', 'plain', 'code', 'json', 'log', 'diff', 'csv', 'html', 'rows', 'printed'];

const EMPTY_TEXT = 'an empty text. Say that there is nothing.';

/** Explains why a return value is not a good result, as the end of a sentence; returns undefined if it is. */
export function findOutputProblem(returned: unknown): string | undefined {
  if (returned === undefined || returned === null)
    return 'nothing, which reads (no output). Say what was done or found.';
  if (typeof returned === 'string') return returned.trim() === '' ? EMPTY_TEXT : undefined;
  const { text, rows, format, whole, attachments = [] } = returned as Readonly<Record<string, unknown>>;
  if (typeof text !== 'string') return undefined;
  const other = Object.keys(returned).find((key) => !Object.hasOwn(OUTPUT_FIELDS, key));
  if (other !== undefined)
    return `a text with the field ${other}, so that all of it is shown as JSON. A result has ${Object.keys(OUTPUT_FIELDS).join(', ')}.`;
  if (text.trim() === '' && (attachments as readonly unknown[]).length === 0) return EMPTY_TEXT;
  const isCount = rows === undefined || (Number.isInteger(rows) && (rows as number) >= 0);
  if (!isCount) return `rows: ${JSON.stringify(rows)}. It is how many rows the whole result has.`;
  if (whole !== undefined && typeof whole !== 'function')
    return 'whole as something other than a function. It is called when code makes the call, and returns the whole text.';
  const isFormat = format === undefined || FORMATS.includes(format as string);
  return isFormat ? undefined : `format: ${JSON.stringify(format)}. There are ${FORMATS.join(', ')}.`;
}

/**
 * Explains why the whole value that code gets instead of a part is neither text nor data; returns undefined if it is,
 * or there is none.
 */
async function findWholeProblem(returned: unknown): Promise<string | undefined> {
  const { whole } = Object(returned) as { readonly whole?: unknown };
  if (typeof whole !== 'function') return undefined;
  const value: unknown = await (returned as { whole(): unknown }).whole();
  if (typeof value === 'string') return undefined;
  return typeof value === 'object' && value !== null
    ? checkJson(value, '', [])
    : 'whole as a function that gives neither text nor data.';
}

/** Explains why JSON cannot represent a return value, as the end of a sentence; returns undefined if it can. */
export function findJsonProblem(returned: unknown): string | undefined {
  if (typeof returned !== 'object' || returned === null || !('text' in returned)) return checkJson(returned, '', []);
  // Attachments are bytes, and were checked when they were kept.
  const { whole: _, attachments: _attached, ...rest } = returned as ToolOutput;
  return checkJson(rest, '', []);
}

function checkJson(value: unknown, path: string, above: readonly unknown[]): string | undefined {
  const what = describeForeignValue(value, above);
  if (what !== undefined) {
    const where = path === '' ? '' : ` (in ${path})`;
    return `${what}${where}, which JSON cannot hold. Return a text, or plain objects and lists.`;
  }
  // Dates, for example, define their own JSON form.
  if (typeof value !== 'object' || value === null || hasToJson(value) || isBytes(value)) return undefined;
  for (const [key, inner] of value instanceof Map || value instanceof Set ? value.entries() : Object.entries(value)) {
    // Errors of single items are not part of the text.
    if (inner instanceof Error && path === 'errors') continue;
    const name =
      Array.isArray(value) || typeof key !== 'string' ? `[${String(key)}]` : `${path === '' ? '' : '.'}${key}`;
    const problem = checkJson(inner, `${path}${name}`, [...above, value]);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Describes a value that JSON cannot represent, whatever it contains. */
function describeForeignValue(value: unknown, above: readonly unknown[]): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : String(value);
  if (typeof value !== 'object') return ['symbol', 'function'].includes(typeof value) ? `a ${typeof value}` : undefined;
  if (value === null || hasToJson(value)) return undefined;
  if (above.includes(value)) return 'an object that contains itself';
  const prototype = Object.getPrototypeOf(value) as object | null;
  const hasMeaning = Array.isArray(value) || value instanceof Map || value instanceof Set || isBytes(value);
  const isPlain = hasMeaning || prototype === Object.prototype || prototype === null;
  return isPlain ? undefined : `a ${value.constructor.name}`;
}

function isBytes(value: object): boolean {
  return value instanceof Blob || value instanceof ArrayBuffer || ArrayBuffer.isView(value);
}

function hasToJson(value: object): boolean {
  return 'toJSON' in value && typeof value.toJSON === 'function';
}
