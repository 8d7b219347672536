import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineResourcespace } from '../decorators/resourcespace.ts';
import { tool } from '../decorators/tool.ts';
import type { AgentEvent } from '../protocol/agent-event.ts';
import type { ToolCall } from '../protocol/tool-call.ts';
import type { ToolContext, ToolReturn } from '../protocol/tool-definition.ts';
import type { ToolResult } from '../protocol/tool-result.ts';
import { asModelText } from '../protocol/model.ts';
import { allowAll } from '../approval/approval-policy.ts';
import { createAgent } from './create-agent.ts';

const LONG = Array.from({ length: 300 }, (_, line) => `line ${line} of a long answer`).join('\n');

/** What a tag and code get of the same tool, and what is told of both. */
async function answers(
  read: (context: ToolContext) => ToolReturn,
  options: { readonly effect?: 'read' | 'write'; readonly timeoutMs?: number } = {},
) {
  const arg = 'a';
  const call: ToolCall = { verb: 'read', arg, line: 1, tag: `read("${arg}")` };
  let code: ToolResult | undefined;
  const ends: AgentEvent[] = [];
  const agent = createAgent({
    approver: allowAll,
    home: defineResourcespace({
      name: 'files',
      description: 'Files.',
      tools: {
        read: tool('A file.', { target: z.string().default('') }, (_args, context) => read(context), {
          effect: 'read',
          ...options,
        }),
      },
    }),
    codeRunner: {
      run: async (_code, { dispatch }) => {
        code = await dispatch(call);
        return { ok: true, output: 'done' };
      },
    },
  });
  agent.subscribe((event) => {
    if (event.type === 'call-end') ends.push(event);
  });
  const { calls } = await agent.run(asModelText(`<R:${arg}>`));
  await agent.run(asModelText('<run>read()</run>'));
  return { tag: calls[0]!.result, code: code!, ends, agent };
}

describe('a result that code gets', () => {
  it('is whole where that of a tag is cut, and is not kept', async () => {
    const { tag, code, ends } = await answers(() => LONG);
    expect(tag.text).toMatch(/\[pruned: 300 -> \d+ items; rest: <R:result:1:\d+-299>; full: <R:result:1>\]$/);
    expect(tag).not.toHaveProperty('value');
    expect(code.value).toBe(LONG);
    expect(code).not.toHaveProperty('ref');
    expect(code.text).toMatch(/\[pruned: 300 -> \d+ items\]$/);
    expect(ends).toMatchObject([
      { text: tag.text, pruned: true },
      { text: code.text, pruned: true },
    ]);
  });

  it('is counted as what the code got, which was not cut', async () => {
    const { code, ends } = await answers(() => LONG);
    expect(code.lines).toBe(300);
    expect(ends[1]).toMatchObject({ summary: '◆ read(a) -> string (300 lines)' });
    const { code: page } = await answers(() => ({ text: 'the first page', whole: () => 'all\nof\nit\n' }));
    expect(page.lines).toBe(3);
  });

  it('is kept as a whole where it has more errors than can be shown', async () => {
    const errors = Array.from({ length: 2000 }, (_, item) => new Error(`item ${item} failed`));
    const { code } = await answers(() => ({ text: '', errors }));
    expect(code.text).toMatch(/full: <R:result:\d+>/);
  });

  it('belongs to a call with fromCode set', async () => {
    const { tag, code } = await answers(({ fromCode }) => `from code: ${fromCode}`);
    expect([tag.text, code.text]).toEqual(['from code: false', 'from code: true']);
  });

  it('is all of what a tool pages', async () => {
    let asked = 0;
    const whole = async () => `all of it ${++asked}`;
    const { tag, code } = await answers(() => ({ text: 'the first page', paged: true, whole }));
    expect(tag).toMatchObject({ text: 'the first page' });
    expect(tag).not.toHaveProperty('value');
    expect(code).toMatchObject({ text: 'the first page', value: 'all of it 1' });
    expect(asked).toBe(1);
  });

  it('is an error where there is too much of it', async () => {
    const whole = () => {
      throw new RangeError('too long');
    };
    const { tag, code } = await answers(() => ({ text: 'the first page', paged: true, whole }));
    expect(tag.ok).toBe(true);
    expect(code).toMatchObject({ ok: false, errorType: 'RangeError', text: 'RangeError: too long' });
  });

  it('is nothing where the tool itself reports errors: those are in its text', async () => {
    const output = { text: 'the first page', errors: [new Error('half of it failed')], whole: () => 'all of it' };
    const { code } = await answers(() => output);
    expect(code).toMatchObject({ ok: false, partial: true });
    expect(code).not.toHaveProperty('value');
  });

  it('has the time limit of the tool', async () => {
    const whole = () => new Promise<string>(() => undefined);
    const { code } = await answers(() => ({ text: 'the first page', whole }), { timeoutMs: 20 });
    expect(code).toMatchObject({ ok: false, errorType: 'TimeoutError' });
  });

  it('is the text of what has changed something, so that nothing can fail afterwards', async () => {
    const whole = () => {
      throw new RangeError('too long');
    };
    const { code } = await answers(() => ({ text: 'Sent.', whole }), { effect: 'write' });
    expect(code).toMatchObject({ ok: true, text: 'Sent.' });
    expect(code).not.toHaveProperty('value');
  });

  it('is null where there is nothing', async () => {
    const { tag, code } = await answers(() => null);
    expect([tag.text, code.value]).toEqual(['(no output)', null]);
  });

  it('is data where whole is not a function', async () => {
    const data = { text: 'a', whole: true, rows: 3 };
    const { code, tag } = await answers(() => data);
    expect(code.value).toEqual(data);
    expect(JSON.parse(tag.text)).toEqual(data);
  });

  it('is remembered: a tag in it that a model repeats is an echo', async () => {
    const reasons: (string | undefined)[] = [];
    const agent = createAgent({
      approver: {
        approve: async ({ reason }) => {
          reasons.push(reason);
          return { allow: true };
        },
      },
      home: defineResourcespace({
        name: 'files',
        description: 'Files.',
        tools: {
          read: tool('A file.', { target: z.string() }, () => ({ text: 'a page', whole: () => 'more\n<done:7>\n' })),
          done: tool('Done.', { id: z.string() }, () => 'Done.', { effect: 'write' }),
        },
      }),
      codeRunner: {
        run: async (_code, { dispatch }) => {
          await dispatch({ verb: 'read', arg: 'a', line: 1, tag: 'read("a")' });
          return { ok: true, output: 'done' };
        },
      },
    });
    await agent.run(asModelText('<done:7>'));
    await agent.run(asModelText('<run>x</run>'));
    await agent.run(asModelText('<done:7>'));
    expect(reasons).toEqual([undefined, expect.stringContaining('asks for it')]);
  });

  it('is its text where that is whole, and its data where it is data', async () => {
    expect((await answers(() => 'short')).code).not.toHaveProperty('value');
    expect((await answers(() => ({ rows: [1] }))).code).toMatchObject({ value: { rows: [1] } });
    const { code } = await answers(() => ({ text: 'two lines', whole: () => 'two lines' }));
    expect(code).not.toHaveProperty('value');
  });

  it.each([
    ['result:1', LONG],
    ['result:1:299-', 'line 298 of a long answer\nline 299 of a long answer'],
    ['result:1:2-100', LONG.split('\n').slice(1, 100).join('\n')],
    ['result:1:300@6', '299 of a long answer'],
  ])('is all that %s names', async (address, text) => {
    const glob = tool('All.', { pattern: z.string() }, () => LONG);
    const results: string[] = [];
    const agent = createAgent({
      home: defineResourcespace({ name: 'files', description: 'Files.', tools: { glob } }),
      codeRunner: {
        run: async (_code, { dispatch }) => {
          const { value, text } = await dispatch({ verb: 'read', arg: address, line: 1, tag: 'read()' });
          results.push(typeof value === 'string' ? value : text);
          return { ok: true, output: 'done' };
        },
      },
    });
    await agent.run(asModelText('<G:*>'));
    await agent.run(asModelText('<run>x</run>'));
    expect(results).toEqual([text]);
  });
});

it('a text may be run with a larger cap, for tags and for code', async () => {
  const { agent, ends } = await answers(() => LONG);
  ends.length = 0;
  for (const text of ['<R:a>', '<run>read()</run>']) await agent.run(asModelText(text), { cap: 20_000 });
  expect(ends).toMatchObject([{ text: LONG }, { text: LONG }]);
});

it('a larger cap applies to a page too, beyond what an error may have', async () => {
  const text = LONG.repeat(5);
  const { agent, ends } = await answers(() => ({ text, paged: true }));
  ends.length = 0;
  await agent.run(asModelText('<R:a>'), { cap: 20_000 });
  expect(ends).toMatchObject([{ text }]);
});
