import { SHORT_TAGS, VERBS } from '../protocol/verbs.ts';

const { read: R, write: W, edit: E, glob: G, grep: GREP } = SHORT_TAGS;

/** Tags that the model is taught, in the order of the verbs; the parser accepts every example. */
export const TAG_FORMS = [
  { verb: 'read', example: `<${R}:a.ts>`, meaning: 'read; without target: list' },
  { verb: 'read', example: `<${R}:a.ts:10-40>`, meaning: 'lines 10 to 40' },
  { verb: 'write', example: `<${W}:a.md>\nall the text\n</${W}>`, meaning: 'write' },
  { verb: 'edit', example: `<${E}:a.ts:10-12>\nnew lines\n</${E}>`, meaning: 'replace lines; after=true inserts' },
  { verb: 'glob', example: `<${G}:src/**/*.ts>`, meaning: 'list by pattern' },
  { verb: 'grep', example: `<${GREP}:TODO>`, meaning: 'search by regex' },
] as const;

/**
 * Builds the prompt that explains how to call, move and read results. It names no place and no tool of a place, so it
 * never changes during a session.
 */
export function buildSystemPrompt(instructions: string, runBlocks: boolean): string {
  const forms = TAG_FORMS.map(({ example, meaning }) => `${example}  ${meaning}`).join('\n');
  const rules = runBlocks ? `${RULES}\n${RUN_RULE}` : RULES;
  return [`${BEGINNING}\n${forms}`, `${rules}\n${LAST_RULE}`, EXAMPLES, instructions]
    .filter((part) => part !== '')
    .join('\n\n');
}

const BEGINNING = `You work in places, each with its own tools. Entering one shows how to call them; [names] are optional: name=value.

Call a tool with a tag alone on its line:`;

const RULES = `\
- @name() alone on its line enters a place; @home(), @back(), @up() return; @nav() maps all; <help:> lists the tools, <help:${VERBS[4]}> explains one.
- <place.${VERBS[0]}:target> uses another place's tool from here.
- Text between tags is exact; text with </${W}> in it ends with </${W}:a.md>.
- Tags run in order once your message ends. Results come next, between [Tool output …] and [end …]; never write them.
- Cut results end with a tag for the rest.
- Edits show the new lines. Edits in one message count lines as shown before it.
- Fenced tags do not run.`;

const RUN_RULE = `- <run>…</run>, alone in its message, runs TypeScript without Node: await ${VERBS[0]}("a.ts"), await place.${VERBS[0]}("x"). print(x) and the last value come back; see <help:run>.`;

const LAST_RULE = '- When done, answer in plain words.';

const EXAMPLES = `User: Capital of France?
You: Paris.
User: Where is the port set?
You: <${GREP}:port path=src>`;
