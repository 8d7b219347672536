import { expect, it } from 'vitest';
import { z } from 'zod';
import { saying } from '../../test/saying.ts';
import { defineResourcespace } from '../decorators/define-resourcespace.ts';
import { tool } from '../decorators/tool.ts';
import type { TurnTotals } from '../protocol/agent-event.ts';
import type { Approver } from '../protocol/approver.ts';
import { createAgent } from './create-agent.ts';

it('counts no call that was cancelled before its tool was called', async () => {
  const stop = new AbortController();
  const approver: Approver = {
    approve: () => {
      stop.abort();
      return new Promise(() => undefined);
    },
  };
  const tools = {
    read: tool('A note.', { target: z.string() }, ({ target }) => target),
    write: tool('Nothing.', { target: z.string() }, () => 'Wrote it.'),
  };
  const home = defineResourcespace({ name: 'files', description: 'Files.', tools });
  const agent = createAgent({ home, approver, model: saying('<R:a>\n<W:a></W>').model });
  const totals: TurnTotals[] = [];
  agent.subscribe((event) => {
    if (event.type === 'turn-end') totals.push(event.totals);
  });
  await agent.ask('Go', { signal: stop.signal }).catch(() => undefined);
  expect(totals).toMatchObject([{ calls: 1 }]);
});
