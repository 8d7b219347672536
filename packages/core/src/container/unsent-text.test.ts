import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ResourceError } from '../errors/bae-error.ts';
import { approvalPolicy } from '../approval/approval-policy.ts';
import { createAgent } from './create-agent.ts';
import { defineResourcespace } from '../decorators/resourcespace.ts';
import { tool } from '../decorators/tool.ts';
import { asModelText } from '../protocol/model.ts';

const TEXT = 'First line.\n\n  Second line, with "quotes".\n';

function startAgent() {
  const saved: unknown[] = [];
  const write = tool(
    'Writes a file.',
    { target: z.string(), content: z.string(), overwrite: z.boolean().default(false) },
    (args) => {
      saved.push(args);
      return 'written';
    },
    { body: 'content' },
  );
  const read = tool('Reads a file.', { target: z.string().default('') }, ({ target }) => target);
  const home = defineResourcespace({ name: 'files', description: 'Files.', tools: { read, write } });
  const agent = createAgent({ home, approver: approvalPolicy({ rules: [{ decision: 'allow' }] }) });
  const send = async (text: string) => (await agent.run(asModelText(text))).feedback;
  return { send, saved };
}

describe('a text whose tag is not closed', () => {
  it('is kept, and written by its handle as it is', async () => {
    const { send, saved } = startAgent();
    expect(await send(`<W:a.md>\n${TEXT}`)).toContain(
      'Its text is <R:result:1>. To write it as it is: <W:a.md from=result:1>.',
    );
    expect(await send('<R:result:1>')).toContain('Second line, with "quotes".');
    expect(await send('<W:a.md from=result:1>')).toContain(' ok\nwritten');
    expect(saved).toEqual([{ target: 'a.md', content: TEXT, overwrite: false }]);
    await send('<W:b.md overwrite=true from="result:1">\n');
    expect(saved.at(-1)).toEqual({ target: 'b.md', content: TEXT, overwrite: true });
  });

  it.each([
    ['a call', 'text\n<R:b.md>\n'],
    ['another text', 'text\n<W:b.md>\nmore\n'],
    ['a closing tag of something else', 'text\n</E>\n'],
    ['a run block', 'text\n<run>\nprint(1)\n</run>\n'],
  ])('is only kept where %s follows, which it may not be meant to hold', async (_, rest) => {
    const { send } = startAgent();
    const feedback = await send(`<W:a.md>\n${rest}`);
    expect(feedback).toContain('Its text is <R:result:1>.');
    expect(feedback).not.toContain('from=');
  });

  it('is not offered when there is none', async () => {
    expect(await startAgent().send('<W:a.md>\n')).not.toContain('result:');
  });
});

describe('the text of a write that failed', () => {
  const LONG = Array.from({ length: 40 }, (_, n) => `Line ${n} of the notes.`).join('\n');

  function startPlaces() {
    const saved: unknown[] = [];
    const params = { target: z.string(), content: z.string(), version: z.number().int() };
    const save = (args: unknown) => {
      saved.push(args);
      return 'written';
    };
    const write = tool('Writes a file.', { ...params, version: z.number().int().default(1) }, save, {
      body: 'content',
    });
    const read = tool('Reads a file.', { target: z.string().default('') }, ({ target }) => target);
    const home = defineResourcespace({ name: 'files', description: 'Files.', tools: { read, write } });
    const log = defineResourcespace({ name: 'log', description: 'A log.', tools: { read } });
    const strict = tool('Writes.', params, save, { body: 'content' });
    const pages = defineResourcespace({ name: 'pages', description: 'Pages.', tools: { read, write: strict } });
    const rules = [{ decision: 'allow' } as const];
    const agent = createAgent({ home, spaces: [log, pages], approver: approvalPolicy({ rules }) });
    const send = async (text: string) => (await agent.run(asModelText(text))).feedback;
    return { send, saved };
  }

  it('is kept where the place has no write, and written at home by its handle', async () => {
    const { send, saved } = startPlaces();
    const feedback = await send(`@log()\n<W:notes.md>\n${LONG}\n</W>`);
    expect(feedback).toContain('log does not support write.');
    expect(feedback).toContain('\nIts text is kept: <home.W:notes.md from=result:1> sends it.');
    expect(await send('<home.W:notes.md from=result:1>')).toContain(' ok\nwritten');
    expect(saved).toEqual([{ target: 'notes.md', content: LONG, version: 1 }]);
  });

  it('is sent where its tool is, whatever an error says of places', async () => {
    const fail = () => {
      throw new ResourceError('a page does not support tables.', ['home()']);
    };
    const write = tool('Writes.', { target: z.string(), content: z.string() }, fail, { body: 'content' });
    const home = defineResourcespace({ name: 'files', description: 'Files.', tools: { write } });
    const pages = defineResourcespace({ name: 'pages', description: 'Pages.', tools: { write } });
    const approver = approvalPolicy({ rules: [{ decision: 'allow' }] });
    const agent = createAgent({ home, spaces: [pages], approver });
    const { feedback } = await agent.run(asModelText(`@pages()\n<W:a.md>\n${LONG}\n</W>`));
    expect(feedback).toContain('Try: @home()\nIts text is kept: <W:a.md from=result:1> sends it.');
  });

  it('is in the suggested call by its handle', async () => {
    const { send, saved } = startPlaces();
    expect(await send(`@pages()\n<W:start version=two>\n${LONG}\n</W>`)).toMatch(
      /\nTry: <W:start[^\n]* from=result:1>\n/,
    );
    expect(await send('<W:start version=2 from=result:1>')).toContain(' ok\nwritten');
    expect(saved).toEqual([{ target: 'start', content: LONG, version: 2 }]);
  });

  it('is kept when a place before it could not be entered', async () => {
    const { send, saved } = startPlaces();
    expect(await send(`@billing()\n<W:notes.md>\n${LONG}\n</W>`)).toContain(
      'Its text is kept: <W:notes.md from=result:1> sends it.',
    );
    await send('<W:notes.md from=result:1>');
    expect(saved).toHaveLength(1);
  });

  it('is not kept if it is short', async () => {
    expect(await startPlaces().send('@log()\n<W:notes.md>\nshort\n</W>')).not.toContain('result:');
  });
});

describe('a write from a handle', () => {
  it('writes nothing but what was not executed', async () => {
    const { send, saved } = startAgent();
    expect(await send('<W:a.md from=result:1>')).toContain(
      'ParameterError: from: result:1 is not a kept text of yours; write the text between the tags.',
    );
    expect(saved).toEqual([]);
  });

  it('takes no second text', async () => {
    const { send, saved } = startAgent();
    await send(`<W:a.md>\n${TEXT}`);
    expect(await send('<W:a.md from=result:1>\nother\n</W>')).toContain('from: the call has a text of its own besides');
    expect(saved).toEqual([]);
  });
});
