import { expect, it } from 'vitest';
import { z } from 'zod';
import { createScriptedModel } from '../../test/scripted-model.ts';
import { allowAll } from '../approval/approval-policy.ts';
import { defineResourcespace } from '../decorators/resourcespace.ts';
import { tool } from '../decorators/tool.ts';
import { createAgent } from './create-agent.ts';

interface Answered {
  /** Texts of the writes, each with its note, and patterns of searches. */
  readonly written: readonly unknown[];
  /** What the model was sent after its first answer. */
  readonly shown: string;
}

/** Answers as a model where reads show a text. */
async function answer(text: string, answers: readonly string[]): Promise<Answered> {
  const written: unknown[] = [];
  const read = tool('Reads.', { target: z.string() }, () => text);
  const params = { target: z.string(), content: z.string(), note: z.string().default('') };
  const put = tool('Writes.', params, ({ content, note }) => void written.push(content, note), {
    effect: 'write',
    body: 'content',
  });
  const grep = tool('Finds.', { pattern: z.string() }, ({ pattern }) => void written.push(pattern));
  const home = defineResourcespace({ name: 'files', description: 'Files.', tools: { read, write: put, grep } });
  const { model, sends } = createScriptedModel(...answers, 'done');
  await createAgent({ home, model, approver: allowAll }).ask('Go on.');
  return { written, shown: sends[1]!.at(-1)!.text };
}

async function write(text: string, answers: readonly string[]): Promise<readonly unknown[]> {
  return (await answer(text, answers)).written;
}

it('a line that results show with a backslash is written without it, also in a keyword', async () => {
  const call = String.raw`<W:a.md note="\---">` + '\n\\---\ntitle: a\n  \\--- \n\\\\---\n</W>';
  expect(await write('---\ntitle: b\n---\n', ['<R:a.md>', call])).toEqual(['---\ntitle: a\n  --- \n\\---', '---']);
});

it('a line with a backslash is written as it is, if none was shown so', async () => {
  expect(await write('title: b\n', ['<R:a.md>', '<W:a.md>\n\\---\n</W>'])).toEqual(['\\---', '']);
});

it.each([
  ['\\---', '\\\\---'],
  ['12|---', '12|---'],
  ['12|\\---', '12|\\\\---'],
  ['+12|  \\---', '+12|  \\\\---'],
  ['src/a.md:12: \\---', 'src/a.md:12: \\\\---'],
  ['+---', '+---'],
  ['-\\---', '-\\\\---'],
  ['a: \\---', 'a: \\---'],
])('the line %j is shown as %j, and a copy of that is the line again', async (line, shown) => {
  const result = await answer(`---\n${line}\n`, ['<R:a.md>', `<W:a.md>\n${shown}\n</W>`]);
  expect(result.shown.split('\n')).toContain(shown);
  expect(result.written[0]).toBe(line);
});

it('a diff may have the line as it was shown', async () => {
  const diff = '@@ -1,2 +1,2 @@\n-\\---\n+ \\---\n \\---\n+\\\\---';
  expect(await write('---\n', ['<R:a.md>', `<W:a.md>\n${diff}\n</W>`])).toEqual([
    '@@ -1,2 +1,2 @@\n----\n+ ---\n ---\n+\\---',
    '',
  ]);
});

it('a search for the line as it was shown finds it with a backslash and without', async () => {
  const greps = ['<R:a.md>', '<Grep:^\\\\---$>', '<Grep:\\--->'];
  expect(await write('---\n', greps)).toEqual(['^\\\\?---$', '\\---']);
  expect(await write('text\n', greps)).toEqual(['^\\\\---$', '\\---']);
});

it('a text that was not executed is written as it was meant', async () => {
  const answers = ['<R:a.md>', '<W:a.md>\n\\---\n', '<W:a.md from=result:1>'];
  expect(await write('---\n', answers)).toEqual(['---\n', '']);
});
