import type { ParseProblem } from '../protocol/tool-call.ts';
import { truncateUnits } from '../text-size/fit-text.ts';
import type { Tag } from './tag.ts';

/** Longest name or argument that a message quotes in full, in units. */
const LONGEST_QUOTE = 104;
const STOPPED = 'nothing from that line on was executed';
const EXAMPLES = new Map([
  ['read', '<R:src/app.ts>'],
  ['write', '<W:notes.md>, the text on the lines below it, and </W>'],
  ['edit', '<E:src/app.ts:10-15>'],
  ['glob', '<G:src/**/*.ts>'],
  ['grep', '<Grep:TODO>'],
]);

/** What a problem keeps from being executed: its tag, or its tag and the rest of the text. */
type Reach = 'tag' | 'rest';

/** Why a line was not read as a call, and the tag that would be; without one, its name is unknown. */
export interface CallShape {
  readonly fact: string;
  readonly tag?: string | undefined;
}

/** Every problem a text can have, with its message for the model. */
export const parseProblems = {
  unclosedBody(line: number, tag: Tag): ParseProblem {
    const closing = `</${tag.written}>`;
    const message = `${truncateQuote(tag.text)} has no closing ${closing}; ${STOPPED}. Close it with ${closing} or </${truncateQuote(tag.written)}:${truncateQuote(tag.arg)}>.`;
    return { code: 'unclosed-body', line, message };
  },

  unclosedRun(line: number): ParseProblem {
    const message = `<run> has no closing </run>; ${STOPPED}. End the code with </run> on a line of its own.`;
    return { code: 'unclosed-run', line, message };
  },

  unclosedFence(line: number, fence: string): ParseProblem {
    const message = `the code fence ${fence} is never closed, so no tag after it was executed. Close it with ${fence} on a line of its own, then write the tags that are to run.`;
    return { code: 'unclosed-fence', line, message };
  },

  writeNotAlone(line: number, tag: Tag): ParseProblem {
    const message = `${truncateQuote(tag.text)} shares its line with something else; ${STOPPED}. Put ${truncateQuote(tag.text)}, its text and </${tag.written}> on lines of their own.`;
    return { code: 'write-not-alone', line, message };
  },

  emptyArg(line: number, tag: Pick<Tag, 'verb' | 'text'>, reach: Reach): ParseProblem {
    const message = `${truncateQuote(tag.text)} has no argument, so it was not executed${describeReach(reach)}. Write ${exampleOf(tag)}.`;
    return { code: 'empty-arg', line, message };
  },

  badArg(line: number, tag: Tag, reach: Reach): ParseProblem {
    const message = `the argument of ${truncateQuote(tag.text)} holds < or >, so it was not executed${describeReach(reach)}. Write ${exampleOf(tag)}, without < and > in the argument.`;
    return { code: 'bad-arg', line, message };
  },

  unendedTag(line: number, tag: Tag, reach: Reach): ParseProblem {
    const message = `${truncateQuote(tag.text)} has no > that ends it on its line, so it was not executed${describeReach(reach)}. Write ${exampleOf(tag)} on one line; text of several lines goes between the tag and its closing tag.`;
    return { code: 'bad-arg', line, message };
  },

  unknownTool(line: number, tag: Tag, meant: string): ParseProblem {
    const message = `no tool '${truncateQuote(tag.written)}'. Did you mean ${meant}? Type <${meant}:${truncateQuote(tag.arg)}>.`;
    return { code: 'unknown-tool', line, message };
  },

  badToolCall(line: number): ParseProblem {
    const message =
      '<tool_call> does not hold one JSON object with "name" and "arguments", so it was not executed. Write a tag instead, for example <R:src/app.ts>.';
    return { code: 'bad-tool-call', line, message };
  },

  unknownToolCall(line: number, name: string, meant: string | undefined): ParseProblem {
    const remedy = meant === undefined ? '' : ` Did you mean ${meant}?`;
    const message = `no tool '${truncateQuote(name)}', so its call was not executed.${remedy} Write a tag instead, for example <R:src/app.ts>.`;
    return { code: 'bad-tool-call', line, message };
  },

  unclosedToolCall(line: number): ParseProblem {
    const message = `<tool_call> has no closing </tool_call>; ${STOPPED}. Write a tag instead, for example <R:src/app.ts>.`;
    return { code: 'bad-tool-call', line, message };
  },

  brokenBlock(line: number, reach: Reach): ParseProblem {
    const message = `the call that begins here is not complete, so it was not executed${describeReach(reach)}. Write a tag instead, for example <R:src/app.ts>.`;
    return { code: 'bad-tool-call', line, message };
  },

  looksLikeCall(line: number, text: string, { fact, tag }: CallShape): ParseProblem {
    const remedy =
      tag === undefined ? 'Type <help:> for the tools here.' : `Write ${truncateQuote(tag)} alone on its line.`;
    return { code: 'looks-like-call', line, message: `${truncateQuote(text)} ${fact}, so nothing ran. ${remedy}` };
  },

  fabricatedOutput(line: number, name: string, reach: Reach): ParseProblem {
    const message = `${name} is not the output of any tool and was ignored${describeReach(reach)}. Write only the call and end the response there; the real output comes in the next message.`;
    return { code: 'fabricated-output', line, message };
  },
} as const;

function exampleOf({ verb }: Pick<Tag, 'verb'>): string {
  return EXAMPLES.get(verb) ?? `<${truncateQuote(verb)}:argument>`;
}

function describeReach(reach: Reach): string {
  return reach === 'rest' ? `; ${STOPPED}` : '';
}

function truncateQuote(text: string): string {
  return truncateUnits(text, LONGEST_QUOTE);
}
