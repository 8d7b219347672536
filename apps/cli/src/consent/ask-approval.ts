import type { ApprovalRequest } from '@bae/core';
import type { LineReader } from '../terminal/line-reader.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { createPainter, truncate, makeLineVisible, splitVisibleLines } from '../terminal/terminal-text.ts';
import type { AskPerson } from './approver.ts';
import { askQuestion } from './ask-question.ts';
import { clipDiff, renderDiff, renderMore, type ScreenStyle } from './diff-lines.ts';

export interface TerminalQuestion {
  readonly terminal: Terminal;
  readonly reader: Pick<LineReader, 'fresh'>;
  /** Called on Ctrl-C. */
  readonly onInterrupt: () => void;
}

/** Shows what a call would change, and asks at the keyboard whether it may run. */
export function askAtTerminal({ terminal, reader, onInterrupt }: TerminalQuestion): AskPerson {
  const { out } = terminal;
  return async (request, signal) => {
    const paint = createPainter(out);
    const preview = await previewCall(request);
    if (signal.aborted) return { decision: 'deny' };
    const { text, clipped } = renderApproval(request, preview, { columns: out.columns(), rows: out.rows(), paint });
    out.write(`${text}\n`);
    const choices = listChoices(request);
    const offered = choices.map(({ key, meaning }) => `${key} = ${meaning}`);
    const prompt = `run it? ${[...offered, ...(clipped ? ['d = the whole change'] : [])].join(', ')}: `;
    const answers = Object.fromEntries(
      choices.flatMap(({ key, word, reply }) => [key, word].map((typed) => [typed, reply] as const)),
    );
    const showAll = (): void => {
      if (preview.change !== undefined) out.write(`${renderDiff(preview.change, { paint }).join('\n')}\n`);
    };
    return (await askQuestion({ prompt, answers, showAll, onInterrupt }, reader, signal)) ?? { decision: 'deny' };
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

interface Choice {
  readonly key: string;
  readonly word: string;
  readonly meaning: string;
  readonly reply: NonNullable<Awaited<ReturnType<AskPerson>>>;
}

/** Longest name in the question, in columns. */
const NAME = 40;

function listChoices({ tool, space, target, reason }: ApprovalRequest): readonly Choice[] {
  const folder = target.slice(0, Math.max(target.lastIndexOf('/'), 0));
  const rememberTool = { decision: 'allow', remember: 'tool' } as const;
  const rememberTarget = { decision: 'allow', remember: 'target' } as const;
  const always =
    reason === undefined
      ? { meaning: `always ${shorten(tool)} in ${shorten(space)}`, reply: rememberTool }
      : { meaning: `always for ${shorten(target)}`, reply: rememberTarget };
  const inFolder = { meaning: `always ${shorten(tool)} below ${shorten(folder)}/`, reply: rememberTarget };
  return [
    { key: 'y', word: 'yes', meaning: 'yes', reply: { decision: 'allow' } },
    { key: 'a', word: 'always', ...always },
    ...(reason === undefined && folder !== '' ? [{ key: 'f', word: 'folder', ...inFolder }] : []),
    { key: 'n', word: 'no', meaning: 'no', reply: { decision: 'deny' } },
  ];
}

function shorten(name: string): string {
  return truncate(makeLineVisible(name), NAME);
}
