import { expect, it } from 'vitest';
import { z } from 'zod';
import { createScriptedModel } from '../../test/scripted-model.ts';
import { allowAll } from '../approval/approval-policy.ts';
import { defineResourcespace } from '../decorators/resourcespace.ts';
import { tool } from '../decorators/tool.ts';
import { createAgent } from './create-agent.ts';

/** Answers as a model, and returns what was written. */
async function write(text: string, answers: readonly string[]): Promise<readonly unknown[]> {
  const written: unknown[] = [];
  const read = tool('Reads.', { target: z.string() }, () => text);
  const params = { target: z.string(), content: z.string(), note: z.string().default('') };
  const put = tool('Writes.', params, ({ content, note }) => void written.push(content, note), {
    effect: 'write',
    body: 'content',
  });
  const home = defineResourcespace({ name: 'files', description: 'Files.', tools: { read, write: put } });
  const { model } = createScriptedModel(...answers, 'done');
  await createAgent({ home, model, approver: allowAll }).ask('Go on.');
  return written;
}

it('a line that results show with a backslash is written without it, also in a keyword', async () => {
  const call = String.raw`<W:a.md note="\---">` + '\n\\---\ntitle: a\n  \\--- \n\\\\---\n</W>';
  expect(await write('---\ntitle: b\n---\n', ['<R:a.md>', call])).toEqual(['---\ntitle: a\n  --- \n\\---', '---']);
});

it('a line with a backslash is written as it is, if none was shown so', async () => {
  expect(await write('title: b\n', ['<R:a.md>', '<W:a.md>\n\\---\n</W>'])).toEqual(['\\---', '']);
});
