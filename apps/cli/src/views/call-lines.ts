import { asModelText } from '@bae/core';
import { parse } from '@bae/core/pipeline';
import { groupDigits, padToWidth, splitVisibleLines, wrapLine, type Painter } from '../terminal/terminal-text.ts';
import { paintCode } from '../terminal/markdown.ts';
import type { KnownNames } from '../space-outline.ts';

/** Maximum time between consecutive calls that are folded, in milliseconds; longer for calls in code. */
const TOGETHER_MS = 100;
const IN_CODE_MS = 2000;
/** Minimum number of calls that are folded. */
const FEWEST = 3;

/** Summary of a successful call with a count: `[source] ◆ read(a) -> string (3 lines)`, `◆ delete_rows(7) (1 line)`. */
const COUNTED = /^((?:\[[^\]]*\] )?◆ )([\w.-]+)\(.*\)( -> \w+)? \(([\d,]+) (lines?|match(?:es)?|rows?|chars?)\b.*\)$/s;

/** Facts that determine the colour of a line. */
export interface CallOutcome {
  readonly ok: boolean;
  readonly failed?: boolean;
  readonly pruned?: boolean;
}

interface Held {
  /** Lines of the calls, while there are few. */
  readonly lines: string[];
  calls: number;
  readonly head: string;
  readonly verb: string;
  /** ` -> string`, or nothing. */
  readonly type: string;
  readonly unit: string;
  count: number;
}

/**
 * Creates a printer for lines of calls. Three or more consecutive calls of one tool become a single line:
 * `◆ read ×48 -> string (1,213 lines)`. `end` prints the lines that are still held back.
 *
 * @param print receives a summary, folded or not, and whether the call succeeded
 * @param beforeWrite calls a function before anything else is written, such as a question, which then stands below
 */
export function createCallLines(
  print: (summary: string, event: CallOutcome) => void,
  beforeWrite: (call: () => void) => void,
) {
  let held: Held | undefined;
  let timer: NodeJS.Timeout | undefined;
  const end = (): void => {
    clearTimeout(timer);
    const { lines = [], calls = 0, head, verb, type = '', count = 0, unit = '' } = held ?? {};
    held = undefined;
    if (calls < FEWEST) for (const line of lines) print(line, { ok: true });
    else print(`${head}${verb} ×${calls}${type} (${groupDigits(count)} ${unit})`, { ok: true });
  };
  const add = (summary: string, event: CallOutcome, isFromCode = false): void => {
    const isDone = event.ok && event.failed !== true;
    const [, head = '', verb = '', type = '', count = '', unit = ''] = (isDone && COUNTED.exec(summary)) || [];
    const plural = PLURALS[unit] ?? unit;
    if (held !== undefined && (held.head !== head || held.verb !== verb || held.unit !== plural)) end();
    if (verb === '') return print(summary, event);
    beforeWrite(end);
    held ??= { lines: [], calls: 0, head, verb, type, unit: plural, count: 0 };
    if (++held.calls < FEWEST) held.lines.push(summary);
    held.count += Number(count.replaceAll(',', ''));
    clearTimeout(timer);
    timer = setTimeout(end, isFromCode ? IN_CODE_MS : TOGETHER_MS);
  };
  return { add, end };
}

const PLURALS: Readonly<Record<string, string>> = { line: 'lines', match: 'matches', row: 'rows', char: 'chars' };

const CALL = /^(?:await\s+)?((?!console\b)[\p{L}_$][\p{L}\p{N}_$]*(?:\.[\p{L}\p{N}_$]+)*)\s*\(/u;
/** String literal. */
const STRING = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\$]|\\.)*`/g;

/**
 * Lists the functions called by code that consists only of calls with literals, one per line; undefined for other code.
 * If these are tools, the lines about the calls show everything.
 */
export function parseLoneCalls(code: string): readonly string[] | undefined {
  const lines = code
    .replaceAll(STRING, '""')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const names = lines.map(parseLoneCall);
  return names.length > 0 && names.every((name) => name !== undefined) ? names : undefined;
}

function parseLoneCall(line: string): string | undefined {
  const [head = '', name] = CALL.exec(line) ?? [];
  return name !== undefined && /^[^()`]*\)\s*;?$/.test(line.slice(head.length)) ? name : undefined;
}

export interface RunPanel {
  readonly title: string;
  readonly code: string;
  readonly ok: boolean;
  readonly output: string;
  readonly ms: number;
  readonly columns: number;
  /** True to show all of the code, and to divide long lines. Default: false. */
  readonly whole?: boolean;
}

/** Minimum width of the frame, in columns. */
const NARROWEST = 24;
/** Maximum number of lines of code in a frame, and how many are shown of longer code. */
const MOST_LINES = 40;
const LINES_OF_MORE = 30;

/**
 * Renders a frame as wide as the terminal, with the code, its output and the time. Unless it is whole, long lines are
 * cut, and of long code the beginning is shown.
 */
export function renderRunPanel(panel: RunPanel, paint: Painter): string {
  const { title, code, ok, output, ms, columns, whole = false } = panel;
  const inner = Math.max(columns, NARROWEST) - 4;
  const side = paint('quiet', '│');
  const frame = (line: string, paintLine: (line: string) => string): string =>
    `${side} ${paintLine(padToWidth(line, inner))} ${side}`;
  const rows = (text: string, paintLine: (line: string) => string) =>
    splitVisibleLines(text)
      .flatMap((line) => (whole ? wrapLine(line, inner) : [line]))
      .map((line) => frame(line, paintLine));
  const lines = code.split('\n');
  const more = !whole && lines.length > MOST_LINES ? lines.length - LINES_OF_MORE : 0;
  const shown = more === 0 ? code : lines.slice(0, LINES_OF_MORE).join('\n');
  const paintResult = (line: string): string => {
    if (!ok) return paint('error', line);
    return output === '' ? paint('debug', line) : line;
  };
  return [
    paint('quiet', `╭─ ${padToWidth(`${title} ${'─'.repeat(inner)}`, inner - 1).replace(/…$/, '─')}─╮`),
    ...rows(shown, (line) => paintCode(line, paint)),
    ...(more === 0 ? [] : [frame(`… ${groupDigits(more)} more lines`, (line) => paint('debug', line))]),
    paint('quiet', `├${'─'.repeat(inner + 2)}┤`),
    ...rows(output === '' ? '(executed)' : output, paintResult),
    paint('quiet', `╰${` ${formatDuration(ms)} ─╯`.padStart(inner + 3, '─')}`),
  ].join('\n');
}

function formatDuration(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** What bae says to a model about the person, and how it is said to the person. */
const WORDS: readonly (readonly [model: RegExp | string, person: string])[] = [
  ['the user said no. Ask what to do instead.', 'you said no.'],
  [
    /the user refused (.+); that was not written\.(.*) Ask what to do instead\./,
    'you refused $1; that was not written.$2',
  ],
  [' Say what should be in it, so that the user can write it.', ' You can write it in an editor of your own.'],
];

/** A tag that bae writes in its messages. */
const TAG = /<[\w.-]+:[^<>\n]*>/g;

/** A call as a person typed it. */
export interface TypedCall {
  readonly tag: string;
  readonly verb: string;
}

/**
 * Rewrites a message of bae to a model for the person who typed the call: about them, and in their notation.
 *
 * @param call default: code, whose errors have its notation already
 */
export function toPersonWords(text: string, call?: TypedCall, names?: KnownNames): string {
  const said = WORDS.reduce((rest, [model, person]) => rest.replace(model, person), text);
  return call === undefined || names === undefined || isTypedAsTag(call)
    ? said
    : said.replaceAll(TAG, (tag) => writeAsCall(tag, names));
}

/** Returns true for `<R:a.ts>`. A call that was typed as `read("a.ts")` has the whole name of its tool. */
function isTypedAsTag({ tag, verb }: TypedCall): boolean {
  const [, name] = /^<(?:[\w-]+\.)*([\w-]+):/.exec(tag) ?? [];
  return name !== undefined && name !== verb;
}

/** Writes `<R:a.ts>` as `read("a.ts")`; other tags are left as they are. */
function writeAsCall(tag: string, names: KnownNames): string {
  const { calls } = parse(asModelText(tag), names);
  const [call, ...more] = calls;
  if (call === undefined || more.length > 0 || call.arg.includes('=')) return tag;
  const space = call.space === undefined ? '' : `${call.space}.`;
  return `${space}${call.verb}(${call.arg === '' ? '' : JSON.stringify(call.arg)})`;
}

/** Code with which a program ended, the first line of what a command printed. */
const END = /^(exit (\d+)|killed)[^\n]*(?:\n|$)/;

/** Puts the end of a command behind what it printed, and leaves it out if the command ended well. */
export function moveEndBehind(text: string): string {
  const [line = '', , code] = END.exec(text) ?? [];
  if (line === '') return text;
  const output = text.slice(line.length);
  if (code === '0') return output;
  return [output.replace(/\n$/, ''), line.trimEnd()].filter((part) => part !== '').join('\n');
}
