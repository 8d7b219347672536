import type { ModelText } from '../protocol/model.ts';
import type { ParsedText, ParseProblem, ToolCall } from '../protocol/tool-call.ts';
import { findCallShapes } from './call-shapes.ts';
import { findLineEnd, findQuotedTagEnd, skipSpace, trimBlanks } from './characters.ts';
import { readForeignBlock, readJsonLine, type ForeignSyntax } from './foreign/foreign-syntax.ts';
import { findBlockStart, LineCursor, normalizeText, scanLines, type CandidateLine, type LinePlace } from './scan.ts';
import { isDecorated, readEntryAbove } from './entries.ts';
import { CLOSING, cutRanges, isExecutable, isFenceEnd, type FenceLine, type Line } from './line.ts';
import { findThoughtEnd, isThoughtInWords, listThoughts } from './thoughts.ts';
import { TagNames, type ParseOptions } from './names.ts';
import { createProblem } from './problems.ts';
import { readRunBlock } from './run-block.ts';
import { isArgumentMissing, isEmptyEdit, makeCall, readEnding, type Tag, type TagBody, type TagLine } from './tag.ts';
import { ESCAPE } from './terminal-codes.ts';
import type { Translation } from './foreign/translate-call.ts';
import { findLastArgument, isNeverElement, readBareName } from './foreign/xml-calls.ts';
import { findXmlDocuments, isInDocument } from './foreign/xml-documents.ts';

/** Argument that names the text to be written by the call. */
const FROM_RESULT = /(?:^|\s)from=["']?result:\d+["']?\s*$/;

/**
 * Parses a text into calls, run blocks, problems and prose. The grammar is in grammar.md. Never throws; takes time in
 * proportion to the length of the text. Calls are in the order of the text and have not been checked against any tool.
 *
 * @param options the spaces and custom tools that the text may name. Default: none
 */
export function parse(text: ModelText, options: ParseOptions = {}): ParsedText {
  return new ResponseWalk(normalizeText(text), new TagNames(options)).run();
}

/** How often what is left of a text is parsed again at most: each time, something else was removed. */
const MOST_ROUNDS = 8;

/** Walks from candidate to candidate of a scanned text, and collects calls, run blocks, problems and prose. */
class ResponseWalk {
  readonly #text: string;
  readonly #rounds: number;
  readonly #hasCodes: boolean;
  readonly #lines: readonly CandidateLine[];
  readonly #names: TagNames;
  readonly #cursor: LineCursor;
  readonly #calls: ToolCall[] = [];
  readonly #runs: string[] = [];
  readonly #problems: ParseProblem[] = [];
  #hasEscaped = false;
  #lastArgument: number | undefined;
  #documents: ReturnType<typeof findXmlDocuments> | undefined;
  readonly #verbs = new Set<string>();
  /** Verbs of tags with text behind them that nothing closed, so that they became prose. */
  readonly #unclosed = new Set<string>();
  /** Start and end offsets of the model's thoughts in the text. */
  readonly #thoughts: (readonly [start: number, end: number])[] = [];
  /** Names of tools in angle brackets that were read as prose: if there are calls, it is said that these are none. */
  readonly #bareNames: (readonly [Tag, line: number])[] = [];
  /** Last move that lacks its parentheses, or else the first to a place that does not exist: for a call that follows. */
  #pendingMove: ToolCall | undefined;
  /** Line that is visited. */
  #current: CandidateLine | undefined;

  /** @param rounds how often what is left of the text may be parsed again; 0 for the code in a call */
  constructor(text: string, names: TagNames, rounds = MOST_ROUNDS) {
    this.#rounds = rounds;
    this.#text = text;
    this.#hasCodes = text.includes(ESCAPE);
    this.#lines = scanLines(text, names);
    this.#names = names;
    this.#cursor = new LineCursor(text, this.#lines, names);
  }

  run(): ParsedText {
    this.#walk();
    const [calls, runs, problems] = [this.#calls, this.#runs, this.#problems];
    if (calls.length + runs.length + problems.length === 0) problems.push(...this.#findShapes());
    else if (calls.length > 0)
      for (const [tag, line] of this.#bareNames)
        problems.push(createProblem('bare-name', line, tag, this.#names.qualify(`<${tag.written}:>`)));
    const [getProse, thoughts] = [() => this.#getProse(), this.#thoughts];
    let prose: string | undefined;
    return {
      calls,
      runs,
      problems,
      // Computed when it is first read: most texts are parsed for their calls.
      get prose() {
        return (prose ??= getProse());
      },
      ...(thoughts.length > 0 && { withoutThoughts: cutRanges(this.#text, thoughts).trim() }),
    };
  }

  /** Returns what is left of the text. Lines that look executable once others between them are removed are no part of it. */
  #getProse(): string {
    const left = this.#cursor.finish();
    if (this.#cursor.isWhole || this.#hasEscaped || this.#rounds === 0) return left;
    const again = new ResponseWalk(left, this.#names, this.#rounds - 1);
    again.#walk();
    return again.#getProse();
  }

  #walk(): void {
    for (let line = this.#cursor.next(); line; line = this.#cursor.next()) this.#visit(line);
  }

  #findShapes(): readonly ParseProblem[] {
    const parseInner = this.#rounds === 0 ? undefined : (code: string) => new ResponseWalk(code, this.#names, 0).run();
    return findCallShapes(this.#text, this.#names, { hidden: this.#thoughts, parseInner });
  }

  #visit(line: CandidateLine): void {
    const { content } = (this.#current = line);
    if (!content) return this.#cursor.keep(line);
    if ('tag' in content) this.#verbs.add(content.tag.verb);
    switch (content.kind) {
      case 'tags':
        return this.#visitTags(line, content.tags);
      case 'open':
        return this.#visitOpen(line, content.tag);
      case 'crowded':
        return this.#stop(line, createProblem('write-not-alone', line.number, content.tag));
      case 'loose':
        return this.#visitLoose(line, content.tag);
      case 'ending':
        // Once the text between them is removed, the closing tag would belong to an earlier tag.
        return this.#cursor.keep(line, this.#verbs.has(content.verb) ? this.#readShown(line) : line.visible);
      case 'broken':
        return this.#visitBroken(line, content);
      case 'near-miss':
        this.#problems.push(
          createProblem('unknown-tool', line.number, content.tag, this.#names.qualify(content.meant)),
        );
        // Written again after it was answered, it is a line of the answer.
        return line.closer ? this.#cursor.remove(line, line.closer) : this.#cursor.keep(line);
      case 'escaped':
        this.#hasEscaped = true;
        return this.#cursor.keep(line, this.#readShown(line).replace('\\<', '<'));
      case 'fence':
        return this.#visitFence(line, content);
      case 'close':
        return this.#cursor.remove(line);
      case 'run':
        return this.#visitRunBlock(line);
      case 'foreign':
        return this.#visitForeign(line, content.syntax);
      case 'thought':
        return this.#visitThought(line);
      case 'inline-thought':
        return this.#removeThoughts(line, line.start, line.end);
      case 'thought-end':
        return this.#dropThought(line, content.closing);
      case 'json': {
        const result = readJsonLine(content.text, line.number, this.#names);
        if (!result) return this.#cursor.keep(line);
        this.#add(result);
        return this.#cursor.remove(line);
      }
      case 'mention':
        return this.#visitMention(line, content);
    }
  }

  #readShown({ visible, start, end }: CandidateLine): string {
    return visible ?? this.#text.slice(start, end);
  }

  #visitTags(line: CandidateLine, tags: readonly Tag[]): void {
    for (const tag of tags) {
      this.#verbs.add(tag.verb);
      this.#addTag(tag, line);
    }
    this.#cursor.remove(line);
  }

  #visitOpen(line: CandidateLine, tag: Tag): void {
    const body = this.#findBody(line, line.end + 1);
    if (body) {
      // If tags are on lines of their own, the last line break of a body belongs to the closing tag; an empty body has
      // none.
      const isEmptyLine = body.text === '' && body.last.start > line.end + 1;
      this.#addTag(tag, line, { text: body.text, block: true, isEmptyLine });
      return this.#cursor.remove(line, body.last);
    }
    if ((tag.verb === 'write' || line.isMisclosed) && !tag.isSelfClosed && !FROM_RESULT.test(tag.arg)) {
      const problem = isArgumentMissing(tag)
        ? createProblem('empty-arg', line.number, tag, 'rest')
        : { ...createProblem('unclosed-body', line.number, tag), ...this.#findUnsent(line, tag) };
      return this.#stop(line, problem);
    }
    this.#addTag(tag, line);
    this.#cursor.remove(line);
  }

  /** Returns the text below a tag, which is not executed either. */
  #findUnsent({ index, end }: CandidateLine, { written, arg }: Tag): Pick<ParseProblem, 'unsent'> {
    const text = this.#text.slice(end + 1);
    if (text.trim() === '') return {};
    const isPlain = this.#lines.every(
      (line) => line.index <= index || !(isExecutable(line.content, this.#names) || CLOSING.has(line.content?.kind)),
    );
    return { unsent: { text, ...(isPlain && { tag: `<${written}:${arg}` }) } };
  }

  /** Visits a tag followed by text: the beginning of a body that a later line closes, or prose. */
  #visitLoose(line: CandidateLine, tag: Tag): void {
    const body = this.#findBody(line, this.#text.indexOf(tag.text, line.start) + tag.text.length);
    if (!body) {
      if (readEnding(trimBlanks(this.#readShown(line)), this.#names)?.verb === tag.verb)
        return this.#stop(line, createProblem('unclosed-body', line.number, tag));
      this.#unclosed.add(tag.verb);
      return this.#cursor.keep(line);
    }
    // Terminal codes hide the start of the text after the tag.
    if (line.visible !== undefined) return this.#stop(line, createProblem('write-not-alone', line.number, tag));
    this.#addTag(tag, line, { text: body.text, block: false });
    this.#cursor.remove(line, body.last);
  }

  /** Returns the body that begins at an offset after a tag, and its last line; undefined if nothing closes it. */
  #findBody(line: CandidateLine, start: number): { readonly text: string; readonly last: LinePlace } | undefined {
    const { closer, ending } = line;
    if (closer) return { text: this.#text.slice(start, Math.max(closer.start - 1, start)), last: closer };
    if (!ending || !this.#isFollowedByTag(ending)) return undefined;
    return { text: this.#text.slice(start, this.#text.lastIndexOf('</', ending.end)), last: ending };
  }

  /** Returns true if the next line that is not blank is more than prose, or if there is none. */
  #isFollowedByTag({ index, end }: LinePlace): boolean {
    const next = this.#lines[index + 1];
    const start = skipSpace(this.#text, end);
    if (start === this.#text.length) return true;
    const kind = next && next.start <= start ? next.content?.kind : undefined;
    return kind !== undefined && kind !== 'escaped' && kind !== 'ending' && kind !== 'fence';
  }

  #visitBroken(line: CandidateLine, { tag, isClosed, openQuote }: TagLine & { readonly kind: 'broken' }): void {
    const { closer } = line;
    const end = openQuote === undefined ? line.end : findQuotedTagEnd(this.#text, line.end, openQuote);
    const isLost = end === -1 || (tag.verb === 'write' && !isClosed && !closer);
    const reach = isLost ? 'rest' : 'tag';
    const problem = tag.text.endsWith('>')
      ? createProblem('bad-arg', line.number, tag, reach)
      : createProblem('unended-tag', line.number, tag, reach);
    if (isLost) return this.#stop(line, problem);
    this.#problems.push(problem);
    if (closer || end === line.end) this.#cursor.remove(line, closer);
    else this.#cursor.removeThrough(line, end, '>');
  }

  #visitFence(open: CandidateLine, fence: FenceLine): void {
    let holdsCalls = false;
    this.#cursor.keep(open);
    for (let line = this.#cursor.next(); line; line = this.#cursor.next()) {
      const { content } = line;
      // Once lines are removed or closing tags changed, this closing tag would belong to a tag before the fence.
      const mayClose = content?.kind === 'ending' && this.#unclosed.has(content.verb);
      this.#cursor.keep(line, mayClose ? this.#readShown(line) : line.visible);
      if (isFenceEnd(content, fence)) return;
      holdsCalls ||= isExecutable(content, this.#names);
    }
    if (!holdsCalls) return;
    const marks = fence.character.repeat(Math.min(fence.count, 10));
    this.#problems.push(createProblem('unclosed-fence', open.number, marks));
  }

  #visitRunBlock(line: CandidateLine): void {
    const block = readRunBlock(this.#text, line, this.#hasCodes);
    if (!block) return this.#stop(line, createProblem('unclosed-run', line.number));
    const codes = block.codes.filter((code) => code !== '');
    // What was meant for a place that does not exist does not run elsewhere: blocks run only where there are no calls.
    if (codes.length > 0) this.#addPendingMove();
    this.#runs.push(...codes);
    this.#cursor.removeUpTo(line, block.next, { text: block.tail, closing: '</run>' });
  }

  #visitForeign(line: CandidateLine, syntax: ForeignSyntax): void {
    const name = readBareName(this.#readShown(line).trim(), this.#names);
    const bare = name && this.#cursor.closings.find(`</${name.written}>`, line.end) === -1 ? name : undefined;
    if (bare && isNeverElement(bare)) return this.#visitTags(line, [bare]);
    const start = findBlockStart(this.#text, line, { syntax, names: this.#names });
    if (syntax.isMarkup) {
      this.#documents ??= findXmlDocuments(this.#text, this.#names);
      if (isInDocument(this.#documents, start)) return this.#cursor.keep(line);
    }
    // Terminal codes within its first line hide the kind of the block.
    if (start === -1) return this.#stop(line, createProblem('broken-block', line.number, 'rest'));
    const block = readForeignBlock(syntax, {
      text: this.#text,
      names: this.#names,
      start,
      line: line.number,
      isAfterCall: this.#calls.length > 0,
      findClosing: (closing, from) => this.#cursor.closings.find(closing, from),
      hasArgumentBehind: (offset) => (this.#lastArgument ??= findLastArgument(this.#text)) > offset,
    });
    if ('proseEnd' in block) {
      // Terminal codes in the block may hide its closing tag, and once they are removed, one of its lines may be a call.
      if (this.#text.slice(line.start, block.proseEnd).includes(ESCAPE))
        return this.#stop(line, createProblem('broken-block', line.number, 'rest'));
      if (bare) this.#bareNames.push([bare, line.number]);
      return this.#cursor.keepThrough(line, block.proseEnd);
    }
    this.#add(block.items);
    if (block.end === undefined) this.#cursor.removeRest(line);
    else this.#cursor.removeThrough(line, block.end, block.closing ?? '…');
  }

  #visitThought(line: CandidateLine): void {
    const end = findThoughtEnd(this.#text, line.start);
    if (end === undefined && isThoughtInWords(this.#text, line.start)) return this.#cursor.keep(line);
    this.#thoughts.push([line.start, end ?? this.#text.length]);
    if (end === undefined) return this.#cursor.removeRest(line);
    this.#removeThoughts(line, end, findLineEnd(this.#text, end));
  }

  /** Removes a line up to the end of the text between two offsets, of which it keeps what is not a thought. */
  #removeThoughts(line: CandidateLine, from: number, end: number): void {
    this.#cursor.removeUpTo(line, end + 1, { text: this.#cutInlineThoughts(from, end), closing: '…' });
  }

  /** Returns a part of a line without its thoughts, and records their offsets. */
  #cutInlineThoughts(from: number, to: number): string {
    const text = this.#text.slice(from, to);
    const thoughts = listThoughts(text).flatMap(([start, end]) => (end === undefined ? [] : [[start, end] as const]));
    this.#thoughts.push(...thoughts.map(([start, end]) => [from + start, from + end] as const));
    return cutRanges(text, thoughts);
  }

  /** Discards everything up to the end of a thought that begins inside a line, or whose beginning is missing. */
  #dropThought(line: CandidateLine, closing: string): void {
    for (const list of [this.#calls, this.#runs, this.#problems]) list.length = 0;
    this.#pendingMove = undefined;
    const end = this.#text.indexOf(closing, line.start) + closing.length;
    const from = this.#thoughts.at(-1)?.[1] ?? 0;
    const opening = listThoughts(this.#text.slice(from, end)).at(-1)?.[0];
    this.#thoughts.push([opening === undefined ? 0 : from + opening, end]);
    this.#cursor.restart(line, end, '…');
  }

  #visitMention(line: CandidateLine, { place, isBare }: Line & { readonly kind: 'mention' }): void {
    // The move to a misspelt place fails, and its error suggests the known one.
    const isMove =
      isBare !== true && (this.#names.isPlace(place) || (this.#names.isNearPlace(place) && !this.#isDecorator(line)));
    const move: ToolCall = { verb: 'go', arg: place, line: line.number, tag: this.#readShown(line).trim() };
    if (isMove) {
      this.#addCall(move);
      return this.#cursor.remove(line);
    }
    const isFirst = !this.#pendingMove || this.#names.isPlace(this.#pendingMove.arg);
    if ((isBare === true || isFirst) && !this.#isDecorator(line)) this.#pendingMove = move;
    this.#cursor.keep(line);
  }

  /** Returns true for a line directly above a declaration. */
  #isDecorator({ index, end }: CandidateLine): boolean {
    const next = this.#lines[index + 1];
    const isAboveMove =
      next?.start === end + 1 && next.content?.kind === 'mention' && this.#names.isPlace(next.content.place);
    return !isAboveMove && isDecorated(this.#text.slice(end + 1, findLineEnd(this.#text, end + 1)));
  }

  #addTag(tag: Tag, { number: line }: CandidateLine, body?: TagBody): void {
    if (isArgumentMissing(tag)) this.#problems.push(createProblem('empty-arg', line, tag, 'tag'));
    else this.#addCall(makeCall(tag, line, body));
    if (!body && isEmptyEdit(tag)) this.#problems.push(createProblem('empty-edit', line, tag));
  }

  /** Adds a call after any move that was not one on its own: if it fails, the call does not run. */
  #addCall(call: ToolCall): void {
    this.#addPendingMove();
    this.#calls.push(call);
  }

  #addPendingMove(): void {
    const isFirst = this.#current!.above === -1;
    const move = (isFirst ? undefined : readEntryAbove(this.#text, this.#current!, this.#names)) ?? this.#pendingMove;
    if (move) this.#calls.push(move);
    this.#pendingMove = undefined;
  }

  #add(items: Translation): void {
    for (const item of items) {
      if ('code' in item) this.#problems.push(item);
      else this.#addCall(item);
    }
  }

  /**
   * Ends the walk: the rest of the text may be the body of the broken tag, so it is treated neither as calls nor as
   * prose.
   */
  #stop(line: CandidateLine, problem: ParseProblem): void {
    this.#problems.push(problem);
    this.#cursor.removeRest(line);
  }
}
