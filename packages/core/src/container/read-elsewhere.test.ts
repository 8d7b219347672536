import { expect, it } from 'vitest';
import { z } from 'zod';
import { defineResourcespace } from '../decorators/resourcespace.ts';
import { tool } from '../decorators/tool.ts';
import { ResourceError } from '../errors/bae-error.ts';
import { allowAll } from '../approval/approval-policy.ts';
import { asModelText } from '../protocol/model.ts';
import type { AgentOptions } from './agent-options.ts';
import { createAgent } from './create-agent.ts';

const target = z.string().default('');
function missFile(name: string): never {
  throw Object.assign(new ResourceError(`no ${name}.`), {
    missing: { name: name.replace(/:\d+$/, ''), hasNear: true },
  });
}

/** A home that has nothing; a name with a question mark has something like it. */
const home = defineResourcespace({
  name: 'files',
  description: 'Files.',
  tools: {
    read: tool('A file.', { target }, ({ target: name }) => {
      const hasNear = name.endsWith('?');
      const error = new ResourceError(`no ${name}.`, [hasNear ? '<R:near>' : '<R:.>']);
      throw Object.assign(error, { missing: { name: name.replace(/:\d+$/, ''), hasNear } });
    }),
    edit: tool('A file, changed.', { target, content: z.string() }, ({ target: name }) => missFile(name), {
      effect: 'write',
      body: 'content',
    }),
    write: tool(
      'A new file.',
      { target, content: z.string() },
      async ({ target: name }, { locate }) => ((await locate?.(name)) === undefined ? `made ${name}` : missFile(name)),
      { effect: 'write', body: 'content' },
    ),
  },
});
const asked: string[] = [];
const books = {
  ...defineResourcespace({
    name: 'books',
    description: 'Books.',
    tools: {
      read: tool('A book.', { target }, ({ target: name }) => `text of ${name}`),
      edit: tool(
        'A new text.',
        { target, content: z.string() },
        ({ target: name, content }) => `changed ${name}: ${content}`,
        { effect: 'write', body: 'content' },
      ),
      write: tool(
        'A book.',
        { target, content: z.string() },
        ({ target: name, content }) => `wrote ${content} into ${name}`,
        { effect: 'write', body: 'content' },
      ),
    },
  }),
  locate: async (name: string, near: boolean) => {
    asked.push(`${name} ${near}`);
    if (name === 'wet') throw new Error('the book fell into water');
    if (name.startsWith('moby')) return { target: 'moby-dick', isExact: true };
    return near && name === 'mobby' ? { target: 'moby-dick', isExact: false } : undefined;
  },
};
const maps = defineResourcespace({ name: 'maps', description: 'Maps.', tools: {} });

const read = (name: string, options: Partial<AgentOptions> = {}) => send(`<R:${name}>`, options);

async function send(tag: string, options: Partial<AgentOptions> = {}) {
  asked.length = 0;
  const agent = createAgent({ home, spaces: [maps, books], approver: allowAll, ...options });
  const { calls } = await agent.run(asModelText(tag));
  await agent.close();
  const { text, space, ok } = calls[0]!.result;
  return `${ok ? space : 'error'}: ${text}`;
}

it('what home does not have is read from the space that has it, with its lines', async () => {
  expect(await read('moby')).toBe('books: text of moby-dick');
  expect(await read('moby:12')).toBe('books: text of moby-dick:12');
  expect(asked).toEqual(['moby true']);
});

it('a similar name is suggested, unless home itself suggests something', async () => {
  expect(await read('mobby')).toBe('error: ResourceError: no mobby.\nTry: <books.R:moby-dick>');
  expect(await read('mobby?')).toBe('error: ResourceError: no mobby?.\nTry: <R:near>');
  expect(asked).toEqual(['mobby? false']);
  expect(await read('ahab')).toBe('error: ResourceError: no ahab.\nTry: <R:.>');
});

it('what home does not have is changed in the space that has it', async () => {
  expect(await send('<E:moby:12>whale</E>')).toBe('books: changed moby-dick:12: whale');
  expect(await send('<E:ahab>whale</E>')).toBe('error: ResourceError: no ahab.');
  expect(await send('<W:moby>whales</W>')).toBe('books: wrote whales into moby-dick');
  expect(await send('<W:ahab>whales</W>')).toBe('home: made ahab');
  expect(await send('<W:wet>whales</W>')).toBe('home: made wet');
});

it('the error of home stays where a space fails', async () => {
  expect(await read('wet')).toBe('error: ResourceError: no wet.\nTry: <R:.>');
});

it('hooks see the read in the other space, and may refuse it', async () => {
  const hooks: AgentOptions['hooks'] = [
    { name: 'closed', beforeCall: ({ space }) => (space === 'books' ? { refuse: 'no books today' } : undefined) },
  ];
  expect(await read('moby', { hooks })).toContain('the hook closed refuses it: no books today');
});

it('code gets the error: it may try many names', async () => {
  const results: string[] = [];
  const agent = createAgent({
    home,
    spaces: [books],
    codeRunner: {
      run: async (_code, { dispatch, signal }) => {
        asked.length = 0;
        const call = { verb: 'read', arg: 'moby', line: 1, tag: 'read("moby")' };
        results.push((await dispatch(call, { signal, pauseDuring: (work) => work() })).text);
        return { ok: true, output: '' };
      },
    },
  });
  await agent.run(asModelText('<run>read()</run>'));
  expect(results[0]).toContain('ResourceError: no moby.');
  expect(asked).toEqual([]);
});
