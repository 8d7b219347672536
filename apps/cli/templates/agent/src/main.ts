import { stdin, stdout } from 'node:process';
import { createInterface } from 'node:readline/promises';
import type { ApprovalPolicy } from '@bae/core';
import { chooseModel } from '@bae/models';
import { templateAgent } from './agent.ts';

const ask: ApprovalPolicy['ask'] = async ({ tag, preview }, signal) => {
  if (preview !== undefined) console.error(await preview());
  const lines = createInterface({ input: stdin, output: stdout });
  const answer = await lines.question(`Run ${tag}? y/n `, { signal }).finally(() => lines.close());
  return { decision: answer.trim() === 'y' ? 'allow' : 'deny' };
};

const prompt = process.argv.slice(2).join(' ');
const { model, reason } = await chooseModel({ env: process.env });
console.error(prompt === '' ? 'Ask something: npm start "How were sales?"' : reason);
if (prompt === '' || model === undefined) process.exit(2);

const agent = templateAgent({ folder: process.cwd(), model, ...(stdin.isTTY && { ask }) });
agent.subscribe((event) => {
  if (event.type === 'call-end') console.error(event.summary);
});
try {
  console.log(await agent.ask(prompt));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await agent.close();
}
