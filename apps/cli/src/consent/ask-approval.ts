import type { ApprovalRequest } from '@bae/core';
import { openLineReader, type LineReader } from '../terminal/line-reader.ts';
import type { Terminal } from '../terminal/terminal.ts';
import {
  createPainter,
  truncate,
  makeLineVisible,
  splitVisibleLines,
  type Paint,
  type Painter,
} from '../terminal/terminal-text.ts';
import type { AskPerson } from './approver.ts';

/** A word, whose first letter is enough, with its meaning and the answer it stands for. */
type Choice<T> = readonly [word: string, meaning: string, answer: T];

export interface Question<T> {
  /** What may be done: `run` asks `run it?` */
  readonly verb: string;
  readonly choices: readonly Choice<T>[];
  /** Shown whole for `d`. */
  readonly change?: string | undefined;
  /** True when not all of the change was shown, so that `d` is offered. */
  readonly clipped?: boolean;
}

export interface Keyboard {
  readonly terminal: Terminal;
  readonly reader: Pick<LineReader, 'fresh' | 'onInterrupt'>;
}

/** Asks until the input is valid; undefined when it ended. Only what is typed after the question counts. */
async function askQuestion<T>(
  { verb, choices, change, clipped = false }: Question<T>,
  { terminal: { out }, reader }: Keyboard,
  signal: AbortSignal,
): Promise<T | undefined> {
  const offered = choices.map(([word, meaning]) => `${word[0]} = ${meaning}`);
  const prompt = `${verb} it? ${[...offered, ...(clipped ? ['d = the whole change'] : [])].join(', ')}: `;
  for (;;) {
    const line = await reader.fresh(prompt, signal);
    if (line.kind === 'interrupt') reader.onInterrupt();
    if (line.kind !== 'line') return undefined;
    const typed = line.text.trim().toLowerCase();
    const choice = choices.find(([word]) => typed === word || typed === word[0]);
    if (choice !== undefined) return choice[2];
    if (typed === 'd' && change !== undefined)
      out.write(`${renderDiff(change, { paint: createPainter(out) }).join('\n')}\n`);
  }
}

/** Opens the keyboard for one question. */
export async function askOnce<T>(
  question: Question<T>,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<T | undefined> {
  const reader = openLineReader(terminal);
  try {
    return await askQuestion(question, { terminal, reader }, signal);
  } finally {
    reader.close();
  }
}

/** Shows what a call would change, and asks at the keyboard whether it may run. */
export function askAtTerminal(keyboard: Keyboard): AskPerson {
  const { out } = keyboard.terminal;
  return async (request, signal) => {
    const paint = createPainter(out);
    const preview = await previewCall(request);
    if (signal.aborted) return { decision: 'deny' };
    const { text, clipped } = renderApproval(request, preview, { columns: out.columns(), rows: out.rows(), paint });
    out.write(`${text}\n`);
    const question = { verb: 'run', choices: listChoices(request), change: preview.change, clipped };
    return (await askQuestion(question, keyboard, signal)) ?? { decision: 'deny' };
  };
}

/** What a call would change, or why it would fail; neither when its tool has no preview. */
export interface Preview {
  readonly change?: string;
  readonly failure?: string;
}

async function previewCall(request: ApprovalRequest): Promise<Preview> {
  try {
    return request.preview === undefined ? {} : { change: await request.preview() };
  } catch (error) {
    return { failure: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
  }
}

/** The call, its location, and what it would change as far as the screen goes; without a preview, its arguments. */
export function renderApproval(
  request: ApprovalRequest,
  preview: Preview,
  style: ScreenStyle,
): { readonly text: string; readonly clipped: boolean } {
  const { columns, paint } = style;
  const { tag, space, args } = request;
  const head = `${paint('hint', '?')} ${paint('strong', makeLineVisible(tag))} in ${space} ${describeEffect(request)}:`;
  if (preview.change !== undefined) {
    const { lines, clipped } = clipDiff(preview.change, style);
    return { text: [head, ...lines].join('\n'), clipped };
  }
  const lines = Object.entries(args).flatMap((argument) => renderArgument(argument, columns));
  if (preview.failure !== undefined) lines.push(paint('error', `  it would fail: ${makeLineVisible(preview.failure)}`));
  return { text: [head, ...lines].join('\n'), clipped: false };
}

function describeEffect({ effect, reason }: ApprovalRequest): string {
  if (reason !== undefined) return `needs consent, because ${makeLineVisible(reason)}`;
  return effect === 'external' ? 'reaches beyond this machine' : 'changes something here';
}

/** Lines of a long argument that are shown. */
const LINES = 8;

function renderArgument([name, value]: readonly [string, unknown], columns: number): readonly string[] {
  const lines = splitVisibleLines(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
  if (lines.length === 1) return [truncate(`  ${name}: ${lines[0]}`, columns)];
  const shown = lines.slice(0, LINES).map((line) => truncate(`  | ${line}`, columns));
  const more = lines.length - shown.length;
  return [`  ${name}:`, ...shown, ...(more > 0 ? [renderMore(more)] : [])];
}

/** Longest name in the question, in columns. */
const NAME = 40;

type Reply = NonNullable<Awaited<ReturnType<AskPerson>>>;

function listChoices({ tool, space, target, reason }: ApprovalRequest): readonly Choice<Reply>[] {
  const folder = target.slice(0, Math.max(target.lastIndexOf('/'), 0));
  const rememberTool = { decision: 'allow', remember: 'tool' } as const;
  const rememberTarget = { decision: 'allow', remember: 'target' } as const;
  const inFolder = `always ${shorten(tool)} below ${shorten(folder)}/`;
  return [
    ['yes', 'yes', { decision: 'allow' }],
    reason === undefined
      ? ['always', `always ${shorten(tool)} in ${shorten(space)}`, rememberTool]
      : ['always', `always for ${shorten(target)}`, rememberTarget],
    ...(reason === undefined && folder !== '' ? [['folder', inFolder, rememberTarget] as const] : []),
    ['no', 'no', { decision: 'deny' }],
  ];
}

function shorten(name: string): string {
  return truncate(makeLineVisible(name), NAME);
}

interface DiffStyle {
  /** Width that lines are cut to; absent to show them whole. */
  readonly columns?: number;
  readonly paint: Painter;
}

/** The style of a diff that is cut to the screen. */
interface ScreenStyle extends Required<DiffStyle> {
  readonly rows: number;
}

/** A unified diff, or another description of a change: coloured, and indented so that no line looks like one of bae's. */
function renderDiff(text: string, { columns, paint }: DiffStyle): readonly string[] {
  if (text === '') return ['  (nothing would change)'];
  const lines = splitVisibleLines(text);
  const firstHunk = lines.findIndex((line) => line.startsWith('@@'));
  return lines.map((line, index) => {
    const indented = columns === undefined ? `  ${line}` : truncate(`  ${line}`, columns);
    const kind = index < firstHunk ? 'strong' : KINDS[line[0] ?? ''];
    return kind === undefined ? indented : paint(kind, indented);
  });
}

/** Least lines of a change that are shown, and lines that the rest of the question takes. */
const FEWEST = 5;
const AROUND = 4;

/** As much of a change as the screen holds, with the number of lines left out. */
export function clipDiff(
  text: string,
  { rows, ...style }: ScreenStyle,
): { readonly lines: readonly string[]; readonly clipped: boolean } {
  const lines = renderDiff(text, style);
  const more = lines.length - Math.max(rows - AROUND, FEWEST);
  return more <= 0 ? { lines, clipped: false } : { lines: [...lines.slice(0, -more), renderMore(more)], clipped: true };
}

function renderMore(lines: number): string {
  return `  … ${lines} more ${lines === 1 ? 'line' : 'lines'}`;
}

const KINDS: Readonly<Record<string, Paint>> = { '+': 'code', '-': 'error', '@': 'hint' };
