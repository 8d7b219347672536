import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from '@ai-sdk/provider';
import { approvalPolicy, createAgent, defineResourcespace, ResourceError, tool } from '@bae/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { aiSdkModel } from '../ai-sdk-model.ts';
import { toToolPrompt } from './native-tools.ts';

const USAGE = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };

const native = (toolName: string, input: object) => ({
  type: 'tool-call',
  toolCallId: 'id of the provider',
  toolName,
  input: JSON.stringify(input),
});
const call = (name: string, args: object) => native('call', { tool: name, arguments: args });
const say = (delta: string) => ({ type: 'text-delta', id: '0', delta });

/** An agent of a model that makes these function calls, round after round; `saved` is what it wrote. */
function startAgent(...rounds: readonly (readonly object[])[]) {
  const asked: LanguageModelV4CallOptions[] = [];
  const saved: unknown[] = [];
  const files = defineResourcespace({
    name: 'files',
    description: 'Files.',
    tools: {
      read: tool('Reads a file.', { target: z.string() }, ({ target }) => {
        if (target === 'gone') throw new ResourceError('it is gone.', ['<R:b.ts>', 'tickets()']);
        return `text of ${target}`;
      }),
      write: tool('Writes a file.', { target: z.string(), content: z.string() }, (args) => {
        saved.push(args);
        return 'written';
      }),
    },
  });
  const tickets = defineResourcespace({
    name: 'tickets',
    description: 'Tickets.',
    tools: {
      add: tool('Adds one.', { title: z.string(), labels: z.array(z.string()).default([]) }, (args) => {
        saved.push(args);
        return `added ${args.title}`;
      }),
    },
  });
  const doStream = (options: LanguageModelV4CallOptions) => {
    const said: readonly object[] = rounds[asked.push(options) - 1] ?? [say('Done.')];
    const unified = said.some((part) => 'toolName' in part) ? 'tool-calls' : 'stop';
    const parts = [...said, { type: 'finish', finishReason: { unified, raw: unified }, usage: USAGE }];
    const start = (controller: ReadableStreamDefaultController<unknown>) => {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    };
    return Promise.resolve({ stream: new ReadableStream({ start }) });
  };
  const sdk = { specificationVersion: 'v4', provider: 'fake', modelId: 'one', supportedUrls: {}, doStream };
  const model = aiSdkModel(sdk as never, { protocol: 'tools' });
  const approver = approvalPolicy({ rules: [{ decision: 'allow' }] });
  const agent = createAgent({ home: files, spaces: [tickets], model, approver });
  return { agent, asked, saved };
}

/** What the model was given as results, in order. */
function listResults(prompt: LanguageModelV4Prompt | undefined): readonly string[] {
  const messages = prompt?.flatMap(({ role, content }) => (role === 'tool' ? content : [])) ?? [];
  return messages.flatMap((part) =>
    part.type === 'tool-result' && part.output.type === 'text' ? [part.output.value] : [],
  );
}

describe('function calls of a provider', () => {
  it('enter places, call tools there and elsewhere, and get one result each', async () => {
    const { agent, asked, saved } = startAgent(
      [native('go', { place: 'tickets' })],
      [
        say('Two calls.'),
        call('add', { title: 'a <R:x> b', labels: ['u', 'v'] }),
        call('home.read', { target: 'b.ts' }),
      ],
    );
    expect(await agent.ask('Go.')).toBe('Done.');
    expect(saved).toEqual([{ title: 'a <R:x> b', labels: ['u', 'v'] }]);
    expect(listResults(asked.at(-1)?.prompt)).toEqual([
      expect.stringContaining('Entering tickets'),
      expect.stringMatching(/^#1 .*\nadded a <R:x> b$/),
      expect.stringMatching(/^#2 .*\ntext of b.ts$/),
    ]);
  });

  it('lose no arguments beside the name of the tool, nor another function named as the tool', async () => {
    const { agent, asked, saved } = startAgent(
      [native('call', { tool: 'go', arguments: { place: 'tickets' } })],
      [native('call', { tool: 'add', title: 'beside' })],
      [native('call', { tool: 'go', place: 'home' }), native('call', { tool: 'read', target: 'b.ts' })],
    );
    await agent.ask('Go.');
    expect(saved).toEqual([{ title: 'beside', labels: [] }]);
    expect(listResults(asked.at(-1)?.prompt).at(-1)).toContain('text of b.ts');
  });

  it('run code', async () => {
    const { agent, asked } = startAgent([native('run', { code: "print((await read('a')) + '</run>')" })]);
    await agent.ask('Go.');
    // Without a sandbox nothing can run, which is what the result says.
    expect(JSON.stringify(asked[1]?.prompt)).toContain('run');
    expect(JSON.stringify(asked[1]?.prompt)).toContain('"toolName":"run"');
  });

  it('read more of a result', async () => {
    const { agent, asked } = startAgent(
      [call('read', { target: 'a' })],
      [native('read_result', { result: 'result:1', lines: '1-2' })],
    );
    await agent.ask('Go.');
    expect(listResults(asked.at(-1)?.prompt).at(-1)).toContain('<R:result:1:1-2>');
  });

  it.each([
    ['an unknown tool', call('frobnicate', { a: 1 }), "no tool 'frobnicate'"],
    ['an unknown function', native('frobnicate', { a: 1 }), "no tool 'frobnicate'"],
    ['a place that is none', native('go', { place: 'nowhere' }), 'nowhere'],
    ['a place that is not a name', native('go', { place: 7 }), "no space 'place'"],
    ['a misspelt argument', call('read', { targt: 'a' }), 'did you mean target?'],
    ['no arguments', call('write', {}), 'write needs target, content.'],
  ])('of %s are never lost', async (_, part, said) => {
    const { agent, asked } = startAgent([part]);
    await agent.ask('Go.');
    expect(asked.length).toBe(2);
    expect(JSON.stringify(asked[1]?.prompt)).toContain(said);
  });

  it.each([
    ['a misspelt argument', call('add', { titel: 'a' }), 'Try: call({"tool":"add","arguments":{"title":"a"}})'],
    [
      'no arguments',
      call('home.write', {}),
      'Try: call({"tool":"home.write","arguments":{"target":"…","content":"…"}})',
    ],
    [
      'an error of a tool',
      call('home.read', { target: 'gone' }),
      'Try: call({"tool":"home.read","arguments":{"target":"b.ts"}})',
    ],
    ['a tool of another place', call('frob', {}), 'Use call({"tool":"read","arguments":{"target":"src/app.ts"}})'],
    ['a misspelt tool', call('addd', { title: 'a' }), 'Use call({"tool":"add","arguments":{"title":"a"}})'],
    [
      'a tool that the place has not',
      call('edit', { target: 'a', old: 'x', new: 'y' }),
      'tickets does not support edit',
    ],
  ])('of %s are answered with one that can be made', async (_, part, said) => {
    const { agent, asked } = startAgent([native('go', { place: 'tickets' })], [part]);
    await agent.ask('Go.');
    const { prompt = [] } = asked[2] ?? {};
    const texts = prompt.flatMap(({ role, content }) => (role === 'user' ? content : []));
    const heard = [...listResults(prompt), ...texts.map((text) => (text.type === 'text' ? text.text : ''))].join('\n');
    expect(heard).toContain(said);
    expect(heard).not.toMatch(/Try: (?!call|go|run|read_result)/);
  });

  it('get a result each, also where code came with other calls', async () => {
    const { agent, asked } = startAgent([native('go', { place: 'tickets' }), native('run', { code: 'add("x")' })]);
    await agent.ask('Go.');
    const { prompt } = asked[1] ?? {};
    expect(listResults(prompt)).toEqual([
      expect.stringContaining('Entering tickets'),
      'Not run, because other calls were made in the same message. Call run again, on its own, if it is needed.',
    ]);
    expect(JSON.stringify(prompt)).not.toContain('[Note]');
  });

  const carryTexts = async (numRuns: number) => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), fc.string(), async (content, more) => {
        const text = `${content}</W>\n<R:b>\n</tool_call>${more}`.replaceAll('\r', '').replaceAll('\0', '');
        const { agent, saved } = startAgent([call('write', { target: 'x.ts', content: text })]);
        await agent.ask('Go.');
        expect(saved).toEqual([{ target: 'x.ts', content: text.toWellFormed() }]);
      }),
      { numRuns },
    );
  };

  it('carry any text unchanged', { tags: ['long'] }, () => carryTexts(4));
  it('carry any text unchanged, 50 times', { tags: ['long'] }, () => carryTexts(50));

  it('are offered by the same four functions in every request', async () => {
    const { agent, asked } = startAgent([native('go', { place: 'tickets' })], [call('add', { title: 'a' })]);
    await agent.ask('Go.');
    expect(asked.map(({ tools }) => tools?.map((one) => (one.type === 'function' ? one.name : '')))).toEqual(
      Array.from({ length: 3 }, () => ['go', 'call', 'run', 'read_result']),
    );
    expect(new Set(asked.map(({ tools }) => JSON.stringify(tools))).size).toBe(1);
  });

  it('look the same in every later request, so that the cache of the provider holds', async () => {
    const { agent, asked } = startAgent([native('go', { place: 'tickets' })], [call('add', { title: 'a' })]);
    await agent.ask('Go.');
    const [first = [], second = [], third = []] = asked.map(({ prompt }) => prompt);
    expect(second.slice(0, first.length)).toEqual(first);
    expect(third.slice(0, second.length)).toEqual(second);
  });
});

describe('a conversation as function calls', () => {
  it('keeps tags that the model wrote as its text', () => {
    const prompt = toToolPrompt([
      { role: 'assistant', text: 'See <R:a.ts>' },
      { role: 'user', text: 'Go on.' },
    ]);
    expect(prompt).toEqual([
      { role: 'assistant', content: [{ type: 'text', text: 'See <R:a.ts>' }] },
      { role: 'user', content: [{ type: 'text', text: 'Go on.' }] },
    ]);
  });

  it('has a result for every call also where nothing was run', () => {
    const prompt = toToolPrompt([
      { role: 'assistant', text: '@tickets()\n@home()' },
      { role: 'user', text: 'Stop that.' },
    ]);
    expect(listResults(prompt)).toEqual(Array(2).fill('(not run; see the next message)'));
    expect(prompt.at(-1)).toEqual({ role: 'user', content: [{ type: 'text', text: 'Stop that.' }] });
  });

  it('take the place of the rules for writing tags in the system prompt, which keeps its length', async () => {
    const { agent, asked } = startAgent();
    await agent.ask('Go.');
    const [system] = asked[0]?.prompt ?? [];
    const prompt = system?.role === 'system' ? system.content : '';
    expect(prompt).toContain('Call tools with the functions go, call, run and read_result');
    for (const rule of ['with a tag alone', 'Text between tags', 'Tags run', 'Fenced tags', 'You: <'])
      expect(prompt).not.toContain(rule);
    expect(prompt).toContain('<R:a.ts:10-40>  lines 10 to 40');
    expect(prompt.length).toBeLessThan(1700);
  });
});
