import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createAgent } from './create-agent.ts';
import { defineResourcespace } from '../decorators/resourcespace.ts';
import { tool } from '../decorators/tool.ts';
import { ResourceError } from '../errors/bae-error.ts';
import { asModelText } from '../protocol/model.ts';

const called: unknown[] = [];
const base = defineResourcespace({
  name: 'base',
  description: 'Tables.',
  tools: {
    read: tool('One table.', { baseId: z.string(), limit: z.int().default(5) }, (args) => {
      called.push(args);
      throw new ResourceError(`no table ${args.baseId}.`, ['<R:main>']);
    }),
    glob: tool('Names.', { pattern: z.string() }, () => ({ text: '(no names)', rows: 0 })),
    exec: tool('Runs.', { command: z.string(), folder: z.string().default('') }, (args) => {
      called.push(args);
      return 'ran';
    }),
    note: tool('Writes.', { title: z.string().meta({ examples: ['Fix login'] }) }, (args) => {
      called.push(args);
      return 'noted';
    }).named('note'),
    grep: tool('Searches.', { pattern: z.string(), path: z.string().default('') }, (args) => {
      called.push(args);
      return 'searched';
    }),
  },
});

async function run(text: string): Promise<string> {
  called.length = 0;
  const agent = createAgent({ home: base, approver: { approve: () => ({ allow: true }) } });
  const { calls, feedback } = await agent.run(asModelText(text));
  await agent.close();
  return calls[0]?.result.text ?? feedback;
}

describe('a word that looks like a keyword', () => {
  it.each([
    ['<R:baseI=abc>', 'baseI', '<R:abc>'],
    ['<R:baseI="a b">', 'baseI', '<R:a b>'],
    ['<R:baseI=a b>', 'baseI', '<R:a b>'],
    ['<R:baseI=abc limit=3>', 'baseI', '<R:abc limit=3>'],
    ['<R:abc limti=3>', 'limti', '<R:abc limit=3>'],
    ['<exec:comand="make all">', 'comand', '<exec:make all>'],
  ])('is an error if it resembles a parameter, and nothing runs: %s', async (text, name, tag) => {
    const refused = await run(text);
    expect(refused).toContain(`- ${name}: unknown parameter (did you mean `);
    expect(refused.split('\n').at(-1)).toBe(`Try: ${tag}`);
    expect(called).toEqual([]);
  });

  it.each([
    ['<R:abc limit=3 colour=red>', 'colour: unknown parameter', '<R:abc limit=3>'],
    ['<R:abc colour=red limit=3>', 'colour: unknown parameter', '<R:abc limit=3>'],
    ['<R:abc baseId="x">', 'baseId: given twice', '<R:x>'],
  ])('is an error beside a keyword of the tool: %s', async (text, problem, tag) => {
    const refused = await run(text);
    expect(refused).toContain(`- ${problem}\n`);
    expect(refused.split('\n').at(-1)).toBe(`Try: ${tag}`);
    expect(called).toEqual([]);
  });

  it('is an error beside another text in words, with both in the call that is offered', async () => {
    expect((await run('<note:login title="Fix the form">')).split('\n').at(-1)).toBe('Try: <note:login: Fix the form>');
    expect((await run('<note:Fix title="Fix the form">')).split('\n').at(-1)).toBe('Try: <note:Fix the form>');
    expect(called).toEqual([]);
    await run('<note:login: Fix the form>');
    expect(called).toEqual([{ title: 'login: Fix the form' }]);
    await run('<note:Fix it title="Fix it">');
    expect(called).toEqual([{ title: 'Fix it' }]);
  });

  it.each([
    ['<Grep:a=b path=x>', { pattern: 'a=b', path: 'x' }],
    ['<exec:make dir=out folder=x>', { command: 'make dir=out', folder: 'x' }],
    ['<Grep:a=b>', { pattern: 'a=b', path: '' }],
    ['<Grep:patern=b>', { pattern: 'patern=b', path: '' }],
    ['<exec:make dir=out>', { command: 'make dir=out', folder: '' }],
    ['<exec:make CC=clang FOLDER=x>', { command: 'make CC=clang FOLDER=x', folder: '' }],
    ['<exec:FOLDE=x make>', { command: 'FOLDE=x make', folder: '' }],
    ['<R:Basei: x>', { baseId: 'Basei: x', limit: 5 }],
    ['<R:a?b=c>', { baseId: 'a?b=c', limit: 5 }],
  ])('is text where it may be: %s', async (text, args) => {
    await run(text);
    expect(called).toEqual([args]);
  });

  it('is said to have been read as text where the call failed, with the call without it', async () => {
    expect(await run('<R:abc force=true>')).toBe(`ResourceError: no table abc force=true.
(the whole text "abc force=true" was read as baseId; force is no parameter)
Try: <R:abc>
Try: <R:main>`);
    expect(await run('<R:x=1>')).toBe(
      'ResourceError: no table x=1.\n(the whole text "x=1" was read as baseId; x is no parameter)\nTry: <R:main>',
    );
    expect(await run('{"name":"read","arguments":{"baseId":"a force=1"}}')).toBe(
      'ResourceError: no table a force=1.\nTry: {"name":"read","arguments":{"baseId":"main"}}',
    );
  });

  it('is said to have been read as text where nothing was found', async () => {
    expect(await run('<G:*.ts foo=1>')).toBe('(no names)\n(the whole text "*.ts foo=1" was read as pattern)');
    expect(await run('<G:*.ts>')).toBe('(no names)');
  });
});
