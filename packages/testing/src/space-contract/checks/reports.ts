import { setTimeout as sleep } from 'node:timers/promises';
import { quoteFirstLine, quoteSample, type OpenSpace, type ToolReport, type ToolRun } from '../open-space.ts';
import { defineCheck, type Findings, type SpaceCheckSpec } from '../run-check.ts';
import { listKnownCalls } from '../sample-calls.ts';
import type { SampleCall } from '../space-samples.ts';

/** Checks that a running tool's reports and questions can be shown, and end with the call. */
export const REPORT_CHECKS: readonly SpaceCheckSpec[] = [
  defineCheck(
    'reports progress and output that can be shown',
    (open) => listRuns(open, 'progress', 'output'),
    checkReports,
  ),
  defineCheck('asks what can be answered', (open) => listRuns(open, 'question', 'prompt'), checkQuestions),
  defineCheck(
    'can be refused an answer',
    (open) => listRuns(open, 'question', 'prompt'),
    async function* look({ call }, _open, openAnother) {
      const other = await openAnother();
      other.isAnswered = false;
      const { result } = await other.call(call);
      if (result.errorType === undefined || !MISTAKES.has(result.errorType)) return;
      const remedy = 'context.ask() returns undefined when the user does not answer, context.model() throws.';
      yield `${quoteSample(call)} breaks when its question is refused: ${quoteFirstLine(result.text)} ${remedy}`;
    },
  ),
];

/** Errors that are never thrown intentionally. */
const MISTAKES: ReadonlySet<string> = new Set(['TypeError', 'ReferenceError', 'RangeError', 'SyntaxError', 'ZodError']);
/** Time during which a call that is over must report nothing more, in milliseconds. */
const LATE_MS = 20;
const LONGEST_STEP = 100;

interface KnownRun {
  readonly call: SampleCall;
  readonly run: ToolRun;
}

/** Lists the runs of known calls that have a report of one of these types. */
async function listRuns(open: OpenSpace, ...types: readonly ToolReport['type'][]): Promise<readonly KnownRun[]> {
  const found: KnownRun[] = [];
  for (const call of await listKnownCalls(open)) {
    const { runs } = await open.call(call);
    found.push(...runs.map((run) => ({ call, run })));
  }
  await sleep(LATE_MS);
  return found.filter(({ run }) => [...run.reports, ...run.late].some(({ type }) => types.includes(type)));
}

function* checkReports({ call, run: { reports, late } }: KnownRun): Findings {
  const name = quoteSample(call);
  let last = 0;
  for (const report of reports) {
    if (report.type === 'output' && typeof report.text !== 'string')
      yield `${name} calls context.output() with ${quoteReported(report.text)}. Give it a text.`;
    if (report.type !== 'progress') continue;
    const { done, total, text } = report;
    if (!isAmount(done) || (total !== undefined && !isAmount(total))) {
      yield `${name} calls context.progress(${quoteReported(done)}, ${quoteReported(total)}). Give it numbers from 0.`;
      continue;
    }
    if (total !== undefined && done > total)
      yield `${name} reports ${done} of ${total}. Leave out the total when it is not known.`;
    if (done < last)
      yield `${name} reports ${done} after ${last}. Progress only grows: add up what is done in all steps.`;
    if (text !== undefined && (typeof text !== 'string' || text.includes('\n') || text.length > LONGEST_STEP))
      yield `${name} describes a step by ${quoteReported(text)}. Say it in a few words on one line; what is printed goes to context.output().`;
    last = Math.max(last, done);
  }
  if (late.length > 0)
    yield `${name} reports ${late[0]!.type === 'output' ? 'output' : 'progress'} when it is over, which nobody sees. Await all work before you return.`;
  return undefined;
}

function* checkQuestions({ call, run }: KnownRun): Findings {
  for (const report of [...run.reports, ...run.late]) {
    const name = quoteSample(call);
    if (report.type === 'prompt' && (typeof report.prompt !== 'string' || report.prompt.trim() === ''))
      yield `${name} asks the model ${quoteReported(report.prompt)}. Give context.model() a text with all that it has to know.`;
    if (report.type !== 'question') continue;
    const { text, fields } = Object(report.question) as Partial<typeof report.question>;
    if (typeof text !== 'string' || text.trim() === '')
      yield `${name} asks without saying what for. Put it into text: { text: 'Which account?', fields: { … } }.`;
    const entries = Object.entries(Object(fields) as Readonly<Record<string, QuestionField>>);
    if (entries.length === 0)
      yield `${name} asks for nothing. Name what is to be answered: fields: { account: { type: 'string' } }.`;
    for (const [field, value] of entries) {
      const problem = findFieldProblem(value);
      if (problem !== undefined) yield `${name} asks for ${field} with ${problem}`;
    }
  }
  return undefined;
}

type QuestionField = Extract<ToolReport, { type: 'question' }>['question']['fields'][string];

const TYPES: readonly unknown[] = ['string', 'number', 'integer', 'boolean'];

/** Explains why a field cannot be answered, as the end of a sentence; returns undefined if it can. */
function findFieldProblem(field: QuestionField): string | undefined {
  const { type, oneOf, default: value } = Object(field) as Partial<QuestionField>;
  if (!TYPES.includes(type)) return `the type ${quoteReported(type)}. There are ${TYPES.join(', ')}.`;
  if (oneOf !== undefined && (!Array.isArray(oneOf) || oneOf.length === 0))
    return 'an empty oneOf. List the answers, or leave it out.';
  if (value === undefined) return undefined;
  const fits =
    typeof value === (type === 'integer' ? 'number' : type) && (type !== 'integer' || Number.isInteger(value));
  if (!fits) return `the default ${quoteReported(value)}, which is no ${type}.`;
  return oneOf === undefined || oneOf.includes(String(value))
    ? undefined
    : `the default ${quoteReported(value)}, which oneOf does not allow.`;
}

function isAmount(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

function quoteReported(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 60)) : String(value);
}
