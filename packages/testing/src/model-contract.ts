import type { Message, Model } from '@bae/core';
import { collect, collectAndCancel, leaveEarly } from './collect-parts.ts';
import { expectAnswer, expectCancelled, expectFailure } from './expect-ending.ts';
import { expectThat } from './expect-that.ts';
import { expectUsage } from './expect-usage.ts';
import type { ContractFactory, ContractResponse } from './model-subject.ts';
import { QUESTION } from './question.ts';

/** One thing that every model does; `run` rejects when this one does not. */
export interface ContractCase {
  /** A sentence: `streams a text and ends with one stop`. */
  readonly title: string;
  run(): Promise<void>;
}

type Body = (model: Model) => Promise<void>;

const TAGS = 'I will write it.\n<W:notes.md>\n# Title\n\n  indented\ttabbed\n</W>\nDone <R:a.ts:1-2>';
const CHARACTERS = 'Grüße, 世界, 😀👩‍👩‍👧, ［end］ — ok';

const ANSWERS: readonly (readonly [string, readonly ContractResponse[], Body])[] = [
  ['has a name', [], async ({ name }) => expectThat(name.trim() !== '', 'its name is empty')],
  [
    'streams a text and ends it with one stop',
    [text('Just an answer.')],
    async (model) => expectAnswer(await collect(model), 'Just an answer.'),
  ],
  [
    'keeps tags, line breaks and blanks as they are',
    [text(TAGS)],
    async (model) => expectAnswer(await collect(model), TAGS),
  ],
  [
    'keeps characters beyond ASCII whole',
    [text(CHARACTERS)],
    async (model) => expectAnswer(await collect(model), CHARACTERS),
  ],
  [
    'reports usage at most once, before the end',
    [text('Counted.')],
    async (model) => expectUsage(await collect(model)),
  ],
  [
    'goes on with a conversation',
    [text('One.'), text('Two.')],
    async (model) => {
      expectAnswer(await collect(model), 'One.');
      const more: readonly Message[] = [
        { role: 'assistant', text: 'One.' },
        { role: 'user', text: 'And then?' },
      ];
      expectAnswer(await collect(model, { messages: [...QUESTION, ...more] }), 'Two.');
    },
  ],
];

const INTERRUPTIONS: typeof ANSWERS = [
  [
    'reports a failure as one error, after which nothing follows',
    [{ kind: 'fault' }],
    async (model) => expectFailure(await collect(model)),
  ],
  [
    'works again after a failure',
    [{ kind: 'fault' }, text('Recovered.')],
    async (model) => {
      expectFailure(await collect(model));
      expectAnswer(await collect(model), 'Recovered.');
    },
  ],
  [
    'says nothing when it is cancelled before it starts',
    [text('Too late.')],
    async (model) => expectCancelled(await collect(model, { signal: AbortSignal.abort() }), ''),
  ],
  [
    'ends soon when it is cancelled while it waits',
    [{ kind: 'stall', text: '' }],
    async (model) => expectCancelled(await collect(model, { signal: AbortSignal.timeout(50) }), ''),
  ],
  [
    'works again after it was cancelled in the middle',
    [{ kind: 'stall', text: 'Half' }, text('Whole.')],
    async (model) => {
      expectCancelled(await collectAndCancel(model), 'Half');
      expectAnswer(await collect(model), 'Whole.');
    },
  ],
  [
    'can be left before its end',
    [{ kind: 'stall', text: 'Enough' }, text('More.')],
    async (model) => {
      await leaveEarly(model);
      expectAnswer(await collect(model), 'More.');
    },
  ],
];

/** The contract of the model port as test cases, for any test runner. */
export function modelContract(create: ContractFactory): readonly ContractCase[] {
  return [...ANSWERS, ...INTERRUPTIONS].map(([title, responses, body]) => ({
    title,
    async run() {
      const subject = await create(responses);
      try {
        await body(subject.model);
      } finally {
        await subject.model.dispose?.();
        await subject.dispose?.();
      }
    },
  }));
}

function text(said: string): ContractResponse {
  return { kind: 'text', text: said };
}
