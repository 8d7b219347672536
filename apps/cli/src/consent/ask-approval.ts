import type { ApprovalRequest } from '@bae/core';
import type { LineReader } from '../terminal/keyboard.ts';
import { openLineReader } from '../terminal/line-reader.ts';
import type { Terminal } from '../terminal/terminal.ts';
import {
  createPainter,
  truncate,
  makeLineVisible,
  splitVisibleDiff,
  splitVisibleLines,
  wrapLine,
  type Paint,
  type Painter,
} from '../terminal/terminal-text.ts';
import { wrapWords } from '../terminal/live-area.ts';
import type { AskPerson } from './approver.ts';
import { makeRule, type UserRules, isCommand } from './user-rules.ts';
import type { CommandContext } from '../command-line/command.ts';

/** Word, which may be shortened to its first letter, with its meaning and the answer that it gives. */
type Choice<T> = readonly [word: string, meaning: string, answer: T];

export interface Question<T> {
  /** Verb for the action: `run` asks `run it?` */
  readonly verb: string;
  /** Pronoun for what it is about. Default: it. */
  readonly object?: 'it' | 'them';
  readonly choices: readonly Choice<T>[];
  /** Lines that are shown for `d`. */
  readonly whole?: readonly string[] | undefined;
  /** True if only a part of the change was shown, so that `d` is offered. */
  readonly clipped?: boolean;
}

export interface Keyboard {
  readonly terminal: Terminal;
  readonly reader: Pick<LineReader, 'fresh' | 'onInterrupt'>;
  /** Storage for rules that a person creates when asked. Default: none. */
  readonly rules?: UserRules | undefined;
}

/** Asks until the input is valid; undefined if it ended. Only text typed after the question counts. */
export async function askQuestion<T>(
  { verb, object = 'it', choices, whole, clipped = false }: Question<T>,
  { terminal: { out }, reader }: Keyboard,
  signal: AbortSignal,
): Promise<T | undefined> {
  const offered = choices.map(([word, meaning]) => `${word[0]} = ${meaning}`);
  const prompt = `${verb} ${object}? ${[...offered, ...(clipped ? ['d = the whole change'] : [])].join(', ')}: `;
  for (;;) {
    const line = await reader.fresh(prompt, signal);
    if (line.kind === 'interrupt') reader.onInterrupt();
    if (line.kind !== 'line') return undefined;
    const typed = line.text.trim().toLowerCase();
    const choice = choices.find(([word]) => typed === word || typed === word[0]);
    if (choice !== undefined) return choice[2];
    if (typed === 'd' && whole !== undefined) out.write(`${whole.join('\n')}\n`);
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

/** Question with the answers yes and no. */
interface Confirmation extends Omit<Question<boolean>, 'choices'> {
  /** Meaning of yes. Default: yes. */
  readonly yes?: string;
  /** What is shown before. Default: nothing. */
  readonly about?: string;
  /** What has not been done where nobody can confirm it, such as `not undone`. */
  readonly refused: string;
  /** Command that can be confirmed with `--yes`. */
  readonly command: string;
}

/** Asks once for confirmation, unless `--yes` gives it. Ctrl-C and the end of the input mean no. */
export async function confirm(
  { yes = 'yes', about = '', refused, command, ...question }: Confirmation,
  { options, terminal, signal }: CommandContext,
): Promise<boolean> {
  if (options.yes) return true;
  if (!terminal.interactive) {
    reportNobody(refused, command, terminal);
    return false;
  }
  terminal.out.write(about);
  const choices = [
    ['yes', yes, true],
    ['no', 'no', false],
  ] as const;
  return (await askOnce<boolean>({ ...question, choices }, terminal, signal)) ?? false;
}

export function reportNobody(refused: string, command: string, { err }: Pick<Terminal, 'err'>): void {
  err.write(`bae: ${refused}: no one is available to confirm it.\nTry: ${command} --yes\n`);
}

/** Shows the change that a call would make, and asks at the keyboard for permission to run it. */
export function askAtTerminal(keyboard: Keyboard): AskPerson {
  const { out } = keyboard.terminal;
  return async (request, signal) => {
    const paint = createPainter(out);
    const preview = await previewCall(request);
    if (signal.aborted) return { decision: 'deny' };
    const style = { columns: out.columns(), rows: out.rows(), paint };
    const { text, clipped, whole } = renderApproval(request, preview, style);
    out.write(`${text}\n`);
    const { rules } = keyboard;
    const rule = makeRule(request);
    const choices = listChoices(request);
    // Inserted before `no`, which is the last choice.
    if (rules !== undefined && rule !== undefined)
      choices.splice(-1, 0, ['rule', `always, by a rule in ${rules.shownFile}`, 'by rule']);
    const question = { verb: 'run', choices, whole, clipped };
    const reply = (await askQuestion(question, keyboard, signal)) ?? { decision: 'deny' };
    if (reply === 'by file') return chooseFiles(request, keyboard, signal);
    if (reply !== 'by rule') return reply;
    const isKept = rules!.allow(rule!);
    const said = isKept
      ? `kept in ${rules!.shownFile}: ${JSON.stringify(rule)}`
      : `${rules!.shownFile} cannot be written.`;
    out.write(`${wrapWords(makeLineVisible(said), out.columns() - 1).join('\n')}\n`);
    return { decision: 'allow', remember: isCommand(request.target) ? 'target' : 'tool' };
  };
}

/** Shows the files of a change one by one, and asks about each. */
async function chooseFiles({ files = [] }: ApprovalRequest, keyboard: Keyboard, signal: AbortSignal): Promise<Reply> {
  const { out } = keyboard.terminal;
  const only: string[] = [];
  for (const { path, preview } of files) {
    const style = { columns: out.columns(), rows: out.rows(), paint: createPainter(out) };
    const whole = renderDiff(preview, style);
    const { lines, clipped } = clipLines(whole, style);
    out.write(`${lines.join('\n')}\n`);
    const choices = [
      ['yes', `yes, ${shorten(path)}`, true],
      ['no', 'no', false],
    ] as const;
    const isAllowed = await askQuestion({ verb: 'change', choices, whole, clipped }, keyboard, signal);
    if (isAllowed === undefined) return { decision: 'deny' };
    if (isAllowed) only.push(path);
  }
  return only.length === 0 ? { decision: 'deny' } : { decision: 'allow', only };
}

/** Change that a call would make, or the reason why it would fail; neither if its tool has no preview. */
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

/**
 * Renders the call, its location and its change or, without a preview, its arguments: first clipped to the screen, then
 * complete. Lines that are longer than the screen are divided, so that nothing is lost.
 */
export function renderApproval(
  request: ApprovalRequest,
  preview: Preview,
  style: ScreenStyle,
): { readonly text: string; readonly clipped: boolean; readonly whole: readonly string[] } {
  const { columns, paint } = style;
  const { tag, space, args } = request;
  const what = paint('strong', request.files === undefined ? makeLineVisible(tag) : describeBlock(request.files));
  const head = `${paint('hint', '?')} ${what} in ${space} ${describeEffect(request)}:`;
  if (preview.change !== undefined) {
    const whole = renderDiff(preview.change, style);
    const { lines, clipped } = clipLines(whole, style);
    return { text: [head, ...lines].join('\n'), clipped, whole };
  }
  const whole = Object.entries(args).flatMap((argument) => renderArgument(argument, columns));
  const { lines, clipped } = clipLines(whole, style);
  const { failure } = preview;
  const warning = failure === undefined ? [] : [paint('error', `  it would fail: ${makeLineVisible(failure)}`)];
  return { text: [head, ...lines, ...warning].join('\n'), clipped, whole };
}

function describeBlock({ length }: NonNullable<ApprovalRequest['files']>): string {
  return `<run>, ${length} ${length === 1 ? 'file' : 'files'},`;
}

function describeEffect(request: ApprovalRequest): string {
  const { effect, reason, target, destructive, openWorld, cost } = request;
  if (reason !== undefined) return `needs consent, because ${makeLineVisible(reason)}`;
  if (isCommand(target)) return 'runs a program';
  const clauses = [
    effect === 'external' ? 'reaches beyond this machine' : 'changes something here',
    ...(destructive === true ? ['may delete something that cannot be restored'] : []),
    ...(openWorld === true ? ['reaches data that anyone can change'] : []),
    ...(cost === undefined ? [] : [`costs ${makeLineVisible(cost)}`]),
  ];
  return clauses.join(', ');
}

function renderArgument([name, value]: readonly [string, unknown], columns: number): readonly string[] {
  const lines = splitVisibleLines(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
  if (lines.length === 1) return wrapLine(`  ${name}: ${lines[0]}`, columns);
  return [`  ${name}:`, ...lines.flatMap((line) => wrapLine(`  | ${line}`, columns))];
}

/** Maximum length of a name in the question, in columns. */
const NAME = 40;

type Reply = NonNullable<Awaited<ReturnType<AskPerson>>>;

function listChoices({ tool, space, target, reason, files }: ApprovalRequest): Choice<Reply | 'by file' | 'by rule'>[] {
  const folder = target.slice(0, Math.max(target.lastIndexOf('/'), 0));
  const rememberTool = { decision: 'allow', remember: 'tool' } as const;
  const rememberTarget = { decision: 'allow', remember: 'target' } as const;
  if (files !== undefined)
    return [
      ['yes', files.length > 1 ? 'yes, all of it' : 'yes', { decision: 'allow' }],
      ...(files.length > 1 ? [['files', 'file by file', 'by file'] as const] : []),
      ['no', 'no', { decision: 'deny' }],
    ];
  // A remembered decision about a command applies to the exact command.
  if (isCommand(target))
    return [
      ['yes', 'yes', { decision: 'allow' }],
      ['always', 'always exactly this', rememberTarget],
      ['no', 'no', { decision: 'deny' }],
    ];
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

/** Screen on which a question is asked. */
interface ScreenStyle {
  readonly columns: number;
  readonly rows: number;
  readonly paint: Painter;
}

/**
 * Renders a unified diff or another description of a change. It is coloured, and indented so that no line looks like
 * one of bae's.
 */
export function renderDiff(text: string, { columns, paint }: Omit<ScreenStyle, 'rows'>): readonly string[] {
  if (text === '') return ['  (nothing would change)'];
  const lines = splitVisibleDiff(text);
  const firstHunk = lines.findIndex((line) => line.startsWith('@@'));
  return lines.flatMap((line, index) => {
    const kind = index < firstHunk ? 'strong' : KINDS[line[0] ?? ''];
    const pieces = wrapLine(`  ${line}`, columns);
    return kind === undefined ? pieces : pieces.map((piece) => paint(kind, piece));
  });
}

/** Minimum number of displayed lines of a change, and number of lines for the rest of the question. */
const FEWEST = 5;
const AROUND = 4;

/** Returns as many lines as the screen can hold, and the number of those left out. */
export function clipLines(
  lines: readonly string[],
  { rows }: Pick<ScreenStyle, 'rows'>,
): { readonly lines: readonly string[]; readonly clipped: boolean } {
  const more = lines.length - Math.max(rows - AROUND, FEWEST);
  return more <= 0 ? { lines, clipped: false } : { lines: [...lines.slice(0, -more), renderMore(more)], clipped: true };
}

function renderMore(lines: number): string {
  return `  … ${lines} more ${lines === 1 ? 'line' : 'lines'}`;
}

const KINDS: Readonly<Record<string, Paint>> = { '+': 'code', '-': 'error', '@': 'hint' };
