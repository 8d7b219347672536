import type { AgentEvent, SpaceTree } from '@bae/core';
import { renderSignature } from '@bae/core/pipeline';
import type { Output } from '../terminal/terminal.ts';
import { createPainter, makeVisible, makeLineVisible, measureWidth, type Painter } from '../terminal/terminal-text.ts';
import { wrapWords } from '../terminal/live-area.ts';
import { collectNames, outlineSpaces } from '../space-outline.ts';
import {
  createCallLines,
  parseLoneCalls,
  renderRunPanel,
  moveEndBehind,
  toPersonWords,
  type CallOutcome,
} from './call-lines.ts';

/** Shows a session. It receives every event in order, and the next event waits for its result. */
export type View = (event: AgentEvent) => void | Promise<void>;

/** View that shows an event at once. */
export type PlainView = (event: AgentEvent) => void;

/** First line of a table of tools for models. */
const TAG = /^<[\w-]+:/;

/** Tools whose results are written by bae for people. */
const PROSE: ReadonlySet<string> = new Set(['go', 'help', 'nav']);

type CallEnd = Extract<AgentEvent, { type: 'call-end' }>;

/** Display style for the turns of a model. */
export interface TurnStyle {
  /** Output for answers; on a terminal, they include their speaker. */
  readonly answers: Output;
  /** True if there is nobody to ask; a line then explains how a refused call could be allowed. */
  readonly unattended?: boolean;
  /** Extracts the prose of a response, without its calls, bodies and run blocks. */
  readonly prose: (text: string) => string;
  /** True to show complete results and code. Default: false. */
  readonly whole?: boolean;
}

/** Current run block: the tools that it is expected to call, if it appears to call only tools, and the calls so far. */
interface RunBlock {
  readonly expected: readonly string[] | undefined;
  readonly made: string[];
  hasFailed: boolean;
  /** Changes, which are shown when the block has ended well: until then nothing is written. */
  readonly changes: CallEnd[];
}

/** Notices about problems that the model will fix, or that the caller reports. */
const QUIET = new Set<string>(['near-miss', 'parse-problem', 'error']);

/**
 * Shows calls, run blocks and notices.
 *
 * @param style for turns of a model: a line per call, a panel per run block, and the answer. For input typed by a person:
 * whole results, and a run block as a `panel`, or as `lines` without the code that has just been typed
 */
export function createUserView(out: Output, style: TurnStyle | 'panel' | 'lines' = 'panel', tree?: SpaceTree): View {
  const turn = typeof style === 'object' ? style : undefined;
  const paint = createPainter(out);
  const print = (text: string): void => out.write(`${text}\n`);
  const fold = createFold(print, paint);
  const printCall = (summary: string, event: CallOutcome): void => {
    const line = renderSummary({ ...event, summary }, paint);
    if (out.isTerminal) fold.add(line);
    else print(line);
  };
  // If the output is not a screen, every line is written at once.
  const calls = out.isTerminal
    ? createCallLines(printCall, (call) => out.beforeWrite(call))
    : { add: printCall, end: () => undefined };
  const endLines = (): void => {
    calls.end();
    fold.end();
  };
  let place: readonly string[] = [];
  let block: RunBlock | undefined;

  const addCall = (event: CallEnd): void => {
    block?.made.push(event.tag.slice(0, event.tag.indexOf('(')).replaceAll('-', '_'));
    if (block !== undefined && !event.ok) block.hasFailed = true;
    if (block !== undefined && event.ok && makesChange(event, tree)) block.changes.push(event);
    else showCall(event);
  };

  const showCall = (event: CallEnd): void => {
    // The panel shows the result of other code.
    const isResultShown = block === undefined || block.expected !== undefined;
    if (turn?.whole === true)
      return print(`${renderSummary(event, paint)}\n${indentResult(renderOutput(event.text, event.ok, paint))}`);
    if (turn === undefined && isResultShown) return print(renderTypedCall(event));
    if (block === undefined || out.isTerminal) calls.add(event.summary, event, block !== undefined);
    else fold.add(renderSummary(event, paint));
    if (turn?.unattended !== true || event.errorType !== 'ApprovalError') return;
    endLines();
    print(paint('hint', makeLineVisible(event.text.replace(/^ApprovalError: /, ''))));
  };

  /** Renders the result of a call that a person typed; for a move, the tools there in call notation. */
  const renderTypedCall = (event: CallEnd): string => {
    const { text, ok, verb } = event;
    const style_ = { columns: out.columns(), paint };
    if (ok && verb === 'go' && tree !== undefined && out.isTerminal) {
      const tools = renderCallTable(tree, place, style_);
      const head = text
        .split('\n', text.split('\n').findIndex((line) => TAG.test(line)) + 1)
        .filter((line) => !TAG.test(line));
      if (tools.length > 0 && head.length > 0) return [wrapText(head.join('\n'), out), ...tools].join('\n');
    }
    const shown = renderOutput(out.isTerminal ? sayToPerson(event) : text, ok, paint);
    return shown || paint('quiet', '(no output)');
  };

  const sayToPerson = (event: CallEnd): string => {
    if (event.space === 'terminal') return moveEndBehind(event.text);
    // Messages of bae are wrapped; content is shown unchanged.
    if (event.ok) return PROSE.has(event.verb) ? wrapText(event.text, out) : event.text;
    const names = tree === undefined ? undefined : collectNames(tree);
    return wrapText(toPersonWords(event.text, event, names), out);
  };

  const showRun = (event: Extract<AgentEvent, { type: 'run-end' }>): void => {
    const { expected, made, hasFailed, changes = [] } = block ?? {};
    if (event.ok) for (const change of changes) showCall(change);
    endLines();
    block = undefined;
    const left = event.ok ? event.output : removeResults(event.output, changes);
    const output = turn === undefined && out.isTerminal ? toPersonWords(left) : left;
    const isAllShown = event.ok || (hasFailed === true && changes.length === 0);
    // A block that only called tools has nothing more to show.
    if (expected !== undefined && expected.join() === made?.join() && isAllShown) return;
    const title = turn === undefined ? 'exec' : `ai:${event.label}`;
    if (style !== 'lines')
      return print(
        renderRunPanel({ ...event, output, title, columns: out.columns(), whole: turn?.whole === true }, paint),
      );
    if (output === '') return;
    const text = renderOutput(output, event.ok, paint);
    print(out.isTerminal ? addSpeaker(text, { channel: 'code' }, paint) : text);
  };

  return (event) => {
    if (event.type === 'run-end' || event.type === 'notice' || event.type === 'answer' || event.type === 'turn-end')
      endLines();
    if (event.type === 'space-enter') place = event.to === 'home' ? [] : event.to.split('.');
    if (event.type === 'run-start')
      block = { expected: parseLoneCalls(event.code), made: [], hasFailed: false, changes: [] };
    if (event.type === 'call-end') addCall(event);
    if (event.type === 'run-end') showRun(event);
    if (event.type === 'notice' && (turn === undefined || !QUIET.has(event.code)))
      print(paint('hint', makeLineVisible(event.text)));
    return event.type === 'answer' && turn !== undefined ? showAnswer(turn, event) : undefined;
  };
}

/** Returns true for a call that changes something here. */
function makesChange({ space, verb }: CallEnd, tree: SpaceTree | undefined): boolean {
  return tree?.at(space === 'home' ? [] : space.split('.'))?.tools[verb]?.effect === 'write';
}

/** Removes the results of calls from the output of a block: they tell of changes that were not made. */
function removeResults(output: string, calls: readonly CallEnd[]): string {
  return calls.reduce((left, { text }) => left.replace(text.trimEnd(), ''), output).replace(/^\n+/, '');
}

/** Shows an answer: rendered as Markdown on a terminal, otherwise as written. */
async function showAnswer(
  { answers, prose }: TurnStyle,
  { text, label }: { text: string; label: string },
): Promise<void> {
  const visible = makeVisible(prose(text));
  if (visible === '') return;
  if (!answers.isTerminal) return answers.write(`${visible}\n`);
  await showProse(answers, { text: visible, label });
}

/** What a model has said. */
interface Prose {
  readonly text: string;
  readonly label: string;
  /** True for text that is no answer. Default: false. */
  readonly isDim?: boolean;
}

/** Shows what a model has said on a terminal, with its speaker, rendered as Markdown. */
export async function showProse(out: Output, { text, label, isDim = false }: Prose): Promise<void> {
  const { renderMarkdown } = await import('../terminal/markdown.ts');
  const paint = createPainter(out);
  const [tag, indent] = [`[ai:${label}] `, 2];
  const rendered = await renderMarkdown(makeVisible(text), {
    columns: out.columns() - indent,
    paint: isDim ? (_, plain) => plain : paint,
    taken: tag.length - indent,
  });
  const shown = isDim ? rendered.replaceAll(/[^\n]+/g, (line) => paint('debug', line)) : rendered;
  out.write(`${addSpeaker(shown, { channel: 'ai', label }, paint)}\n`);
}

/** Prints equal consecutive lines once; `end` prints the number of repetitions. */
function createFold(print: (line: string) => void, paint: Painter) {
  let last: string | undefined;
  let more = 0;
  const end = (): void => {
    if (more > 0) print(`${last}${paint('quiet', ` ×${more} more`)}`);
    last = undefined;
    more = 0;
  };
  const add = (line: string): void => {
    if (line === last) {
      more++;
      return;
    }
    end();
    last = line;
    print(line);
  };
  return { add, end };
}

function indentResult(text: string): string {
  return text.replaceAll(/^(?=[^\n])/gm, '  ');
}

/** Wraps a text for people at words. */
function wrapText(text: string, out: Pick<Output, 'columns'>): string {
  return wrapWords(makeVisible(text), out.columns() - 1).join('\n');
}

function renderOutput(output: string, ok: boolean, paint: Painter): string {
  const text = makeVisible(output).replace(/\n$/, '');
  return ok ? text : paint('error', text);
}

/** Renders a finished call as one coloured line: `[tasks] ◆ read(7) -> string (18 lines)`. */
function renderSummary(
  { summary, ok, failed, pruned }: CallOutcome & { readonly summary: string },
  paint: Painter,
): string {
  const line = makeLineVisible(summary);
  if (!ok || failed === true) return paint('error', line);
  const [, before = '', bullet = '', rest = ''] = /^([^◆]*)(◆?)(.*)$/s.exec(line)!;
  const [, head = rest, cut = '', tail = ''] = (pruned === true && /^(.*, )(pruned.*?)(\)?)$/s.exec(rest)) || [];
  return (
    paint('quiet', before) + paint('bullet', bullet) + paint('quiet', head) + paint('hint', cut) + paint('quiet', tail)
  );
}

/** Adds the speaker to a text, `[ai:1] first line`; further lines are indented by two spaces. */
export function addSpeaker(text: string, speaker: { channel: 'ai' | 'code'; label?: string }, paint: Painter): string {
  const { channel, label } = speaker;
  const tag = label === undefined ? `[${channel}]` : `[${channel}:${label}]`;
  return `${paint(channel, tag)} ${text.replaceAll(/\n(?=[^\n])/g, '\n  ')}`;
}

/** Minimum length of a signature that is displayed with one parameter per line, in characters. */
const WRAP = 40;
const GAP = 2;
/** Minimum width of the column of descriptions; on a narrower screen, they are below the signatures. */
const NARROWEST = 24;

/** Renders the tools of a place as calls, with their descriptions, to the width of the screen. */
function renderCallTable(
  tree: SpaceTree,
  path: readonly string[],
  { columns, paint }: { readonly columns: number; readonly paint: Painter },
): readonly string[] {
  const space = tree.at(path);
  if (space === undefined) return [];
  const rows = outlineSpaces(tree, path, 0).tools.map((name) => {
    const { spec, description } = space.tools[name]!;
    const signature = makeVisible(renderSignature(spec, { style: 'call', wrap: WRAP })).split('\n');
    return { signature, about: makeVisible(description.split('\n', 1)[0]!) };
  });
  const left = Math.max(0, ...rows.flatMap(({ signature }) => signature.map(measureWidth)));
  const right = columns - 1 - left - GAP;
  return rows.flatMap(({ signature, about }) => {
    if (right < NARROWEST)
      return [...signature.flatMap((line) => paintSignature(line, columns, paint)), ...indent(about, columns, paint)];
    const lines = wrapWords(about, right);
    return Array.from({ length: Math.max(signature.length, lines.length) }, (_, at) => {
      const shown = signature[at] ?? '';
      const pad = ' '.repeat(left - measureWidth(shown) + GAP);
      return `${paintCall(shown, paint)}${pad}${paint('quiet', lines[at] ?? '')}`.trimEnd();
    });
  });
}

function paintSignature(line: string, columns: number, paint: Painter): readonly string[] {
  return wrapWords(line, columns - 1).map((part) => paintCall(part, paint));
}

function indent(text: string, columns: number, paint: Painter): readonly string[] {
  return wrapWords(text, columns - 1 - GAP).map((line) => `${' '.repeat(GAP)}${paint('quiet', line)}`);
}

/** Colours the names of the tool and its types in `read(target: string = "")`. */
function paintCall(line: string, paint: Painter): string {
  const [, name = '', rest = line] = /^([^\s(]+)(\(.*)$/.exec(line) ?? [];
  const typed = rest.replaceAll(/(: )([\w|[\]"-]+)/g, (_, colon: string, type: string) => colon + paint('hint', type));
  return paint('code', name) + typed;
}
