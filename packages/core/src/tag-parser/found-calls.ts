import type { ParseProblem, ToolCall } from '../protocol/tool-call.ts';
import { callOfTag, type TagBody } from './call-of-tag.ts';
import { parseProblems } from './parse-problems.ts';
import type { TagNames } from './tag-names.ts';
import type { Tag } from './tag.ts';
import { translateToolJson, type ToolJson } from './translate-tool-json.ts';

const NEEDS_ARGUMENT: ReadonlySet<string> = new Set(['write', 'edit', 'glob', 'grep']);

/** True when a tag says nothing where its verb has to be told something. */
export function lacksArgument({ verb, arg }: Pick<Tag, 'verb' | 'arg'>): boolean {
  return arg === '' && NEEDS_ARGUMENT.has(verb);
}

/** Collects the calls, run blocks and problems of a text, in the order of the text. */
export class FoundCalls {
  readonly calls: ToolCall[] = [];
  readonly runs: string[] = [];
  readonly problems: ParseProblem[] = [];
  readonly #names: TagNames;

  constructor(names: TagNames) {
    this.#names = names;
  }

  /** Adds the call of a tag, or the problem that it has no argument. */
  addTag(tag: Tag, line: number, body?: TagBody): void {
    if (lacksArgument(tag)) this.problems.push(parseProblems.emptyArg(line, tag, 'tag'));
    else this.calls.push(callOfTag(tag, line, body));
  }

  /** Adds all tags of a line. */
  addTags(tags: readonly Tag[], line: number): void {
    for (const tag of tags)
      this.addTag(tag, line, tag.body === undefined ? undefined : { text: tag.body, block: false });
  }

  addMove(place: string, line: number): void {
    this.calls.push({ verb: 'go', arg: place, line, tag: `@${place}()` });
  }

  /** Adds the call of a line that is a JSON object; false when the line is prose after all. */
  addJsonLine(json: string, line: number): boolean {
    return this.#addJson(translateToolJson(json, line, this.#names));
  }

  /** Adds the call inside of `<tool_call>`, or the problem that there is none. */
  addToolCall(json: string, line: number): void {
    const result = translateToolJson(json, line, this.#names);
    if (this.#addJson(result)) return;
    const problem =
      result.kind === 'unknown-tool'
        ? parseProblems.unknownToolCall(line, result.name, this.#names.nearMiss(result.name))
        : parseProblems.badToolCall(line);
    this.problems.push(problem);
  }

  #addJson(result: ToolJson): boolean {
    if (result.kind !== 'call') return false;
    const { call } = result;
    if (call.kwargs || !lacksArgument(call)) {
      this.calls.push(call);
    } else {
      const { verb, line, tag: text } = call;
      this.problems.push(parseProblems.emptyArg(line, { verb, text }, 'tag'));
    }
    return true;
  }
}
