import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { allowAll, approvalPolicy } from '../approval/approval-policy.ts';
import { defineResourcespace } from '../decorators/define-resourcespace.ts';
import { tool } from '../decorators/tool.ts';
import type { Approver } from '../protocol/approver.ts';
import { asModelText } from '../protocol/model-text.ts';
import { createAgent } from './create-agent.ts';

const KEY = ['AKIA', 'ABCDEFGHIJKLMNOP'].join('');

function createFiles(approver: Approver) {
  const written: string[] = [];
  const home = defineResourcespace({
    name: 'files',
    description: 'Files.',
    tools: {
      read: tool('Reads.', { target: z.string() }, async ({ target }, { requestApproval }) => {
        if (target === '.env') await requestApproval('it may hold secrets');
        return `KEY=${KEY}`;
      }),
      write: tool('Writes.', { target: z.string(), text: z.string() }, ({ text }) => void written.push(text), {
        body: 'text',
      }),
    },
  });
  const agent = createAgent({ home, approver });
  return { run: async (text: string) => (await agent.run(asModelText(text))).feedback, written };
}

describe('a key in a result', () => {
  it('is masked', async () => {
    const { run } = createFiles(allowAll);
    const text = await run('<R:config.ts>');
    expect(text).toContain('KEY=‹masked AKIA…›');
    expect(text).not.toContain(KEY);
  });

  it('is shown when the user was asked and allowed it', async () => {
    const { run } = createFiles(approvalPolicy({ ask: async () => ({ decision: 'allow' }) }));
    expect(await run('<R:.env>')).toContain(KEY);
    expect(await run('<R:config.ts>')).not.toContain(KEY);
  });

  it('is not replaced by its mask in a write', async () => {
    const { run, written } = createFiles(allowAll);
    const text = await run('<R:config.ts>\n<W:b.ts>\nKEY=‹masked AKIA…›\nx\n</W>');
    expect(text).toContain(
      'text: ‹masked AKIA…› stands for a key that was not shown, and would be saved in its place.',
    );
    expect(written).toEqual([]);
  });
});
