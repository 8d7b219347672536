import { z } from 'zod';
import { parsePriority, parseTags } from '../task-fields.ts';
import { SETTABLE, type AfterChange, type TaskRef } from '../task.ts';
import { parseReadTarget, TASK_ID, type Parsed } from './read-target.ts';

const LONGEST_TITLE = 200;
const LONGEST_METADATA = 10_000;

const id = () => z.int().min(1);
const from = () => z.int().min(1).default(1).describe('Place in the list to begin at');
const caller = () => z.enum(['agent', 'user']);

const title = () =>
  z
    .string()
    .trim()
    .refine((text) => isStorable(text) && isLine(text), 'expected 1 to 200 characters on one line');
const body = () => z.string().refine(isStorable, 'expected text without NUL characters and broken surrogates');
const priority = () =>
  parseInto(z.string(), (text) =>
    expectValue(parsePriority(text), 'a priority of 1-9, or M.m.p to place it under a major, or 0.0.0 for none'),
  );
const tags = () =>
  parseInto(z.array(z.string()), (words) =>
    expectValue(
      parseTags(words),
      'tags of letters, digits and . _ / -: either all of them (auth, ui) or changes (+auth, -ui)',
    ),
  );
const after = () =>
  parseInto(z.array(z.string()), (words) =>
    expectValue(parseAfter(words), 'ids or titles of tasks to wait for, like 3, 4, or -3 to wait no longer'),
  );
const firstAfter = () =>
  parseInto(z.array(z.string()), (words) =>
    expectValue(parseRefs(words), 'ids or titles of tasks to wait for, like 3, 4'),
  );
const readParent = (value: TaskRef): Parsed<TaskRef> =>
  expectValue(typeof value === 'number' ? value : parseRef(value), 'the id or title of a task');
const parent = () => parseInto(z.union([id(), z.string()]), readParent);
const parentOrNone = () => parseInto(z.union([id(), z.literal('none'), z.string()]), readParent);
const status = () => z.enum(SETTABLE);
const metadata = () =>
  z
    .record(z.string(), z.json())
    .refine((value) => isSmall(value), `expected at most ${LONGEST_METADATA} characters of JSON that can be stored`);

/**
 * The tools: their descriptions for the model, and their parameters; the first of these takes the argument of the tag.
 */
export const TASK_TOOLS = {
  read: {
    description:
      'Tasks to do; one by id; or ready: status:open tag:a,b.\nAlso priority:1.* parent:3 stale: all:, several of them together.',
    params: () =>
      z.object({
        target: parseInto(z.string(), parseReadTarget)
          .prefault('')
          .meta({
            description: 'An id, history:ID, or filters: ready: status: tag: priority: parent: stale: all:',
            examples: [''],
          }),
        from: from(),
      }),
  },
  write: {
    description: 'The id of a new task. Priority 1-9, the smaller the sooner.',
    params: () =>
      z.object({
        title: title().meta({ description: 'One line', examples: ['Fix login'] }),
        priority: priority()
          .prefault('0.0.0')
          .meta({
            description: '1-9, the smaller the more urgent; or M.m.p to place it under a major',
            examples: ['1'],
          }),
        tags: tags().prefault([]).describe('Words to find it by'),
        parent: parent()
          .optional()
          .describe('Id or title of the task it is a part of, where its priority does not say so'),
        after: firstAfter().prefault([]).describe('Ids or titles of tasks to wait for'),
        status: status()
          .optional()
          .meta({ description: 'For what is already begun or done', examples: ['done'] }),
        gated: z.boolean().default(false).describe('Only the user may finish it'),
        creator: caller().optional().describe('Whose idea it is, if not of the caller'),
        metadata: metadata().default({}).describe('A JSON object of your own'),
        body: body().default('').describe('Anything; a major needs its sections'),
      }),
  },
  edit: {
    description: 'The changed task. tags="+x,-y"; after=3 waits for 3.',
    params: () =>
      z.object({
        id: id().meta({ description: 'Number of the task', examples: [7] }),
        title: title().optional().describe('One line'),
        status: status()
          .optional()
          .meta({ description: 'done and cancelled are final; blocked follows from after', examples: ['in_progress'] }),
        priority: priority()
          .optional()
          .meta({ description: '1-9; or M.m.p, which brings the parent of that number', examples: ['1'] }),
        tags: tags().optional().describe('These tags, or +more -fewer'),
        parent: parentOrNone().optional().describe('Id or title of the task it is a part of, or none'),
        after: after().optional().describe('Ids or titles of more tasks to wait for; -3 to wait no longer'),
        gated: z.boolean().optional().describe('Only the user may finish it; only the user takes that back'),
        metadata: metadata().optional().describe('A JSON object in place of the old one'),
        version: z.int().min(1).optional().describe('Refuse when it is not at this version any more'),
        body: body().optional().describe('New text; sections it does not mention stay'),
      }),
  },
  glob: {
    description: 'Tasks by title, with * and ?.',
    params: () =>
      z.object({
        pattern: z
          .string()
          .trim()
          .min(1)
          .meta({ description: 'Title with * and ?, in any case', examples: ['*login*'] }),
        from: from(),
      }),
  },
  grep: {
    description: 'Tasks with all words, best first.',
    params: () =>
      z.object({
        text: z
          .string()
          .trim()
          .min(1)
          .meta({ description: 'Words', examples: ['login'] }),
        from: from(),
      }),
  },
} as const;

export type TaskTool = keyof typeof TASK_TOOLS;

/** Arguments of a tool call. */
export type ArgsOf<T extends TaskTool> = z.output<ReturnType<(typeof TASK_TOOLS)[T]['params']>>;

/** Creates a parameter with a parser, which describes the problem of a refused text. */
function parseInto<I extends z.ZodType, T>(input: I, parse: (value: z.output<I>) => Parsed<T>) {
  return input.transform((value, context): T => {
    const result = parse(value);
    if ('value' in result) return result.value;
    context.addIssue({ code: 'custom', message: `expected ${result.expected}` });
    return z.NEVER;
  });
}

function expectValue<T>(value: T | undefined, expected: string): Parsed<T> {
  return value === undefined ? { expected } : { value };
}

function parseAfter(words: readonly string[]): AfterChange | undefined {
  const add = parseRefs(words.filter((word) => !word.startsWith('-')).map((word) => word.replace(/^\+/, '')));
  const remove = parseRefs(words.filter((word) => word.startsWith('-')).map((word) => word.slice(1)));
  return add && remove && { add, remove };
}

function parseRefs(words: readonly string[]): readonly TaskRef[] | undefined {
  const refs = words.map(parseRef);
  return refs.every((ref) => ref !== undefined) ? refs : undefined;
}

/** Reads an id, or else a title; returns undefined for a text that can be neither. */
function parseRef(text: string): TaskRef | undefined {
  const word = text.trim();
  const number = TASK_ID.exec(word)?.[1];
  if (number !== undefined) return Number(number);
  return isStorable(word) && isLine(word) ? word : undefined;
}

function isLine(text: string): boolean {
  const length = Array.from(text).length;
  return length >= 1 && length <= LONGEST_TITLE && !/[\p{Cc}\u2028\u2029]/u.test(text);
}

/** Returns false for a text that a database would change or truncate. */
function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

function isSmall(value: unknown): boolean {
  const text = JSON.stringify(value);
  return text.length <= LONGEST_METADATA && text.isWellFormed();
}
