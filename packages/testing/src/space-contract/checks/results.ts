import { getPageLength } from '@bae/core';
import { TOKEN_CAP, countUnits, UNITS_PER_TOKEN } from '@bae/core/pipeline';
import { readWholeText, type OpenSpace } from '../open-space.ts';
import { quoteSample, quoteFirstLine } from '../quote.ts';
import type { Findings, SpaceCheckSpec } from '../run-check.ts';
import { listChangingCalls, findReadingCalls } from '../sample-calls.ts';
import type { SampleCall } from '../space-samples.ts';

const CAP = TOKEN_CAP * UNITS_PER_TOKEN;
/** Characters that a page may have besides its text: where it is, how to go on. */
const FOOTER = 400;
const MOST_PAGES = 200;

/** Whether results have a form and size that a model and code can rely on. */
export const RESULT_CHECKS: readonly SpaceCheckSpec[] = [
  {
    name: 'keeps its results within the cap, and loses nothing',
    async look(open, findings) {
      for (const call of await findReadingCalls(open)) await checkSize(open, call, findings);
    },
  },
  {
    name: 'returns the same result for the same call',
    async look(open, findings) {
      for (const call of await findReadingCalls(open)) {
        const [first, second] = [await open.call(call), await open.call(call)];
        findings.expect(
          readWholeText(first) === readWholeText(second),
          `${quoteSample(call)} returns something else the second time. Sort what is listed; leave out times and random names.`,
        );
      }
    },
  },
  {
    name: 'returns what JSON can hold',
    async look(open, findings) {
      for (const call of [...(await findReadingCalls(open)), ...listChangingCalls(open)]) {
        const { result, runs } = await open.call(call);
        if (!findings.expect(result.ok, `${quoteSample(call)} fails: ${quoteFirstLine(result.text)}`)) continue;
        for (const { returned } of runs) {
          const problem =
            findOutputProblem(returned) ?? (await findWholeProblem(returned)) ?? findJsonProblem(returned);
          findings.expect(problem === undefined, `${quoteSample(call)} returns ${problem}`);
        }
      }
      lackSamples(open, findings);
    },
  },
];

async function checkSize(open: OpenSpace, call: SampleCall, findings: Findings): Promise<void> {
  const { result, runs } = await open.call(call);
  const returned = runs.at(-1)?.returned;
  const isPaged = typeof returned === 'object' && returned !== null && 'paged' in returned && returned.paged === true;
  if (isPaged) {
    const { length } = result.text;
    findings.expect(
      length <= getPageLength() + FOOTER,
      `${quoteSample(call)} sets paged: true and returns ${length} characters. A page has at most ${getPageLength()}; remove paged and bae cuts it.`,
    );
    return;
  }
  const size = countUnits(result.text);
  findings.expect(size <= CAP, `${quoteSample(call)} gives ${size} units, the cap is ${CAP}.`);
  if (result.ref === undefined || result.pruned === undefined) return;
  const isKept = (await readPages(open, result.ref)) === readWholeText({ result, runs });
  findings.expect(isKept, `${quoteSample(call)}: following ${result.ref} does not give back what was cut.`);
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
    // The next page begins inside a line when it names the one that this page ends in.
    const line = /^line (\d+) /.exec(position)?.[1];
    const isInsideLine = line !== undefined && next?.includes(`:${line}@`) === true;
    if (next !== undefined && !isInsideLine) text += '\n';
    tag = next;
  }
  return text;
}

function lackSamples({ definition, samples }: OpenSpace, findings: Findings): void {
  for (const { name, effect } of Object.values(definition.tools)) {
    const needsSample =
      effect === 'write' && name !== 'write' && name !== 'edit' && samples.calls?.[name] === undefined;
    if (needsSample) findings.lack(`samples.calls.${name}, arguments that work: { … }`);
  }
}

const FIELDS = ['text', 'format', 'paged', 'whole', 'rows', 'hint', 'errors'];
const FORMATS = ['markdown', 'plain', 'code', 'json', 'log', 'diff', 'csv', 'html', 'rows'];

const EMPTY_TEXT = 'an empty text. Say that there is nothing.';

/** Why a return value is not a good result, as the end of a sentence; undefined when it is. */
export function findOutputProblem(returned: unknown): string | undefined {
  if (returned === undefined || returned === null)
    return 'nothing, which reads (no output). Say what was done or found.';
  if (typeof returned === 'string') return returned.trim() === '' ? EMPTY_TEXT : undefined;
  const { text, rows, format, whole } = returned as Readonly<Record<string, unknown>>;
  if (typeof text !== 'string') return undefined;
  const other = Object.keys(returned).find((key) => !FIELDS.includes(key));
  if (other !== undefined)
    return `a text with the field ${other}, so that all of it is shown as JSON. A result has ${FIELDS.join(', ')}.`;
  if (text.trim() === '') return EMPTY_TEXT;
  const isCount = rows === undefined || (Number.isInteger(rows) && (rows as number) >= 0);
  if (!isCount) return `rows: ${JSON.stringify(rows)}. It is how many rows the whole result has.`;
  if (whole !== undefined && typeof whole !== 'function')
    return 'whole as something else than a function. It is called when code makes the call, and returns the whole text.';
  const isFormat = format === undefined || FORMATS.includes(format as string);
  return isFormat ? undefined : `format: ${JSON.stringify(format)}. There are ${FORMATS.join(', ')}.`;
}

/** Why what code gets instead of a part is neither text nor data; undefined when it is, or there is none. */
async function findWholeProblem(returned: unknown): Promise<string | undefined> {
  const { whole } = Object(returned) as { readonly whole?: unknown };
  if (typeof whole !== 'function') return undefined;
  const value: unknown = await (returned as { whole(): unknown }).whole();
  if (typeof value === 'string') return undefined;
  return typeof value === 'object' && value !== null
    ? checkJson(value, '', [])
    : 'whole as a function that gives neither text nor data.';
}

/** Why JSON cannot hold a return value, as the end of a sentence; undefined when it can. */
export function findJsonProblem(returned: unknown): string | undefined {
  if (typeof returned !== 'object' || returned === null || !('whole' in returned)) return checkJson(returned, '', []);
  const { whole: _, ...rest } = returned;
  return checkJson(rest, '', []);
}

function checkJson(value: unknown, path: string, above: readonly unknown[]): string | undefined {
  if (typeof value === 'number' && !Number.isFinite(value)) return describeProblem(String(value), path);
  if (['bigint', 'symbol', 'function'].includes(typeof value)) return describeProblem(`a ${typeof value}`, path);
  if (typeof value !== 'object' || value === null) return undefined;
  // Dates, for example, define how they are written.
  if ('toJSON' in value && typeof value.toJSON === 'function') return undefined;
  if (above.includes(value)) return describeProblem('an object that contains itself', path);
  if (Array.isArray(value)) return checkEntries(value.entries(), path, [...above, value]);
  const prototype = Object.getPrototypeOf(value) as object | null;
  const isPlain = prototype === Object.prototype || prototype === null;
  return isPlain
    ? checkEntries(Object.entries(value), path, [...above, value])
    : describeProblem(`a ${value.constructor.name}`, path);
}

function checkEntries(
  entries: Iterable<[string | number, unknown]>,
  path: string,
  above: readonly unknown[],
): string | undefined {
  for (const [key, value] of entries) {
    // Errors of single items are not part of the text.
    if (value instanceof Error && path === 'errors') continue;
    const name = typeof key === 'number' ? `[${key}]` : `${path === '' ? '' : '.'}${key}`;
    const problem = checkJson(value, `${path}${name}`, above);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function describeProblem(what: string, path: string): string {
  const where = path === '' ? '' : ` (in ${path})`;
  return `${what}${where}, which JSON cannot hold. Return a text, or plain objects and lists.`;
}
