import type { ParseProblem } from '../protocol/tool-call.ts';
import { truncateUnits } from '../text-size/text-size.ts';
import type { Tag } from './tag.ts';

const LONGEST_QUOTE = 104;
const LONGEST_CALL = 300;
const STOPPED = 'nothing from that line on was executed';
const WRITE_A_TAG = 'Write a tag instead, for example <R:src/app.ts>.';
const EXAMPLES = new Map([
  ['read', '<R:src/app.ts>'],
  ['write', '<W:notes.md>, the text on the lines below it, and </W>'],
  ['edit', '<E:src/app.ts:10-15>'],
  ['glob', '<G:src/**/*.ts>'],
  ['grep', '<Grep:TODO>'],
]);

/** Part of the text that a problem prevents from being executed: its tag, or its tag and the rest of the text. */
type Reach = 'tag' | 'rest';

/** Reason why a line was not read as a call, and the tag that would be; without a tag, its name is unknown. */
export interface CallShape {
  readonly fact: string;
  readonly tag?: string | undefined;
}

/** A call whose name was misspelt. */
interface MeantCall {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}

const MESSAGES = {
  'unclosed-body': ({ written, arg, text }: Tag) =>
    `${truncateQuote(text)} has no closing </${written}>; ${STOPPED}. Close it with </${written}> or </${truncateQuote(written)}:${truncateQuote(arg)}>.`,
  'unclosed-run': () => `<run> has no closing </run>; ${STOPPED}. End the code with </run> on a line of its own.`,
  'unclosed-fence': (fence: string) =>
    `the code fence ${fence} is never closed, so no tag after it was executed. Close it with ${fence} on a line of its own, then write the tags that are to run.`,
  'write-not-alone': ({ written, text }: Tag) =>
    `${truncateQuote(text)} shares its line with something else; ${STOPPED}. Put ${truncateQuote(text)}, its text and </${written}> on lines of their own.`,
  'empty-arg': (tag: Pick<Tag, 'verb' | 'text'>, reach: Reach) =>
    `${truncateQuote(tag.text)} has no argument, so it was not executed${describeReach(reach)}. Write ${exampleOf(tag)}.`,
  'empty-edit': ({ text, written }: Tag) =>
    `${truncateQuote(text)} with an empty body on its line only shows these lines; nothing was changed. To delete them, put </${written}> on a line of its own below the tag.`,
  'bad-arg': (tag: Tag, reach: Reach) =>
    `the argument of ${truncateQuote(tag.text)} holds < or >, so it was not executed${describeReach(reach)}. ${adviseBrackets(tag)}`,
  'unended-tag': (tag: Tag, reach: Reach) =>
    `${truncateQuote(tag.text)} has no > that ends it on its line, so it was not executed${describeReach(reach)}. ${describeLongForm(tag)}`,
  'unknown-tool': ({ written, arg }: Tag, meant: string) =>
    `no tool '${truncateQuote(written)}'. Did you mean ${meant}? Type <${meant}:${truncateQuote(arg)}>.`,
  'bad-tool-call': () =>
    `<tool_call> does not hold one JSON object with "name" and "arguments", so it was not executed. ${WRITE_A_TAG}`,
  'unknown-tool-call': (name: string, meant: MeantCall | undefined) =>
    `no tool '${truncateQuote(name)}', so its call was not executed. ${meant === undefined ? WRITE_A_TAG : adviseCall(meant)}`,
  'unclosed-tool-call': () => `<tool_call> has no closing </tool_call>; ${STOPPED}. ${WRITE_A_TAG}`,
  'broken-block': (reach: Reach) =>
    `the call that begins here is not complete, so it was not executed${describeReach(reach)}. ${WRITE_A_TAG}`,
  'looks-like-call': (text: string, { fact, tag }: CallShape) =>
    `${truncateQuote(text)} ${fact}, so nothing ran. ${adviseTag(tag)}`,
  'bare-name': ({ verb, text }: Tag, meant: string) =>
    `${truncateQuote(text)} has no colon, so it was not executed. Write ${EXAMPLES.get(verb) ?? truncateQuote(meant)}.`,
  'fabricated-output': (name: string, reach: Reach) =>
    `${name} is not the output of any tool and was ignored${describeReach(reach)}. Write only the call and end the response there; the real output comes in the next message.`,
};

/** Problems that are reported under the code of another. */
const VARIANTS: Readonly<Record<string, ParseProblem['code']>> = {
  'empty-edit': 'empty-arg',
  'unended-tag': 'bad-arg',
  'unknown-tool-call': 'bad-tool-call',
  'unclosed-tool-call': 'bad-tool-call',
  'broken-block': 'bad-tool-call',
  'bare-name': 'looks-like-call',
};

type Messages = typeof MESSAGES;

export function createProblem<K extends keyof Messages>(
  kind: K,
  line: number,
  ...about: Parameters<Messages[K]>
): ParseProblem {
  const describe = MESSAGES[kind] as (...about: Parameters<Messages[K]>) => string;
  return { code: VARIANTS[kind] ?? (kind as ParseProblem['code']), line, message: describe(...about) };
}

function exampleOf({ verb }: Pick<Tag, 'verb'>): string {
  return EXAMPLES.get(verb) ?? `<${truncateQuote(verb)}:argument>`;
}

function adviseTag(tag: string | undefined): string {
  if (tag === undefined) return 'Type <help:> for the tools here.';
  return tag.includes('\n') ? `Write this instead:\n${tag}` : `Write ${truncateQuote(tag)} alone on its line.`;
}

function adviseCall({ name, args }: MeantCall): string {
  const json = JSON.stringify({ name, arguments: args });
  const isShort = json.length <= LONGEST_CALL && Object.keys(args).length > 0;
  return `Did you mean ${name}? ${isShort ? `Send ${json}` : 'Send it again by this name.'}`;
}

/** Says how a call is written whose argument has brackets: paths have none, and texts have room elsewhere. */
function adviseBrackets(tag: Tag): string {
  if (EXAMPLES.has(tag.verb)) return `Write ${exampleOf(tag)}, without < and > in the argument.`;
  const name = truncateQuote(tag.written);
  return `Put < and > in quotes, or the text on lines of its own: <${name}:>, the text, and </${name}>.`;
}

/** Says where text of several lines goes, which cannot stand in a tag. */
function describeLongForm(tag: Tag): string {
  const [, target] = /^(.*?)\s+(?:old|new)\s*=/s.exec(tag.arg) ?? [];
  if (tag.verb === 'edit' && target !== undefined)
    return `Text of several lines goes below the tag:\n<E:${truncateQuote(target)}>\n<old>…</old>\n<new>…</new>\n</E>`;
  const example = tag.arg === '' ? exampleOf(tag) : truncateQuote(`<${tag.written}:${tag.arg}>`);
  return `Write ${example} on one line; text of several lines goes between the tag and its closing tag.`;
}

function describeReach(reach: Reach): string {
  return reach === 'rest' ? `; ${STOPPED}` : '';
}

function truncateQuote(text: string): string {
  return truncateUnits(text, LONGEST_QUOTE);
}
