import type { ParsedText, ParseProblem, ToolCall } from '../protocol/tool-call.ts';
import { findLineEnd } from './characters.ts';
import { readJsonLine, type ForeignSyntax } from './foreign-calls.ts';
import { LineCursor } from './line-cursor.ts';
import type { FenceLine, Line } from './line.ts';
import type { TagNames } from './names.ts';
import { parseProblems } from './problems.ts';
import { readRunBlock } from './run-block.ts';
import type { CandidateLine, CandidateLines } from './scan.ts';
import type { TagLine } from './tag-line.ts';
import { isArgumentMissing, makeCall, type Tag } from './tag.ts';
import type { ForeignCalls } from './translate-call.ts';

/** Kinds of lines that a fence keeps from being executed. */
const EXECUTABLE: ReadonlySet<string> = new Set(['tags', 'open', 'crowded', 'broken', 'run']);

/** Another decorator, the keyword that a declaration begins with, or a member with its parameters, type or value. */
const DECORATED =
  /^\s*(?:@|(?:abstract|async|class|def|export|function|private|protected|public|readonly|static)\b|(?:[\w$<>[\]]+\s+)?[#\w$]+[?!]?\s*[(:=;])/;

/** Walks from candidate to candidate of a scanned text, and collects calls, run blocks, problems and prose. */
export class ResponseWalk {
  readonly #text: string;
  readonly #lines: CandidateLines;
  readonly #names: TagNames;
  readonly #cursor: LineCursor;
  readonly #calls: ToolCall[] = [];
  readonly #runs: string[] = [];
  readonly #problems: ParseProblem[] = [];

  constructor(text: string, lines: CandidateLines, names: TagNames) {
    this.#text = text;
    this.#lines = lines;
    this.#names = names;
    this.#cursor = new LineCursor(text, lines, names);
  }

  /** Walks through the whole text. Call it once. */
  run(): ParsedText {
    for (let line = this.#cursor.next(); line; line = this.#cursor.next()) this.#visit(line);
    return { calls: this.#calls, runs: this.#runs, problems: this.#problems, prose: this.#cursor.finish() };
  }

  #visit(line: CandidateLine): void {
    const { content } = line;
    if (!content) return this.#cursor.keep(line);
    switch (content.kind) {
      case 'escaped':
        return this.#cursor.keepEscaped(line);
      case 'fence':
        return this.#visitFence(line, content);
      case 'close':
        return this.#cursor.remove(line);
      case 'run':
        return this.#visitRunBlock(line);
      case 'foreign':
        return this.#visitForeign(line, content.syntax);
      case 'json': {
        const result = readJsonLine(content.text, line.number, this.#names);
        if (!result) return this.#cursor.keep(line);
        this.#add(result);
        return this.#cursor.remove(line);
      }
      case 'mention':
        return this.#visitMention(line, content.place);
      default:
        return this.#visitTags(line, content);
    }
  }

  #visitTags(line: CandidateLine, content: TagLine): void {
    switch (content.kind) {
      case 'tags':
        for (const tag of content.tags) this.#addTag(tag, line);
        return this.#cursor.remove(line);
      case 'open':
        return this.#visitOpen(line, content.tag);
      case 'crowded':
        return this.#stop(line, parseProblems.writeNotAlone(line.number, content.tag));
      case 'loose':
        if (!this.#lines.closerOf(line)) return this.#cursor.keep(line);
        return this.#stop(line, parseProblems.writeNotAlone(line.number, content.tag));
      case 'broken':
        return this.#visitBroken(line, content.tag, content.isClosed);
      case 'near-miss':
        this.#problems.push(parseProblems.unknownTool(line.number, content.tag, content.meant));
        return this.#cursor.remove(line, this.#lines.closerOf(line));
    }
  }

  #visitOpen(line: CandidateLine, tag: Tag): void {
    const closer = this.#lines.closerOf(line);
    if (closer) {
      const bodyStart = line.end + 1;
      // The last line break of a body belongs to the closing tag; an empty body has none.
      const bodyEnd = Math.max(closer.start - 1, bodyStart);
      this.#addTag(tag, line, this.#text.slice(bodyStart, bodyEnd));
    } else if (tag.verb === 'write') {
      const problem = isArgumentMissing(tag)
        ? parseProblems.emptyArg(line.number, tag, 'rest')
        : parseProblems.unclosedBody(line.number, tag);
      return this.#stop(line, problem);
    } else {
      this.#addTag(tag, line);
    }
    this.#cursor.remove(line, closer);
  }

  #visitBroken(line: CandidateLine, tag: Tag, isClosed: boolean): void {
    const closer = this.#lines.closerOf(line);
    const mayBeBody = tag.verb === 'write' && !isClosed && !closer;
    const problem = parseProblems.badArg(line.number, tag, mayBeBody ? 'rest' : 'tag');
    if (mayBeBody) return this.#stop(line, problem);
    this.#problems.push(problem);
    this.#cursor.remove(line, closer);
  }

  #visitFence(open: CandidateLine, fence: FenceLine): void {
    let holdsCalls = false;
    this.#cursor.keep(open);
    for (let line = this.#cursor.next(); line; line = this.#cursor.next()) {
      this.#cursor.keep(line);
      if (endsFence(line.content, fence)) return;
      holdsCalls ||= this.#isExecutable(line.content);
    }
    if (!holdsCalls) return;
    const marks = fence.character.repeat(Math.min(fence.count, 10));
    this.#problems.push(parseProblems.unclosedFence(open.number, marks));
  }

  #visitRunBlock(line: CandidateLine): void {
    const block = readRunBlock(this.#text, line);
    if (!block) return this.#stop(line, parseProblems.unclosedRun(line.number));
    for (const code of block.codes) this.#runs.push(code);
    this.#cursor.removeUpTo(line, block.next, { text: block.tail, closing: '</run>' });
  }

  #visitForeign(line: CandidateLine, syntax: ForeignSyntax): void {
    const block = syntax.read({ text: this.#text, start: line.start, line: line.number }, this.#names);
    this.#add(block);
    if (block.end === undefined) this.#cursor.removeRest(line);
    else this.#cursor.removeThrough(line, block.end, `</${syntax.element}>`);
  }

  #visitMention(line: CandidateLine, place: string): void {
    // The move to a misspelt place fails, and its error suggests the known one.
    const isMove = this.#names.isPlace(place) || (this.#names.isNearPlace(place) && !this.#isDecorator(line));
    if (!isMove) return this.#cursor.keep(line);
    this.#calls.push({ verb: 'go', arg: place, line: line.number, tag: `@${place}()` });
    this.#cursor.remove(line);
  }

  /** True for a line directly above a declaration. */
  #isDecorator({ index, end }: CandidateLine): boolean {
    const next = this.#lines.at(index + 1);
    const isAboveMove =
      next?.start === end + 1 && next.content?.kind === 'mention' && this.#names.isPlace(next.content.place);
    return !isAboveMove && DECORATED.test(this.#text.slice(end + 1, findLineEnd(this.#text, end + 1)));
  }

  /** True for a line that would be executed outside of a fence. */
  #isExecutable(content: Line | undefined): boolean {
    if (!content) return false;
    switch (content.kind) {
      case 'foreign':
        return content.syntax.isCall;
      case 'mention':
        return this.#names.isPlace(content.place);
      default:
        return EXECUTABLE.has(content.kind);
    }
  }

  /** Adds the call of a tag, or the problem that it has no argument. */
  #addTag(tag: Tag, { number: line }: CandidateLine, block?: string): void {
    if (isArgumentMissing(tag)) this.#problems.push(parseProblems.emptyArg(line, tag, 'tag'));
    else this.#calls.push(makeCall(tag, line, block));
  }

  #add({ calls, problems }: ForeignCalls): void {
    for (const call of calls) this.#calls.push(call);
    for (const problem of problems) this.#problems.push(problem);
  }

  /** Ends the walk: the rest may be the body of the broken tag, so it is neither call nor prose. */
  #stop(line: CandidateLine, problem: ParseProblem): void {
    this.#problems.push(problem);
    this.#cursor.removeRest(line);
  }
}

function endsFence(line: Line | undefined, open: FenceLine): boolean {
  return line?.kind === 'fence' && line.isBare && line.character === open.character && line.count >= open.count;
}
