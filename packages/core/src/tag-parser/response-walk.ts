import type { ParsedText, ParseProblem } from '../protocol/tool-call.ts';
import { skipBlanks } from './characters.ts';
import type { FenceLine } from './fence-line.ts';
import { readFabricated, readToolCall } from './foreign-block.ts';
import { FoundCalls, lacksArgument } from './found-calls.ts';
import { readLine } from './line-kind.ts';
import type { Mark } from './mark.ts';
import { matchClosers, NO_CLOSER } from './match-closers.ts';
import { parseProblems } from './parse-problems.ts';
import { ProseBuilder } from './prose-builder.ts';
import { readRunBlock } from './run-block.ts';
import type { TagLine } from './tag-line.ts';
import type { TagNames } from './tag-names.ts';
import type { Tag } from './tag.ts';
import { withoutTerminalCodes } from './terminal-codes.ts';

/** What would have been executed outside of a fence. */
const EXECUTABLE: ReadonlySet<string> = new Set([
  'tags',
  'open',
  'inline',
  'crowded',
  'broken',
  'run',
  'tool-call',
  'go',
]);
const TOOL_CALL = '<tool_call>';

/** Goes from mark to mark of a scanned text and takes the text apart. */
export class ResponseWalk {
  readonly #text: string;
  readonly #marks: readonly Mark[];
  readonly #names: TagNames;
  readonly #closers: Int32Array;
  readonly #prose: ProseBuilder;
  readonly #found: FoundCalls;
  #next = 0;

  constructor(text: string, marks: readonly Mark[], names: TagNames) {
    this.#text = text;
    this.#marks = marks;
    this.#names = names;
    this.#closers = matchClosers(marks);
    this.#prose = new ProseBuilder(text);
    this.#found = new FoundCalls(names);
  }

  /** Everything the text holds. */
  result(): ParsedText {
    while (this.#next < this.#marks.length) this.#step(this.#marks[this.#next++]!);
    const { calls, runs, problems } = this.#found;
    return { calls, runs, problems, prose: this.#prose.finish() };
  }

  #step(mark: Mark): void {
    const { what } = mark;
    switch (what.kind) {
      case 'blank':
      case 'shown':
      case 'escaped':
        return this.#show(mark);
      case 'fence':
        return this.#fence(mark, what);
      case 'close':
        return this.#remove(mark);
      case 'run':
        return this.#run(mark);
      case 'tool-call':
        return this.#toolCalls(mark);
      case 'fabricated':
        return this.#fabricated(mark, what.name);
      case 'json':
        return this.#found.addJsonLine(what.text, mark.line) ? this.#remove(mark) : this.#show(mark);
      case 'go':
        this.#found.addMove(what.place, mark.line);
        return this.#remove(mark);
      default:
        return this.#tagLine(mark, what);
    }
  }

  #tagLine(mark: Mark, what: TagLine): void {
    const { line } = mark;
    switch (what.kind) {
      case 'tags':
        this.#found.addTags(what.tags, line);
        return this.#remove(mark);
      case 'inline':
        this.#found.addTag(what.tag, line, { text: what.body, block: false });
        return this.#remove(mark);
      case 'open':
        return this.#open(mark, what.tag);
      case 'crowded':
        return this.#stop(mark, parseProblems.writeNotAlone(line, what.tag));
      case 'broken':
        return this.#broken(mark, what.tag, what.isClosed);
      case 'near-miss':
        this.#found.problems.push(parseProblems.unknownTool(line, what.tag, what.meant));
        return this.#remove(mark, this.#closerOf(what.isClosed));
    }
  }

  #open(mark: Mark, tag: Tag): void {
    const { line } = mark;
    const closer = this.#closerOf(false);
    if (closer === NO_CLOSER && tag.verb === 'write') {
      const problem = lacksArgument(tag)
        ? parseProblems.emptyArg(line, tag, true)
        : parseProblems.unclosedBody(line, tag);
      return this.#stop(mark, problem);
    }
    const end = this.#marks[closer]?.start;
    // The body's last line break belongs to the closing tag; a body without lines has none.
    const body = end === undefined ? undefined : this.#text.slice(mark.end + 1, Math.max(end - 1, mark.end + 1));
    this.#found.addTag(tag, line, body === undefined ? undefined : { text: body, block: true });
    this.#remove(mark, closer);
  }

  #broken(mark: Mark, tag: Tag, isClosed: boolean): void {
    const closer = this.#closerOf(isClosed);
    const isStop = tag.verb === 'write' && !isClosed && closer === NO_CLOSER;
    const problem = parseProblems.badArg(mark.line, tag, isStop);
    if (isStop) return this.#stop(mark, problem);
    this.#found.problems.push(problem);
    this.#remove(mark, closer);
  }

  #fence(mark: Mark, open: FenceLine): void {
    const first = this.#next;
    this.#showCodes(mark);
    while (this.#next < this.#marks.length) {
      const inner = this.#marks[this.#next++]!;
      this.#showCodes(inner);
      if (inner.what.kind === 'fence' && endsFence(inner.what, open)) return;
    }
    if (this.#marks.slice(first).some(({ what }) => EXECUTABLE.has(what.kind))) {
      const fence = open.character.repeat(Math.min(open.count, 10));
      this.#found.problems.push(parseProblems.unclosedFence(mark.line, fence));
    }
  }

  #run(mark: Mark): void {
    const block = readRunBlock(this.#text, mark);
    if (!block) return this.#stop(mark, parseProblems.unclosedRun(mark.line));
    for (const code of block.codes) this.#found.runs.push(code);
    this.#removeUpTo(mark, block.next, { text: block.tail, closing: '</run>' });
  }

  #toolCalls(mark: Mark): void {
    let line = mark.line;
    let at = Math.max(this.#text.indexOf(TOOL_CALL, mark.start), mark.start);
    for (;;) {
      const block = readToolCall(this.#text, at);
      if (!block) return this.#stop(mark, parseProblems.unclosedToolCall(line));
      this.#found.addToolCall(block.content, line);
      line += lineBreaks(block.content);
      at = skipBlanks(this.#text, block.end);
      if (!this.#text.startsWith(TOOL_CALL, at)) return this.#removeWithTail(mark, block.end, '</tool_call>');
    }
  }

  #fabricated(mark: Mark, name: string): void {
    const problem = parseProblems.fabricatedOutput(mark.line, name);
    const block = readFabricated(this.#text, mark.start, name);
    if (!block) return this.#stop(mark, problem);
    this.#found.problems.push(problem);
    this.#removeWithTail(mark, block.end, `</${name}>`);
  }

  /** The closing tag of the current mark, unless it is closed on its own line. */
  #closerOf(isClosed: boolean): number {
    return isClosed ? NO_CLOSER : this.#closers[this.#next - 1]!;
  }

  #show(mark: Mark): void {
    if (mark.what.kind !== 'escaped') return this.#showCodes(mark);
    const line = mark.visible ?? this.#text.slice(mark.start, mark.end);
    this.#prose.replace(mark.start, mark.end + 1, line.replace('\\<', '<'));
  }

  #showCodes({ what, start, end, visible }: Mark): void {
    if (what.kind === 'blank') this.#prose.collapse(start, end + 1);
    else if (visible !== undefined) this.#prose.replace(start, end + 1, visible);
  }

  #remove(mark: Mark, closer = NO_CLOSER): void {
    this.#prose.cut(mark.start, (this.#marks[closer] ?? mark).end + 1);
    if (closer !== NO_CLOSER) this.#next = closer + 1;
  }

  #removeWithTail(mark: Mark, end: number, closing: string): void {
    const lineEnd = this.#text.indexOf('\n', end);
    const next = lineEnd === -1 ? this.#text.length : lineEnd;
    this.#removeUpTo(mark, next + 1, { text: this.#text.slice(end, next), closing });
  }

  /** Removes lines that end with prose behind a closing tag; the tag stays where the prose alone would be a call. */
  #removeUpTo(mark: Mark, next: number, tail: { readonly text: string; readonly closing: string }): void {
    const { visible } = withoutTerminalCodes(tail.text);
    const prose = visible.slice(skipBlanks(visible, 0)).trimEnd();
    const shown = readLine(prose, this.#names) ? `${tail.closing} ${prose}` : prose;
    if (prose === '') this.#prose.cut(mark.start, next);
    else this.#prose.replace(mark.start, next, shown);
    while (this.#next < this.#marks.length && this.#marks[this.#next]!.start < next) this.#next++;
  }

  /** Ends the walk: what follows may be the body of the broken tag, so it is neither call nor prose. */
  #stop(mark: Mark, problem: ParseProblem): void {
    this.#found.problems.push(problem);
    this.#prose.stop(mark.start);
    this.#next = this.#marks.length;
  }
}

function endsFence(line: FenceLine, open: FenceLine): boolean {
  return line.isBare && line.character === open.character && line.count >= open.count;
}

function lineBreaks(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
