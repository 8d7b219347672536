import type { ParsedText, ParseProblem } from '../protocol/tool-call.ts';
import { skipBlanks } from './characters.ts';
import type { FenceLine } from './fence-line.ts';
import { readFabricated, readToolCall } from './foreign-block.ts';
import { FoundCalls, lacksArgument } from './found-calls.ts';
import type { LineKind } from './line-kind.ts';
import { MarkCursor, type Mark } from './mark-cursor.ts';
import type { MarkTable } from './mark-table.ts';
import { matchClosers, NO_CLOSER } from './match-closers.ts';
import { parseProblems } from './parse-problems.ts';
import { readRunBlock } from './run-block.ts';
import type { TagLine } from './tag-line.ts';
import type { TagNames } from './tag-names.ts';
import type { Tag } from './tag.ts';

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

/** Another decorator, the keyword that a declaration begins with, or a member with its parameters, type or value. */
const DECORATED =
  /^\s*(?:@|(?:abstract|async|class|def|export|function|private|protected|public|readonly|static)\b|(?:[\w$<>[\]]+\s+)?[#\w$]+[?!]?\s*[(:=;])/;

/** Goes from mark to mark of a scanned text and takes the text apart. */
export class ResponseWalk {
  readonly #text: string;
  readonly #marks: MarkTable;
  readonly #cursor: MarkCursor;
  readonly #found: FoundCalls;
  readonly #closers: Int32Array;

  constructor(text: string, marks: MarkTable, names: TagNames) {
    this.#text = text;
    this.#marks = marks;
    this.#cursor = new MarkCursor(text, marks, names);
    this.#found = new FoundCalls(names);
    this.#closers = matchClosers(marks, (index) => argumentOf(this.#cursor.read(this.#cursor.markAt(index))));
  }

  /** Everything the text holds. */
  result(): ParsedText {
    for (let mark = this.#cursor.next(); mark; mark = this.#cursor.next()) this.#visit(mark);
    const { calls, runs, problems } = this.#found;
    return { calls, runs, problems, prose: this.#cursor.finish() };
  }

  #visit(mark: Mark): void {
    const role = this.#marks.roleOf(mark.index);
    const what = role === 'blank' || role === 'shown' ? undefined : this.#cursor.read(mark);
    if (!what) return this.#cursor.show(mark);
    switch (what.kind) {
      case 'escaped':
        return this.#cursor.showEscaped(mark);
      case 'fence':
        return this.#fence(mark, what);
      case 'close':
        return this.#cursor.remove(mark);
      case 'run':
        return this.#run(mark);
      case 'tool-call':
        return this.#toolCalls(mark);
      case 'fabricated':
        return this.#fabricated(mark, what.name);
      case 'json':
        return this.#found.addJsonLine(what.text, mark.line) ? this.#cursor.remove(mark) : this.#cursor.show(mark);
      case 'go':
        this.#found.addMove(what.place, mark.line);
        return this.#cursor.remove(mark);
      case 'near-place':
        if (this.#decorates(mark)) return this.#cursor.show(mark);
        // The move fails, and its error says what was meant.
        this.#found.addMove(what.place, mark.line);
        return this.#cursor.remove(mark);
      default:
        return this.#tagLine(mark, what);
    }
  }

  /** True for a line that stands right above a declaration, as decorators do. */
  #decorates({ index, end }: Mark): boolean {
    const next = index + 1 < this.#marks.size ? this.#cursor.markAt(index + 1) : undefined;
    const isMove = next?.start === end + 1 && this.#cursor.read(next)?.kind === 'go';
    return !isMove && DECORATED.test(this.#text.slice(end + 1, lineEnd(this.#text, end + 1)));
  }

  #tagLine(mark: Mark, what: TagLine): void {
    const { line } = mark;
    switch (what.kind) {
      case 'tags':
        this.#found.addTags(what.tags, line);
        return this.#cursor.remove(mark);
      case 'inline':
        this.#found.addTag(what.tag, line, { text: what.body, block: false });
        return this.#cursor.remove(mark);
      case 'open':
        return this.#open(mark, what.tag);
      case 'crowded':
        return this.#stop(mark, parseProblems.writeNotAlone(line, what.tag));
      case 'loose':
        if (this.#closers[mark.index] === NO_CLOSER) return this.#cursor.show(mark);
        return this.#stop(mark, parseProblems.writeNotAlone(line, what.tag));
      case 'broken':
        return this.#broken(mark, what.tag, what.isClosed);
      case 'near-miss':
        this.#found.problems.push(parseProblems.unknownTool(line, what.tag, what.meant));
        return this.#cursor.remove(mark, this.#closers[mark.index]);
    }
  }

  #open(mark: Mark, tag: Tag): void {
    const { line, end } = mark;
    const closer = this.#closers[mark.index]!;
    if (closer !== NO_CLOSER) {
      // The last line break of a body belongs to the closing tag; an empty body has none.
      const bodyEnd = Math.max(this.#cursor.markAt(closer).start - 1, end + 1);
      this.#found.addTag(tag, line, { text: this.#text.slice(end + 1, bodyEnd), block: true });
    } else if (tag.verb === 'write') {
      const isEmpty = lacksArgument(tag);
      return this.#stop(
        mark,
        isEmpty ? parseProblems.emptyArg(line, tag, 'rest') : parseProblems.unclosedBody(line, tag),
      );
    } else {
      this.#found.addTag(tag, line);
    }
    this.#cursor.remove(mark, closer);
  }

  #broken(mark: Mark, tag: Tag, isClosed: boolean): void {
    const closer = this.#closers[mark.index]!;
    const isStop = tag.verb === 'write' && !isClosed && closer === NO_CLOSER;
    const problem = parseProblems.badArg(mark.line, tag, isStop ? 'rest' : 'tag');
    if (isStop) return this.#stop(mark, problem);
    this.#found.problems.push(problem);
    this.#cursor.remove(mark, closer);
  }

  #fence(open: Mark, fence: FenceLine): void {
    let holdsCalls = false;
    this.#cursor.show(open);
    for (let mark = this.#cursor.next(); mark; mark = this.#cursor.next()) {
      this.#cursor.show(mark);
      const role = this.#marks.roleOf(mark.index);
      if (role === 'fence' && endsFence(this.#cursor.read(mark), fence)) return;
      if (role !== 'fence' && !holdsCalls) holdsCalls = EXECUTABLE.has(this.#cursor.read(mark)?.kind ?? '');
    }
    if (!holdsCalls) return;
    this.#found.problems.push(
      parseProblems.unclosedFence(open.line, fence.character.repeat(Math.min(fence.count, 10))),
    );
  }

  #run(mark: Mark): void {
    const block = readRunBlock(this.#text, mark);
    if (!block) return this.#stop(mark, parseProblems.unclosedRun(mark.line));
    for (const code of block.codes) this.#found.runs.push(code);
    this.#cursor.removeUpTo(mark, block.next, { text: block.tail, closing: '</run>' });
  }

  #toolCalls(mark: Mark): void {
    let { line } = mark;
    let at = Math.max(this.#text.indexOf(TOOL_CALL, mark.start), mark.start);
    for (;;) {
      const block = readToolCall(this.#text, at);
      if (!block) return this.#stop(mark, parseProblems.unclosedToolCall(line));
      this.#found.addToolCall(block.content, line);
      line += lineBreaks(block.content);
      at = skipBlanks(this.#text, block.end);
      if (!this.#text.startsWith(TOOL_CALL, at)) return this.#cursor.removeThrough(mark, block.end, '</tool_call>');
    }
  }

  #fabricated(mark: Mark, name: string): void {
    const problem = parseProblems.fabricatedOutput(mark.line, name);
    const block = readFabricated(this.#text, mark.start, name);
    if (!block) return this.#stop(mark, problem);
    this.#found.problems.push(problem);
    this.#cursor.removeThrough(mark, block.end, `</${name}>`);
  }

  /** Ends the walk: what follows may be the body of the broken tag, so it is neither call nor prose. */
  #stop(mark: Mark, problem: ParseProblem): void {
    this.#found.problems.push(problem);
    this.#cursor.stop(mark);
  }
}

function argumentOf(what: LineKind | undefined): string {
  return what && 'tag' in what ? what.tag.arg : '';
}

function endsFence(what: LineKind | undefined, open: FenceLine): boolean {
  return what?.kind === 'fence' && what.isBare && what.character === open.character && what.count >= open.count;
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

function lineBreaks(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
