import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineResourcespace } from '../decorators/define-resourcespace.ts';
import { tool } from '../decorators/tool.ts';
import type { ToolCall } from '../protocol/tool-call.ts';
import { asModelText } from '../protocol/model-text.ts';
import { createAgent } from './create-agent.ts';

const LISTING = 'tasks() -- Things to do.';

const files = defineResourcespace({
  name: 'files',
  description: 'Files.',
  tools: { read: tool('A file.', { target: z.string().default('') }, ({ target }) => `text of '${target}'`) },
});
const tasks = defineResourcespace({ name: 'tasks', description: 'Things to do.', tools: {} });

/** What code that reads at home is answered with. */
async function answered(sent: Pick<ToolCall, 'kwargs'> & { readonly arg?: string }): Promise<string> {
  const answers: string[] = [];
  const agent = createAgent({
    home: files,
    spaces: [tasks],
    codeRunner: {
      run: async (_code, { dispatch, signal }) => {
        const call: ToolCall = { verb: 'read', arg: '', line: 1, tag: 'read(…)', ...sent };
        answers.push((await dispatch(call, { signal, without: (work) => work() })).text);
        return { ok: true, output: '' };
      },
    },
  });
  await agent.run(asModelText('<run>read()</run>'));
  return answers.join('\n');
}

describe('the listing at home', () => {
  it.each([{}, { arg: '  ' }, { kwargs: {} }, { kwargs: { target: '' } }, { kwargs: { target: ' ' } }])(
    'answers a read of nothing: %j',
    async (sent) => {
      expect(await answered(sent)).toContain(LISTING);
    },
  );

  it.each([
    [{ arg: 'a.txt' }, "text of 'a.txt'"],
    [{ kwargs: { target: 'a=b.txt' } }, "text of 'a=b.txt'"],
    [{ kwargs: { target: 'main.js ' } }, "text of 'main.js '"],
    [{ kwargs: { target: 123 } }, "text of '123'"],
    [{ kwargs: { target: true } }, "text of 'true'"],
    [
      { kwargs: { path: 'a.txt' } },
      'ParameterError: tool \'read\' parameter error (1 problem)\n- path: unknown parameter\nUsage: read(target: string = "")\n  A file.',
    ],
    [
      { kwargs: { target: null } },
      'ParameterError: tool \'read\' parameter error (1 problem)\n- target: expected string, got null\nUsage: read(target: string = "")\n  A file.',
    ],
    [
      { kwargs: { target: ['a'] } },
      `ParameterError: tool 'read' parameter error (1 problem)\n- target: expected string, got ["a"]`,
    ],
  ])('does not answer %j', async (sent, text) => {
    expect((await answered(sent)).startsWith(text)).toBe(true);
    expect(await answered(sent)).not.toContain(LISTING);
  });

  it('takes a group of spaces from either place', async () => {
    const refusal = await answered({ arg: 'group:nope' });
    expect(refusal).toMatch(/^ResourceError: /);
    expect(await answered({ kwargs: { target: 'group:nope' } })).toBe(refusal);
  });
});
