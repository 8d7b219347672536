import type { ParsedText, ParseProblem, ToolCall } from '../protocol/tool-call.ts';
import { callOfTag } from './call-of-tag.ts';
import { skipBlanks } from './characters.ts';
import type { FenceLine } from './fence-line.ts';
import { readFabricated, readToolCall } from './foreign-block.ts';
import { readLine } from './line-kind.ts';
import type { Mark } from './mark.ts';
import { matchClosers, NO_CLOSER } from './match-closers.ts';
import { parseProblems } from './parse-problems.ts';
import { ProseBuilder } from './prose-builder.ts';
import { readRunBlock } from './run-block.ts';
import type { TagNames } from './tag-names.ts';
import type { Tag } from './tag.ts';
import { withoutTerminalCodes } from './terminal-codes.ts';
import { translateToolJson } from './translate-tool-json.ts';

const NEEDS_ARGUMENT: ReadonlySet<string> = new Set(['write', 'edit', 'glob', 'grep']);
/** What would have been executed outside of a fence. */
const EXECUTABLE: ReadonlySet<string> = new Set(['tags', 'open', 'inline', 'crowded', 'broken', 'run', 'tool-call', 'go']);

/** Goes from mark to mark of a scanned text and takes the text apart. */
export class ResponseWalk {
  readonly #text: string;
  readonly #marks: readonly Mark[];
  readonly #names: TagNames;
  readonly #closers: Int32Array;
  readonly #prose: ProseBuilder;
  readonly #calls: ToolCall[] = [];
  readonly #runs: string[] = [];
  readonly #problems: ParseProblem[] = [];
  #next = 0;

  constructor(text: string, marks: readonly Mark[], names: TagNames) {
    this.#text = text;
    this.#marks = marks;
    this.#names = names;
    this.#closers = matchClosers(marks);
    this.#prose = new ProseBuilder(text);
  }

  /** Everything the text holds. Call it once. */
  result(): ParsedText {
    while (this.#next < this.#marks.length) {
      const index = this.#next++;
      this.#step(this.#marks[index]!, this.#closers[index]!);
    }
    return { calls: this.#calls, runs: this.#runs, problems: this.#problems, prose: this.#prose.finish() };
  }

  #step(mark: Mark, closer: number): void {
    const { what, line } = mark;
    switch (what.kind) {
      case 'blank':
      case 'shown':
        return this.#show(mark);
      case 'escaped':
        return this.#prose.replace(mark.start, mark.end + 1, this.#shown(mark).replace('\\<', '<'));
      case 'fence':
        return this.#fence(mark, what);
      case 'close':
        return this.#remove(mark, NO_CLOSER);
      case 'tags':
        for (const tag of what.tags) this.#call(tag, line, tag.body);
        return this.#remove(mark, NO_CLOSER);
      case 'inline':
        this.#call(what.tag, line, what.body);
        return this.#remove(mark, NO_CLOSER);
      case 'open':
        return this.#open(mark, what.tag, closer);
      case 'crowded':
        return this.#stop(mark, parseProblems.writeNotAlone(line, what.tag));
      case 'broken': {
        const isStop = what.tag.verb === 'write' && !what.isClosed && closer === NO_CLOSER;
        const problem = parseProblems.badArg(line, what.tag, isStop);
        return isStop ? this.#stop(mark, problem) : this.#reject(mark, what.isClosed ? NO_CLOSER : closer, problem);
      }
      case 'near-miss':
        return this.#reject(mark, closer, parseProblems.unknownTool(line, what.tag, what.meant));
      case 'run':
        return this.#run(mark);
      case 'tool-call':
        return this.#toolCalls(mark);
      case 'fabricated':
        return this.#fabricated(mark, what.name);
      case 'json':
        return this.#json(what.text, line) ? this.#remove(mark, NO_CLOSER) : this.#show(mark);
      case 'go':
        this.#calls.push({ verb: 'go', arg: what.place, line, tag: `@${what.place}()` });
        return this.#remove(mark, NO_CLOSER);
    }
  }
}
