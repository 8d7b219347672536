import { expect, it } from 'vitest';
import { z } from 'zod';
import { defineResourcespace } from '../decorators/resourcespace.ts';
import { tool } from '../decorators/tool.ts';
import { asModelText } from '../protocol/model.ts';
import { createAgent } from './create-agent.ts';

const say = (description: string) =>
  tool(description, { target: z.string().default('') }, ({ target }) => `got ${target}`);
const place = (name: string, tools: Parameters<typeof defineResourcespace>[0]['tools']) =>
  defineResourcespace({ name, description: name, tools });

it.each([
  ['@home()', '<bash:ls>', '<terminal.exec:ls>'],
  ['@home()', '```json\n{"name": "Bash", "arguments": {"command": "ls"}}\n```', '<terminal.exec: command="ls">'],
  ['@home()', '<creat_issue:Login>', '<github.create_issue:Login>'],
  ['@home()', '- <R:a.ts>', '<R:a.ts>'],
  ['@terminal()', '<bash:ls>', '<exec:ls>'],
  ['@terminal()', '- <R:a.ts>', '<home.R:a.ts>'],
  ['@terminal()', '`read("a.ts")`', '<home.R:a.ts>'],
])('in %s, %j is answered with a tag that runs there', async (entry, text, tag) => {
  const agent = createAgent({
    home: place('files', { read: say('A file.') }),
    spaces: [
      place('github', { create_issue: say('An issue.') }),
      place('terminal', {
        exec: tool('Output.', { command: z.string() }, ({ command }) => `got ${command}`),
      }),
    ],
    approver: { approve: () => ({ allow: true }) },
  });
  await agent.run(asModelText(entry));
  const { problems } = await agent.run(asModelText(text));
  const [message = ''] = problems.map((problem) => problem.message);
  expect(/(?:Write|Type) (<.*>)(?: alone on its line)?\.$/.exec(message)?.[1]).toBe(tag);
  const { calls } = await agent.run(asModelText(tag));
  expect(calls.map(({ result }) => result.text)).toEqual([expect.stringMatching(/^got (?:ls|Login|a\.ts)$/)]);
  await agent.close();
});
