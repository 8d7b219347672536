import type { ParseProblem, ToolCall } from '../protocol/tool-call.ts';
import type { FeedbackItem, ToolResult } from '../protocol/tool-result.ts';
import { VERBS } from '../protocol/verbs.ts';
import { formatCount } from '../text-size/text-size.ts';
import { BaeError } from '../errors/bae-error.ts';

interface FeedbackParts {
  /** Six hexadecimal digits drawn once per session. */
  readonly nonce: string;
  readonly items: readonly FeedbackItem[];
  /** Outputs of run blocks, one for each. */
  readonly outputs: readonly string[];
  readonly problems: readonly ParseProblem[];
  /** Sentences for the end of the message, without their `[Note]`. */
  readonly notes: readonly string[];
}

/** Renders the message that follows a response: results in call order, then parse problems, then notes. */
export function renderFeedback({ nonce, items, outputs, problems, notes }: FeedbackParts): string {
  const blocks: string[] = [];
  if (items.length > 0)
    blocks.push(
      wrapInEnvelope(
        'Tool output',
        nonce,
        shortenRepeated(items).map((item, index) => renderItem(item, index, nonce)),
      ),
    );
  if (outputs.length > 0)
    blocks.push(
      wrapInEnvelope(
        'Output',
        nonce,
        outputs.map((output) => disarm(orNothing(output), nonce)),
      ),
    );
  for (const { line, message } of problems) blocks.push(`[Parse problem] line ${line}: ${message}`);
  for (const note of notes) blocks.push(`[Note] ${note}`);
  return blocks.join('\n');
}

function wrapInEnvelope(kind: 'Tool output' | 'Output', nonce: string, parts: readonly string[]): string {
  return `[${kind} ${nonce}]\n${parts.join('\n---\n')}\n[end ${nonce}]`;
}

/**
 * A line that looks like the separator between two results, or is shown instead of one: the latter also behind what
 * results or a diff put before a line, `12|`, `+12|`, `src/a.ts:12: ` and `+`.
 */
const SEPARATOR =
  /^(?<before>[^\S\n\r]*)\\*---(?=[^\S\n\r]*$)|^(?<shown>(?:[ +-]?[^\S\n\r]*\d+\||\S+:\d+: |[+-])[^\S\n\r]*)\\+---(?=[^\S\n\r]*$)/gm;

/** Tests whether a text has a line that is shown with one backslash more. */
export function hasSeparator(text: string): boolean {
  return text.includes('---') && text.search(SEPARATOR) !== -1;
}

/** Returns a text that was copied from results as it was before it was shown: `\---` is a line `---` again. */
export function restoreSeparators(text: string): string {
  if (!text.includes('\\---')) return text;
  return replaceSeparators(text, (line) => line.replace(/^\\/, ''));
}

/** Replaces what looks like a separator, without what is before it in its line. */
function replaceSeparators(text: string, replace: (line: string) => string): string {
  return text.replace(SEPARATOR, (line: string, before?: string, shown?: string) => {
    const start = before ?? shown ?? '';
    return start + replace(line.slice(start.length));
  });
}

/**
 * Returns a text that cannot be mistaken for a part of the frame: a line that looks like a separator gets a backslash,
 * and any other line of the frame with the session's nonce has its first character replaced.
 */
function disarm(text: string, nonce: string): string {
  const separated = text.includes('---') ? replaceSeparators(text, (line) => `\\${line}`) : text;
  if (!separated.toLowerCase().includes(nonce)) return separated;
  const frame = new RegExp(`\\[(\\s*(?:Tool output|Output|end)\\s+${nonce})`, 'gi');
  const header = new RegExp(`#(\\d+\\s+${nonce})`, 'gi');
  return separated.replace(frame, '［$1').replace(header, '＃$1');
}

/** Minimum length of a text that is replaced by a reference. */
const SHORTEST_REFERENCE = 80;

/**
 * Replaces a text that repeats an earlier result by the number of that result; errors count as equal if only their
 * `Try:` differs.
 */
function shortenRepeated(items: readonly FeedbackItem[]): readonly FeedbackItem[] {
  const numbers = new Map<string, number>();
  return items.map((item, index) => {
    const { status, text } = item;
    const isResult = status === 'ok' || status === 'failed';
    const fact = isResult ? text : text.replace(/\nTry: [^]*$/, '');
    const key = `${status} ${fact}`;
    const before = numbers.get(key);
    if (before === undefined) numbers.set(key, index + 1);
    if (before === undefined || text.length < SHORTEST_REFERENCE) return item;
    if (isResult) return { ...item, text: `same as #${before} above` };
    const names = Array.from(fact.matchAll(/^- ([\w.-]+): /gm), ([, name]) => name).join(', ');
    return { ...item, text: `${status}: as #${before}${names && ` (${names})`}` };
  });
}

function renderItem({ tag, space, status, where, text }: FeedbackItem, index: number, nonce: string): string {
  const place = where === undefined ? '' : `, ${disarm(where, nonce)}`;
  return `#${index + 1} ${nonce} ${tag} [${space}] ${status}${place}\n${disarm(orNothing(text), nonce)}`;
}

function orNothing(text: string): string {
  return text === '' ? '(no output)' : text;
}

const LONGEST_ARGUMENT = 60;
const LISTING = new Set(['glob', 'grep']);
/** Maximum number of elements and depth of a value that a summary shows. */
const MOST_ELEMENTS = 8;
const DEEPEST = 2;

/**
 * Summarizes a call in one line for people, with counts of the whole result: `[source] ◆ read(core.router) -> string
 * (42 lines)`, and for a tool with a name of its own `◆ delete_rows(ids=[1, 2]) (1 line)`.
 */
export function summarizeCall(call: ToolCall, result: ToolResult): string {
  const where = result.space === 'home' ? '' : `[${result.space}] `;
  const head = `${where}◆ ${call.verb}(${shortenArgument(renderArguments(call))})`;
  if (!result.ok) return `${head} -> ${result.errorType ?? 'Error'}`;
  // Code received the full result.
  const isCut = result.pruned !== undefined && result.value === undefined;
  const cut = isCut ? `, pruned to ${result.pruned.shown}` : '';
  const type = (VERBS as readonly string[]).includes(call.verb) ? ' -> string' : '';
  return `${head}${type} (${measure(call, result)}${cut})`;
}

/**
 * Returns the arguments of a call as a tag has them, or the first line of its body if it has none: a command may be
 * written there.
 */
function renderArguments({ arg, kwargs = {}, body = '' }: ToolCall): string {
  const named = Object.entries(kwargs).slice(0, MOST_ELEMENTS);
  const words = [arg.trim(), ...named.map(([name, value]) => `${name}=${renderArgumentValue(value)}`)];
  return words.filter((word) => word !== '').join(' ') || body.trim().split('\n', 1)[0]!;
}

/** Renders the beginning of a value on one line, without reading all of a large one. */
function renderArgumentValue(value: unknown, depth = 0): string {
  if (typeof value === 'string') {
    const start = value.slice(0, 2 * LONGEST_ARGUMENT);
    return depth === 0 && /^\S+$/.test(start) ? start : JSON.stringify(start);
  }
  if (typeof value !== 'object' || value === null) return String(value);
  if (depth === DEEPEST) return '…';
  if (Array.isArray(value))
    return `[${value
      .slice(0, MOST_ELEMENTS)
      .map((one) => renderArgumentValue(one, depth + 1))
      .join(', ')}]`;
  const fields = Object.entries(value).slice(0, MOST_ELEMENTS);
  return `{${fields.map(([name, one]) => `${name}: ${renderArgumentValue(one, depth + 1)}`).join(', ')}}`;
}

/** Summarizes a move in one line: `◆ source > meta`, `◆ home`. */
export function summarizeMove(path: readonly string[]): string {
  return `◆ ${path.length === 0 ? 'home' : path.join(' > ')}`;
}

function measure(call: ToolCall, result: ToolResult): string {
  if (result.hint !== undefined) return result.hint;
  if (result.rows === undefined) return formatCount(result.lines, 'line');
  return formatCount(result.rows, LISTING.has(call.verb) ? 'match' : 'row');
}

function shortenArgument(arg: string): string {
  // A character has at most two UTF-16 code units.
  const line = arg.slice(0, 2 * (LONGEST_ARGUMENT + 1)).replaceAll(/\r?\n/g, '⏎');
  const points = Array.from(line);
  return points.length <= LONGEST_ARGUMENT ? line : `${points.slice(0, LONGEST_ARGUMENT - 1).join('')}…`;
}

const NO_MESSAGE = '(no message)';

/** An error before it becomes text: what happened, and what to do. */
export interface ExplainedError {
  /** `Name: message`. */
  readonly fact: string;
  /** Calls and places that are suggested, one a line. */
  readonly remedies: readonly string[];
}

interface ErrorDetails extends Pick<ToolResult, 'missing' | 'toolAt'> {
  readonly errorType: string;
  /** Stack trace for debug views; present for errors that were not thrown intentionally. */
  readonly stack?: string;
}

interface RenderedError extends ErrorDetails {
  /** The fact, and a line `Try: ` for each remedy. */
  readonly text: string;
}

/** Renders any thrown value: see `explainThrown`. */
export function renderError(error: unknown, rewriteHint?: (hint: string) => string): RenderedError {
  const { fact, remedies, ...details } = explainThrown(error, rewriteHint);
  return { text: joinRemedies({ fact, remedies }), ...details };
}

export function joinRemedies({ fact, remedies }: ExplainedError): string {
  return [fact, ...remedies.map((one) => `Try: ${one}`)].join('\n');
}

/**
 * Explains any thrown value: a bae error in full, because it is written for the model, any other by its first line.
 *
 * @param rewriteHint adapts a hint to its reader. Default: leaves it unchanged
 */
export function explainThrown(
  error: unknown,
  rewriteHint = (hint: string): string => hint,
): ExplainedError & ErrorDetails {
  try {
    if (BaeError.is(error)) {
      const { missing, toolAt } = error as Pick<ToolResult, 'missing' | 'toolAt'>;
      const remedies = listRemedies(error.hints.map(rewriteHint));
      return {
        ...startExplanation(error.name, error.message),
        remedies,
        ...(missing && { missing }),
        ...(toolAt && { toolAt }),
      };
    }
    if (!isErrorLike(error)) return startExplanation('Error', takeFirstLine(describeThrown(error)));
    const stack = typeof error.stack === 'string' ? { stack: error.stack } : {};
    return { ...startExplanation(getClassName(error), takeFirstLine(error.message)), ...stack };
  } catch {
    // Any value can be thrown, even one that throws when its fields are read.
    return startExplanation('Error', NO_MESSAGE);
  }
}

function startExplanation(errorType: string, message: string): ExplainedError & ErrorDetails {
  return { fact: `${errorType}: ${message}`, errorType, remedies: [] };
}

const MENTION = /^[^\s<>@()]+\(\)$/;

/** Lists one remedy a line, so that each can be typed as it is; places to choose from are one line. */
function listRemedies(hints: readonly string[]): readonly string[] {
  const places = hints.filter((hint) => MENTION.test(hint));
  const others = hints.filter((hint) => !MENTION.test(hint));
  return [...new Set([...others, ...(places.length > 0 ? [places.join(', ')] : [])])];
}

/** Errors of another realm are not instances of this realm's Error, so only their shape is checked. */
function isErrorLike(value: unknown): value is Error {
  if (typeof value !== 'object' || value === null) return false;
  const { name, message } = value as Partial<Error>;
  return typeof name === 'string' && typeof message === 'string';
}

function getClassName(error: Error): string {
  if (error.name !== 'Error' && error.name !== '') return error.name;
  const name = error.constructor?.name ?? '';
  return name === '' || name === 'Object' ? 'Error' : name;
}

function describeThrown(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return String(thrown);
  try {
    return JSON.stringify(thrown) ?? '';
  } catch {
    return Object.prototype.toString.call(thrown);
  }
}

function takeFirstLine(text: string): string {
  return text.trim().split(/\r?\n/, 1)[0] || NO_MESSAGE;
}
