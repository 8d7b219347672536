import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineResourcespace } from '../decorators/resourcespace.ts';
import { tool } from '../decorators/tool.ts';
import type { AgentEvent } from '../protocol/agent-event.ts';
import type { Model } from '../protocol/model.ts';
import { createAgent } from './create-agent.ts';

const files = defineResourcespace({
  name: 'files',
  description: 'Files.',
  tools: { read: tool('A file.', { target: z.string().default('') }, ({ target }) => `text of ${target}`) },
});
const usage = { inputTokens: 900, outputTokens: 100, cachedTokens: 400 };

/** A model that gives these responses, the last one again and again, and remembers what it was sent. */
function scripted(...responses: readonly string[]): Model & { readonly prompts: string[] } {
  const prompts: string[] = [];
  return {
    name: 'scripted',
    prompts,
    async *respond(messages) {
      prompts.push(messages.at(-1)!.text);
      yield { type: 'text-delta', text: responses[Math.min(prompts.length, responses.length) - 1]! };
      yield { type: 'usage', usage };
      yield { type: 'end', reason: 'stop' };
    },
  };
}

function withModel(model: Model, options: Partial<Parameters<typeof createAgent>[0]> = {}) {
  const agent = createAgent({ home: files, model, ...options });
  const events: AgentEvent[] = [];
  agent.subscribe((event) => void events.push(event));
  const ends = () => events.flatMap((event) => (event.type === 'turn-end' ? [event] : []));
  const notices = () => events.flatMap((event) => (event.type === 'notice' ? [event.text] : []));
  return { agent, ends, notices };
}

describe('a turn with limits', () => {
  it('stops at its tokens before the next request, and keeps what it has done', async () => {
    const model = scripted('<R:a>', '<R:b>', 'Done.');
    const { agent, ends, notices } = withModel(model, { maxTokens: 2000 });
    expect(await agent.ask('Go.')).toBe('<R:b>');
    expect(ends()).toMatchObject([{ outcome: 'limit', totals: { inputTokens: 1800, sends: 2, calls: 2 } }]);
    expect(notices()).toEqual(['stopped after 2000 tokens, of 2000 at most (maxTokens)']);
    await agent.ask('Go on.');
    expect(model.prompts.at(-1)).toContain('text of b');
  });

  it('stops at its cost, with what the cache saves', async () => {
    const prices = { input: 10, output: 50, cached: 1 };
    const { agent, ends, notices } = withModel(scripted('<R:a>'), { maxCost: 0.02, prices });
    await agent.ask('Go.');
    // 500 x 10 + 400 x 1 + 100 x 50 dollars for a million.
    expect(ends()[0]?.totals.cost).toBeCloseTo(0.0208);
    expect(notices()).toEqual(['stopped after $0.0208, of $0.02 at most (maxCost)']);
  });

  it('stops at its calls before the next request', async () => {
    const { agent, ends, notices } = withModel(scripted('<R:a>\n<R:b>'), { maxCalls: 3 });
    await agent.ask('Go.');
    expect(ends()).toMatchObject([{ outcome: 'limit', totals: { sends: 2, calls: 4 } }]);
    expect(notices()).toEqual(['stopped after 4 calls, of 3 at most (maxCalls)']);
  });

  it('stops after its minutes', async () => {
    let now = 0;
    const { setTimeout, clearTimeout } = globalThis;
    const host = {
      clock: { now: () => (now += 20_000) },
      entropy: crypto,
      timers: { setTimeout, clearTimeout: (handle: unknown) => clearTimeout(handle as NodeJS.Timeout) },
    };
    const { agent, notices } = withModel(scripted('<R:a>'), { maxMinutes: 5, maxBatches: 0, host });
    await agent.ask('Go.');
    expect(notices()).toEqual([expect.stringMatching(/^stopped after \d+\.\d minutes, of 5 at most \(maxMinutes\)$/)]);
  });

  it('needs prices for a limit of cost', () => {
    expect(() => withModel(scripted('x'), { maxCost: 1 })).toThrow('maxCost: no prices are known for this model.');
    expect(() => withModel(scripted('x'), { maxMinutes: 0 })).toThrow('maxMinutes: expected a number above 0; got 0.');
  });
});

describe('an answer with a schema', () => {
  const schema = z.object({ name: z.string(), age: z.int() });

  it.each([
    '{"name":"Ada","age":36}',
    '```json\n{"name":"Ada","age":36}\n```',
    '<answer:>{"name":"Ada","age":36}</answer>',
    'Here it is:\n<answer:>\n{"name":"Ada","age":36}\n</answer>',
  ])('is its value: %s', async (text) => {
    const model = scripted('<R:a>', text);
    const { agent, ends } = withModel(model);
    const value: { name: string } = await agent.ask('Who?', { schema });
    expect(value).toEqual({ name: 'Ada', age: 36 });
    expect(model.prompts[0]).toContain(
      'Your final answer must be JSON of this schema, and nothing else: {"type":"object"',
    );
    expect(ends()).toMatchObject([{ outcome: 'answered' }]);
  });

  it('is sent back once when it does not match', async () => {
    const model = scripted('{"name":"Ada","age":"old"}', '{"name":"Ada","age":36}');
    expect(await withModel(model).agent.ask('Who?', { schema })).toEqual({ name: 'Ada', age: 36 });
    expect(model.prompts[1]).toContain(
      '[Note] The answer does not match its schema:\n- age: expected int, got "old"\nSend the whole answer again',
    );
  });

  it('is an error when it is wrong twice, or the turn ends before it', async () => {
    const { agent, ends } = withModel(scripted('Ada, 36.'));
    await expect(agent.ask('Who?', { schema })).rejects.toThrow(
      'the final answer does not match its schema:\n- answer: expected JSON',
    );
    expect(ends()).toMatchObject([{ outcome: 'failed', totals: { sends: 2 } }]);
    const stopped = withModel(scripted('<R:a>'), { maxBatches: 1 });
    await expect(stopped.agent.ask('Who?', { schema })).rejects.toThrow('the turn was stopped at a limit');
  });

  it.each([
    ['<R:a>\n<answer:>{"name":"Ada","age":36}</answer>', '#1'],
    ['<answer:>\n{"name":"Ada","age":36}\n</answer>\n<R:a>', '#1'],
    ['<R:a\n<answer:>{"name":"Ada","age":36}</answer>', 'line 1'],
  ])('does not hide what stands around it: %s', async (text, answered) => {
    const model = scripted(text, '{"name":"Bob","age":7}');
    expect(await withModel(model).agent.ask('Who?', { schema })).toEqual({ name: 'Bob', age: 7 });
    expect(model.prompts[1]).toContain(answered);
  });

  it('needs a schema that can be shown', async () => {
    const { agent } = withModel(scripted('x'));
    await expect(agent.ask('Who?', { schema: z.date() })).rejects.toThrow('schema: cannot be expressed in JSON Schema');
  });
});

describe('the listing of home', () => {
  it('is sent again only where it has changed', async () => {
    let open = 1;
    const tasks = defineResourcespace({
      name: 'tasks',
      description: 'Work.',
      status: () => ({ open: open++ }),
      tools: {},
    });
    const model = scripted('<R:a>', 'Done.');
    const { agent } = withModel(model, { spaces: [tasks] });
    await agent.ask('Go.');
    expect(model.prompts[0]).toContain('Example: <R:');
    expect(model.prompts[1]).toMatch(/^\[Location: home\]\nChanged here:\n {2}tasks\(\) -- Work\. .*open: 2\n\n/);
    expect(model.prompts[1]).not.toContain('Example: <R:');
  });

  it('is not repeated on a return, except where it has changed', async () => {
    let open = 1;
    const tasks = defineResourcespace({
      name: 'tasks',
      description: 'Work.',
      status: () => ({ open }),
      tools: { close: tool('Closes a task.', {}, () => String((open = 0)), { effect: 'read' }) },
    });
    const model = scripted('@tasks()', '@home()', '<tasks.close:>\n@tasks()', '@home()', 'Done.');
    const { agent } = withModel(model, { spaces: [tasks] });
    await agent.ask('Go.');
    expect(model.prompts[2]).toContain('Left tasks -> home\nSpaces: tasks()\nTools: ');
    expect(model.prompts[2]).not.toContain('Example: <R:');
    expect(model.prompts[4]).toContain('Left tasks -> home\nChanged here:\n  tasks() -- Work.');
  });
});
