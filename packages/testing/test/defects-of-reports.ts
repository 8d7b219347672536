import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ResourceError, type ToolContext } from '@bae/core';
import { broken, defect, type Defect } from './defect.ts';
import { SECRET } from './notes-space.ts';

const REPORTS = 'reports progress and output that can be shown';
const QUESTIONS = 'asks what can be answered';
const REFUSED = 'can be refused an answer';
const OPENING = 'can be opened again, and its work in the background does not fail';
const STATE = 'shows its state in a line or two';
const SECRETS = 'shows none of its secrets';

/** Notes that forget what they are told, and do something else before. */
function forgetting(name: string, check: string, work: (context: ToolContext) => unknown): Defect {
  return broken(name, check, ({ forget }) => {
    forget!.run = async (_args, context) => {
      await work(context);
      return 'gone';
    };
  });
}

async function* yieldThenSay(output: ToolContext['output']): AsyncGenerator {
  yield 'gone';
  setTimeout(() => output('and one more'), 1);
}

function asking(name: string, question: object): Defect {
  return forgetting(name, QUESTIONS, (context) => context.ask(question as never));
}

const folder = mkdtempSync(join(tmpdir(), 'bae-notes-'));

/** What a call tells and asks while it runs, and what is there before and after all calls. */
export const DEFECTS_OF_REPORTS: readonly Defect[] = [
  forgetting('progress that is no number', REPORTS, ({ progress }) => progress(Number.NaN)),
  forgetting('progress as a part of one', REPORTS, ({ progress }) => progress('50 %' as never)),
  forgetting('progress from below nothing', REPORTS, ({ progress }) => progress(-1)),
  forgetting('progress of no total', REPORTS, ({ progress }) => progress(1, Number.POSITIVE_INFINITY)),
  forgetting('progress beyond its total', REPORTS, ({ progress }) => progress(3, 2)),
  forgetting('progress that goes back', REPORTS, ({ progress }) => {
    progress(5);
    progress(1);
  }),
  forgetting('a step of many lines', REPORTS, ({ progress }) => progress(1, 2, 'reading\nand writing')),
  forgetting('output that is not a text', REPORTS, ({ output }) => output(7 as never)),
  broken('output that comes too late', REPORTS, ({ forget }) => {
    forget!.run = (_args, { output }) => {
      setTimeout(() => output('and one more'), 1);
      return 'gone';
    };
  }),
  broken('output after the pieces of a generator', REPORTS, ({ forget }) => {
    forget!.run = (_args, { output }) => yieldThenSay(output);
  }),
  broken('progress that comes too late', REPORTS, ({ wait }) => {
    wait!.run = ({ ms }, { progress }) => {
      setTimeout(() => progress(1), 1);
      return { waited: ms };
    };
  }),
  asking('a question without words', { text: ' ', fields: { sure: { type: 'boolean' } } }),
  asking('a question for nothing', { text: 'Are you sure?', fields: {} }),
  asking('a question without fields', { text: 'Are you sure?' }),
  asking('a field of a type that there is not', { text: 'When?', fields: { day: { type: 'date' } } }),
  asking('a choice of nothing', { text: 'Which?', fields: { account: { type: 'string', oneOf: [] } } }),
  asking('a default of another type', { text: 'How many?', fields: { count: { type: 'integer', default: 'two' } } }),
  asking('half a thing as a default', { text: 'How many?', fields: { count: { type: 'integer', default: 0.5 } } }),
  asking('a default that is no choice', {
    text: 'Which?',
    fields: { account: { type: 'string', oneOf: ['work', 'home'], default: 'both' } },
  }),
  forgetting('an empty question to the model', QUESTIONS, (context) => context.model(' ')),
  forgetting('an object as a question to the model', QUESTIONS, (context) => context.model({ prompt: 'x' } as never)),
  forgetting('an answer that is taken for granted', REFUSED, async ({ ask }) => {
    const answers = await ask({ text: 'Which account?', fields: { account: { type: 'string' } } });
    return (answers!['account'] as string).trim();
  }),
  forgetting('a model that is taken for granted', REFUSED, async ({ model }) => {
    const text = (await model('A title').catch(() => undefined)) as string;
    return text.trim();
  }),
  defect('an onOpen() that throws', STATE, (parts) => {
    parts.onOpen = () => {
      throw new Error('no database');
    };
  }),
  defect('an onOpen() that rejects', STATE, (parts) => {
    parts.onOpen = () => Promise.reject(new ResourceError('no database.'));
  }),
  defect('an onOpen() that never ends', 'can be made, registered and entered', (parts) => {
    parts.onOpen = () => new Promise<void>(() => undefined);
  }),
  defect('an onOpen() that prints', 'prints nothing', (parts) => {
    parts.onOpen = () => globalThis['console'].info('connected');
  }),
  defect('a connection that is opened once', OPENING, (parts) => {
    let opened = 0;
    parts.onOpen = () => {
      if (++opened > 1) throw new Error('already connected');
    };
  }),
  defect('work in the background that fails', OPENING, (parts) => {
    parts.onOpen = ({ background }) => background(() => Promise.reject(new Error('no network')));
  }),
  defect('work in the background that throws', OPENING, (parts) => {
    parts.onOpen = ({ background }) =>
      background(() => {
        throw new TypeError('x is undefined');
      });
  }),
  defect('a secret in its state', SECRETS, (parts) => (parts.enter = () => `2 notes, sent with ${SECRET}`)),
  broken('a secret in a result', SECRETS, ({ wait }) => (wait!.run = () => ({ waited: 1, url: `a?key=${SECRET}` }))),
  broken('a secret in an error', SECRETS, ({ read }) => {
    const { run } = read!;
    read!.run = async (args, context) => {
      if (args['target'] === '' || args['target'] === 'plan') return run(args, context);
      throw new ResourceError(`401 for ${SECRET}: no note '${String(args['target'])}'.`, ['<R:>']);
    };
  }),
  defect('data in a folder of the whole machine', 'shares nothing between two instances', (parts) => {
    parts.tools['read']!.run = ({ target }) => (target === '' ? readdirSync(folder).join('\n') || 'plan' : 'Plan');
    parts.tools['write']!.run = ({ target, content }) => {
      writeFileSync(join(folder, String(target)), String(content));
      return 'Written.';
    };
  }),
  broken('a symbol as a result, which no other process gets', 'returns what JSON can hold', ({ forget }) => {
    forget!.run = () => ({ gone: Symbol('plan') });
  }),
];
