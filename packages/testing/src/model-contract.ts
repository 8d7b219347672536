import { BaeError, type Message, type Model, type ModelPart } from '@bae/core';

/** Expected behaviour of a model under test for one request. */
export type ContractResponse =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'fault' }
  /** The service sends this text and then nothing more, without closing the connection. */
  | { readonly kind: 'stall'; readonly text: string };

/** Model connected to a service that returns the scripted responses in order. */
export interface ContractSubject {
  readonly model: Model;
  dispose?(): void | Promise<void>;
}

/** Creates a model that gets these responses, one for each request. */
export type ContractFactory = (responses: readonly ContractResponse[]) => ContractSubject | Promise<ContractSubject>;

/** Requirement of every model; `run` rejects if this model does not meet it. */
export interface ContractCase {
  /** Title as a sentence: `streams a text and ends with one stop`. */
  readonly title: string;
  run(): Promise<void>;
}

/** Returns the contract of the model port as test cases, for any test runner. */
export function modelContract(create: ContractFactory): readonly ContractCase[] {
  return CASES.map(([title, responses, check]) => ({
    title,
    async run() {
      const subject = await create(responses);
      try {
        await check(subject.model);
      } finally {
        await subject.model.dispose?.();
        await subject.dispose?.();
      }
    },
  }));
}

const text = (content: string): ContractResponse => ({ kind: 'text', text: content });
const stall = (content: string): ContractResponse => ({ kind: 'stall', text: content });

const TAGS = 'I will write it.\n<W:notes.md>\n# Title\n\n  indented\ttabbed\n</W>\nDone <R:a.ts:1-2>';
const CHARACTERS = 'Grüße, 世界, 😀👩‍👩‍👧, ［end］ — ok';

type Case = readonly [title: string, responses: readonly ContractResponse[], check: (model: Model) => Promise<void>];

const CASES: readonly Case[] = [
  ['has a name', [], async ({ name }) => expectThat(name.trim() !== '', 'its name is empty')],
  [
    'streams a text and ends it with one stop',
    [text('Just an answer.')],
    (model) => expectAnswer(model, 'Just an answer.'),
  ],
  ['keeps tags, line breaks and blanks as they are', [text(TAGS)], (model) => expectAnswer(model, TAGS)],
  ['keeps characters beyond ASCII whole', [text(CHARACTERS)], (model) => expectAnswer(model, CHARACTERS)],
  ['reports usage at most once, before the end', [text('Counted.')], expectUsage],
  [
    'goes on with a conversation',
    [text('One.'), text('Two.')],
    async (model) => {
      await expectAnswer(model, 'One.');
      const more: readonly Message[] = [
        { role: 'assistant', text: 'One.' },
        { role: 'user', text: 'And then?' },
      ];
      await expectAnswer(model, 'Two.', [...QUESTION, ...more]);
    },
  ],
  ['reports a failure as one error, after which nothing follows', [{ kind: 'fault' }], expectFailure],
  [
    'works again after a failure',
    [{ kind: 'fault' }, text('Recovered.')],
    async (model) => {
      await expectFailure(model);
      await expectAnswer(model, 'Recovered.');
    },
  ],
  [
    'sends nothing when it is cancelled before it starts',
    [text('Too late.')],
    (model) => expectCancelled(model, '', { signal: AbortSignal.abort() }),
  ],
  [
    'ends soon when it is cancelled while it waits',
    [stall('')],
    (model) => expectCancelled(model, '', { signal: AbortSignal.timeout(50) }),
  ],
  [
    'works again after it was cancelled in the middle',
    [stall('Half'), text('Whole.')],
    async (model) => {
      const controller = new AbortController();
      const onPart = ({ type }: ModelPart): boolean => {
        if (type === 'text-delta') controller.abort();
        return true;
      };
      await expectCancelled(model, 'Half', { signal: controller.signal, onPart });
      await expectAnswer(model, 'Whole.');
    },
  ],
  [
    'can be left before its end',
    [stall('Enough'), text('More.')],
    async (model) => {
      await collectModelParts(model, { onPart: ({ type }) => type !== 'text-delta' });
      await expectAnswer(model, 'More.');
    },
  ],
];

/** Checks that a response is this text, followed by exactly one normal stop. */
async function expectAnswer(model: Model, expected: string, messages = QUESTION): Promise<void> {
  const parts = await collectModelParts(model, { messages });
  const error = parts.find((part) => part.type === 'error');
  expectThat(error === undefined, `it failed: ${error?.error.message}`);
  const actual = joinDeltas(parts);
  expectThat(actual === expected, `it sent ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`);
  const last = parts.at(-1);
  expectThat(last?.type === 'end' && last.reason === 'stop', `its last part is ${quotePart(last)}, not a stop`);
  expectThat(parts.filter(({ type }) => type === 'end').length === 1, 'it ended more than once');
}

/** Checks that a response fails: the last part is an error, there is only one, and there is no end. */
async function expectFailure(model: Model): Promise<void> {
  const parts = await collectModelParts(model);
  const errors = parts.filter((part) => part.type === 'error');
  const last = parts.at(-1);
  expectThat(errors.length === 1, `it has ${errors.length} error parts, not one`);
  expectThat(last?.type === 'error', `its last part is ${quotePart(last)}, not the error`);
  expectThat(!parts.some(({ type }) => type === 'end'), 'it ended although it failed');
  expectThat(BaeError.is(errors[0]?.error) && errors[0].error.code === 'BAE_MODEL', 'its error is not a ModelError');
}

/** Checks that a cancelled response neither stops normally nor fails, and has no text beyond `most`. */
async function expectCancelled(model: Model, most: string, options: CollectOptions): Promise<void> {
  const parts = await collectModelParts(model, options);
  const actual = joinDeltas(parts);
  expectThat(most.startsWith(actual), `it sent ${JSON.stringify(actual)}, which is more than ${JSON.stringify(most)}`);
  expectThat(!parts.some(({ type }) => type === 'error'), 'it reported an error for a cancellation');
  const hasStopped = parts.some((part) => part.type === 'end' && part.reason === 'stop');
  expectThat(!hasStopped, 'it ended with a normal stop although it was cancelled');
}

/** Checks that usage, if reported, comes once, before the end, in whole numbers. */
async function expectUsage(model: Model): Promise<void> {
  const parts = await collectModelParts(model);
  const reports = parts.filter((part) => part.type === 'usage');
  expectThat(reports.length <= 1, `it reported usage ${reports.length} times`);
  expectThat(parts.at(-1)?.type === 'end', `its last part is ${quotePart(parts.at(-1))}, not the end`);
  for (const [name, count] of Object.entries(reports[0]?.usage ?? {})) {
    expectThat(Number.isInteger(count) && count >= 0, `its ${name} is ${count}, not a whole number`);
  }
}

/** @throws Error with the complaint if a claim does not hold */
function expectThat(holds: boolean, complaint: string): void {
  if (!holds) throw new Error(complaint);
}

function joinDeltas(parts: readonly ModelPart[]): string {
  return parts.map((part) => (part.type === 'text-delta' ? part.text : '')).join('');
}

function quotePart(part: ModelPart | undefined): string {
  return part === undefined ? 'nothing' : JSON.stringify(part);
}

/** Short question; frozen, because no model may change it. */
const QUESTION: readonly Message[] = Object.freeze([
  Object.freeze({ role: 'system', text: 'You are terse.' }),
  Object.freeze({ role: 'user', text: 'Say something.' }),
] as const);

/**
 * Time limit of one response, in milliseconds: long enough for a slow machine, short enough that a hanging test reports
 * the reason.
 */
const TIMEOUT_MS = 10_000;

interface CollectOptions {
  readonly messages?: readonly Message[];
  readonly signal?: AbortSignal;
  /** Returns false to stop iterating. */
  readonly onPart?: (part: ModelPart) => boolean;
}

/** Collects the parts of one response. @throws Error if the iteration throws, or does not end in time */
async function collectModelParts(
  model: Model,
  { messages = QUESTION, signal = new AbortController().signal, onPart = () => true }: CollectOptions = {},
): Promise<readonly ModelPart[]> {
  const parts: ModelPart[] = [];
  const read = async (): Promise<void> => {
    for await (const part of model.respond(messages, { signal })) {
      parts.push(part);
      if (!onPart(part)) return;
    }
  };
  const { promise, reject } = Promise.withResolvers<never>();
  const complain = (): void => reject(new Error(`it did not end; so far: ${JSON.stringify(parts)}`));
  const timer = setTimeout(complain, TIMEOUT_MS);
  try {
    await Promise.race([read(), promise]);
    return parts;
  } finally {
    clearTimeout(timer);
  }
}
