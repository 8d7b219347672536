import { ResourceError } from '@bae/core';
import { z } from 'zod';
import { broken, defect, type Defect } from './defect.ts';
import type { ToolParts } from './notes-space.ts';

const shared = new Map([['plan', 'Plan of the week\nBuy apples']]);
let readings = 0;

const BAD_CALLS = 'refuses bad arguments without running, with a complete error';
const MISSING = 'suggests what to try when a target is missing';
const REPEATING = 'changes nothing more by repeating an idempotent call';
const SHAPE = 'returns data that its output schema describes';
const SCHEMAS = 'has parameters that JSON Schema can express';

const ASKING = [
  broken('a text that is refused without saying why', BAD_CALLS, ({ send }) => {
    send!.params['to'] = z
      .string()
      .regex(/@/, 'wrong')
      .meta({ description: 'Address', examples: ['a@b.c'] });
  }),
  broken('a number that is refused without saying why', BAD_CALLS, ({ wait }) => {
    wait!.params['ms'] = z.int().min(0, 'nonsense').describe('Milliseconds');
  }),
  broken('an example that is refused', 'shows examples that work', ({ send }) => {
    send!.params['to'] = z
      .string()
      .regex(/^\+\d{9}$/)
      .describe('Number to send it to');
  }),
  broken('a parameter that is a date', SCHEMAS, ({ wait }) => {
    wait!.params['until'] = z.date().optional().describe('When to end');
  }),
  broken('a parameter that is a function', SCHEMAS, ({ wait }) => {
    wait!.params['done'] = z
      .custom<() => void>(() => true)
      .optional()
      .describe('What to call');
  }),
  broken('a missing note that is an empty answer', MISSING, ({ read }, { notes }) => {
    read!.run = ({ target }) => (target === '' ? [...notes.keys()].join('\n') : (notes.get(String(target)) ?? 'none'));
  }),
  broken('a schema that takes anything', SCHEMAS, ({ send }) => {
    send!.params['to'] = z.unknown().describe('Address');
  }),
  broken('a schema that says something else as JSON', SCHEMAS, ({ wait }) => {
    wait!.params['ms'] = z.preprocess(Number, z.int()).meta({ description: 'Milliseconds', examples: ['10'] });
  }),
  broken('a schema that cannot be read back', SCHEMAS, ({ send }) => {
    send!.params['to'] = z.string().meta({ description: 'Address', if: { minLength: 1 } });
  }),
  broken('two parameters that JSON cannot say', SCHEMAS, ({ wait }) => {
    wait!.params = { ms: z.bigint().describe('Milliseconds'), of: z.map(z.string(), z.string()).describe('Names') };
  }),
  broken('a note found in every object', MISSING, ({ read }) => {
    const { run } = read!;
    const found: Readonly<Record<string, unknown>> = { plan: 'Plan of the week\nBuy apples' };
    read!.run = (args, context) => found[String(args['target'])] ?? run(args, context);
  }),
  broken('a hint that does not work', MISSING, ({ read }) => {
    const { run } = read!;
    read!.run = (args, context) => {
      if (args['target'] === 'plans-of-others') throw new ResourceError('no note plans-of-others.', ['<R:plans>']);
      return run(args, context);
    };
  }),
  broken('an error that does not name what was asked for', MISSING, ({ forget }) => {
    forget!.run = ({ target }) => {
      if (target !== 'diary') throw new ResourceError('no such note.', ['<R:>']);
      return 'gone';
    };
  }),
  broken('a missing note that breaks the tool', MISSING, ({ read }, { notes }) => {
    read!.run = ({ target }) => (target === '' ? 'plan' : notes.get(String(target))!.trim());
  }),
  broken('a missing note without a hint', MISSING, ({ forget }, { notes }) => {
    forget!.run = ({ target }) => {
      if (!notes.has(String(target))) throw new ResourceError(`no note '${String(target)}'.`);
      return 'gone';
    };
  }),
];

const ROUND_TRIPS = [
  broken('a write that trims', 'shows by read what was written', ({ write }, { notes }) => {
    write!.run = ({ target, content }) => {
      notes.set(String(target), String(content).replaceAll(/^ +/gm, ''));
      return 'Written.';
    };
  }),
  broken('a write that forgets', 'shows by read what was written', ({ write }) => (write!.run = () => 'Written.')),
  broken('a write that fails', 'shows by read what was written', ({ write }) => {
    write!.run = () => Promise.reject(new Error('disk is full'));
  }),
  broken('a write that confirms nothing', 'shows by read what was written', ({ write }, { notes }) => {
    write!.run = ({ target, content }) => {
      notes.set(String(target), String(content));
      return '';
    };
  }),
  broken('an edit that fails', 'shows by read what was edited', ({ edit }) => {
    edit!.run = () => Promise.reject(new Error('note is locked'));
  }),
  broken('an edit that loses the rest', 'shows by read what was edited', ({ edit }, { notes }) => {
    edit!.run = ({ target, new: text }) => notes.set(String(target), String(text)) && 'Edited.';
  }),
  broken('an edit that only says so', 'shows by read what was edited', ({ edit }) => (edit!.run = () => 'Edited.')),
  broken('no match as an error', 'returns a sentence for a search without matches', ({ glob }) => {
    const { run } = glob!;
    glob!.run = async (args, context) => {
      const found = (await run(args, context)) as { readonly rows: number };
      if (found.rows === 0) throw new Error('nothing found');
      return found;
    };
  }),
  broken('no match as a list of everything', 'returns a sentence for a search without matches', ({ glob }) => {
    glob!.run = () => ({ text: 'Nothing matches. There are plan and diary.', rows: 2 });
  }),
  broken('no match as a lecture', 'returns a sentence for a search without matches', ({ grep }) => {
    grep!.run = () => 'Nothing matches. Have you thought of something else? '.repeat(8);
  }),
  broken('a search that fails where it should find', 'finds what there is', ({ grep }) => {
    grep!.run = () => Promise.reject(new Error('index is broken'));
  }),
  broken('no match as an empty list', 'returns a sentence for a search without matches', ({ grep }) => {
    grep!.run = ({ pattern }) => (pattern === 'apples' ? ['plan: apples'] : []);
  }),
  broken('a pattern that breaks the search', 'returns a sentence for a search without matches', ({ grep }) => {
    const { run } = grep!;
    grep!.run = (args, context) => {
      grep!.description = String(new RegExp(String(args['pattern'])));
      return run(args, context);
    };
  }),
  broken('a search that finds nothing, ever', 'finds what there is', ({ grep }) => {
    grep!.run = () => ({ text: 'Nothing is here.', rows: 0 });
  }),
  defect('a search over all spaces that always finds', 'finds over all spaces what it can read', (parts) => {
    parts.search = () => [{ target: 'plan', text: 'apples' }];
  }),
  defect('hits that lead nowhere', 'finds over all spaces what it can read', (parts) => {
    parts.search = (query) => (query === 'apples' ? [{ text: 'apples' } as never] : []);
  }),
  defect('a search over all spaces that throws', 'finds over all spaces what it can read', (parts) => {
    parts.search = () => {
      throw new Error('index is broken');
    };
  }),
  defect('a search over all spaces without a limit', 'finds over all spaces what it can read', (parts) => {
    const hits = Array.from({ length: 5 }, () => ({ target: 'plan', text: 'apples' }));
    parts.search = (query) => (query === 'apples' ? hits : []);
  }),
  defect('hits that cannot be read', 'finds over all spaces what it can read', (parts) => {
    parts.search = (query) => (query === 'apples' ? [{ target: 'plan:2', text: 'apples' }] : []);
  }),
];

const CAP = 'keeps its results within the cap, and loses nothing';
const SAME = 'returns the same result for the same call';
const JSON_SAFE = 'returns what JSON can hold';

class Note {
  constructor(readonly name: string) {}
}

async function* yieldEach(...pieces: readonly unknown[]): AsyncGenerator {
  yield* pieces;
}

/** A tool with a result that has something besides its text. */
function attach(attachment: object): (tools: Record<string, ToolParts>) => void {
  return ({ forget }) => (forget!.run = () => ({ text: 'gone', attachments: [attachment] }));
}

const ANSWERS = [
  broken('a page without an end', CAP, ({ read }) => (read!.run = () => ({ text: 'x\n'.repeat(4000), paged: true }))),
  broken(
    'a tool that fails',
    JSON_SAFE,
    ({ forget }) => (forget!.run = () => Promise.reject(new Error('note is locked'))),
  ),
  broken('an empty text', JSON_SAFE, ({ wait }) => (wait!.run = () => ({ text: '', rows: 0 }))),
  broken('a format that nobody knows', JSON_SAFE, ({ wait }) => (wait!.run = () => ({ text: 'a b', format: 'pdf' }))),
  broken('a function in an answer', JSON_SAFE, ({ wait }) => (wait!.run = () => ({ again: () => 'waited' }))),
  broken('answers at random', SAME, ({ read }) => (read!.run = () => `note ${String(Math.random())}`)),
  broken('the time in an answer', SAME, ({ wait }) => (wait!.run = () => `waited until ${performance.now()}`)),
  broken('a whole that is no function', JSON_SAFE, ({ wait }) => {
    wait!.run = () => ({ text: 'waited', whole: 'waited long' });
  }),
  broken('a whole that is not a text', JSON_SAFE, ({ wait }) => {
    wait!.run = () => ({ text: 'waited', whole: async () => 7 as never });
  }),
  broken('a connection', JSON_SAFE, ({ forget }) => (forget!.run = () => ({ over: new WeakRef(forget!) }))),
  broken('an instance of a class', JSON_SAFE, ({ forget }) => (forget!.run = () => new Note('plan'))),
  broken('pieces that cannot be shown', JSON_SAFE, ({ forget }) => (forget!.run = () => yieldEach(() => 'forgotten'))),
  broken('data of another shape', SHAPE, ({ wait }) => (wait!.run = ({ ms }) => ({ waited: `${String(ms)} ms` }))),
  broken('a text in place of data', SHAPE, ({ wait }) => (wait!.run = () => 'waited')),
  broken('a whole of another shape', SHAPE, ({ wait }) => {
    wait!.run = () => ({ text: 'waited', whole: () => ({ ms: 1 }) });
  }),
  broken('a generator of another shape', SHAPE, ({ wait }) => (wait!.run = () => yieldEach({ waited: true }))),
  broken('an attachment of a kind that there is not', JSON_SAFE, attach({ type: 'picture', url: 'https://a.example' })),
  broken('an image without a type', JSON_SAFE, attach({ type: 'image', data: 'AAAA' })),
  broken('an image as a path', JSON_SAFE, attach({ type: 'image', mediaType: 'image/png', data: './shot.png' })),
  broken('a link that leads nowhere', JSON_SAFE, attach({ type: 'link', url: 'notes/plan' })),
  broken('a table of lists', JSON_SAFE, attach({ type: 'table', rows: [['plan', 2]] })),
  broken('attachments that are no list', JSON_SAFE, ({ forget }) => {
    forget!.run = () => ({ text: 'gone', attachments: { type: 'link', url: 'https://a.example' } });
  }),
  broken('a circle', JSON_SAFE, ({ wait }) => {
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    wait!.run = () => circle;
  }),
  broken('no number', JSON_SAFE, ({ wait }) => (wait!.run = () => ({ waited: Number.NaN }))),
  broken('nothing', JSON_SAFE, ({ forget }) => (forget!.run = () => undefined)),
  broken('an answer with a field too many', JSON_SAFE, ({ wait }) => (wait!.run = () => ({ text: 'a b', row: 3 }))),
  broken('rows that are no count', JSON_SAFE, ({ wait }) => (wait!.run = () => ({ text: 'a b', rows: -1 }))),
];

const EFFECTS = 'declares what its tools change';
const DETAILS = [
  broken('a read that is destructive', EFFECTS, ({ wait }) => (wait!.settings.destructive = true)),
  broken('a read that is idempotent', EFFECTS, ({ wait }) => (wait!.settings.idempotent = true)),
  broken('a change here that costs something', EFFECTS, ({ forget }) => (forget!.settings.cost = '$1')),
  broken('a cost that is a number', EFFECTS, ({ send }) => (send!.settings.cost = 2 as never)),
  broken('a write that adds, declared idempotent', REPEATING, ({ write }, { notes }) => {
    write!.run = ({ target, content }) => {
      notes.set(String(target), `${notes.get(String(target)) ?? ''}${String(content)}`);
      return 'Written.';
    };
  }),
  broken('a note for every call, declared idempotent', REPEATING, ({ write }, parts) => {
    const { run } = write!;
    let calls = 0;
    write!.run = (args, context) => {
      parts.notes.set(`call ${++calls}`, 'One more.');
      return run(args, context);
    };
  }),
];

const NEIGHBOURS = [
  broken('deaf to cancellation', 'stops when a call is cancelled', ({ wait }) => {
    wait!.run = ({ ms }) => new Promise((resolve) => setTimeout(() => resolve('waited'), ms as number));
  }),
  broken('holds up the process', 'stops when a call is cancelled', ({ wait }) => {
    wait!.run = ({ ms }) => {
      const end = performance.now() + Math.min(ms as number, 1300);
      while (performance.now() < end);
      return 'waited';
    };
  }),
  broken('prints to the console', 'prints nothing', ({ read }) => {
    const { run } = read!;
    read!.run = (args, context) => {
      globalThis['console'].debug('reading');
      return run(args, context);
    };
  }),
  broken('prints to standard error', 'prints nothing', ({ forget }) => {
    forget!.run = () => process.stderr.write('') && 'forgotten';
  }),
  defect('notes of the whole process', 'shares nothing between two instances', (parts) => {
    parts.tools['read']!.run = ({ target }) => (target === '' ? [...shared.keys()].join('\n') : shared.get('plan'));
    parts.tools['write']!.run = ({ target, content }) => shared.set(String(target), String(content)) && 'Written.';
  }),
  defect('a counter of the whole process', 'shares nothing between two instances', (parts) => {
    const { run } = parts.tools['wait']!;
    parts.enter = () => `${readings} waits`;
    parts.tools['wait']!.run = (args, context) => {
      readings++;
      return run(args, context);
    };
  }),
  defect('a second dispose that throws', 'can be disposed of twice', (parts) => {
    let open = true;
    parts.dispose = () => {
      if (!open) throw new Error('already closed');
      open = false;
    };
  }),
  defect('a dispose that never ends', 'can be disposed of twice', (parts) => {
    parts.dispose = () => new Promise<void>(() => undefined);
  }),
  broken('a call that never ends', SAME, ({ read }) => (read!.run = () => new Promise(() => undefined))),
];

/** What comes of calling it. */
export const DEFECTS_OF_CONDUCT: readonly Defect[] = [...ASKING, ...ROUND_TRIPS, ...ANSWERS, ...DETAILS, ...NEIGHBOURS];
