import { createAgent, asModelText, type AgentOptions } from '@bae/core';
import { Sandbox } from '@bae/sandbox';
import { expectBalanced } from '@bae/testing';
import { afterAll, describe, expect, it } from 'vitest';
import { sent, stage, tasks } from './stage.ts';

const sandbox = new Sandbox();
afterAll(() => sandbox.dispose());

/** A session over some files whose model sends these blocks, one a response. */
function session(blocks: readonly string[], files: Record<string, string> = {}, options: AgentOptions = {}) {
  const responses = blocks.map((code) => `<run>\n${code}\n</run>`);
  return stage([...responses, 'Done.'], files, { codeRunner: sandbox, ...options });
}

/** What the model reads as the answer to a response, without its frame. */
function answered(model: ReturnType<typeof stage>['model'], send: number): string {
  const [, text = ''] = /^\[Output \w+\]\n(.*)\n\[end \w+\]/ms.exec(sent(model, send)) ?? [];
  return text.trimEnd();
}

describe('a run block', () => {
  it('is told that lists are no text', async () => {
    const { agent, model } = session(["(await glob('*.txt')).split('\\n')"], { 'a.txt': 'x' });
    await agent.ask('Which?');
    expect(answered(model, 1)).toContain('glob and grep return arrays: leave out .split() and .trim().');
  });

  it('finds what a search cannot, as the search suggests it', async () => {
    const pattern = String.raw`^\d+ (?!INFO|DEBUG \[a/b\]).*"`;
    const files = { 'app.log': '1 INFO "a"\n2 WARN "b"\n3 DEBUG [a/b] "c"\n4 DEBUG [a/c] "d"\n' };
    const { agent: first } = session([], files);
    const { calls } = await first.run(asModelText(`<Grep:${pattern} path=app.log>`));
    const [, block = ''] = /^Try: <run>(.*)<\/run>$/m.exec(calls[0]!.result.text) ?? [];
    const { agent, model } = session([block], files);
    await agent.ask('Which?');
    expect(answered(model, 1)).toBe('2|2 WARN "b"\n4|4 DEBUG [a/c] "d"');
  });

  it('does in one exchange what would take one for each file', async () => {
    const files = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`f${index}.txt`, 'x\n'.repeat(index)]));
    const code = `let lines = 0
for (const path of await glob('*.txt'))
  lines += (await read(path)).split('\\n').filter((line) => line.includes('x')).length
lines`;
    const { agent, model, events } = session([code], files);
    await agent.ask('How many?');
    expect(model.sends).toHaveLength(2);
    expect(answered(model, 1)).toBe('435');
    expectBalanced(events);
    expect(events.filter(({ type }) => type === 'call-end')).toHaveLength(31);
  });

  it('shares its variables with the next, also when one fails between them', async () => {
    const { agent, model } = session(
      ['const text: string = await read("a.txt"); text.length', 'throw new Error("no")', 'text'],
      {
        'a.txt': 'A\n',
      },
    );
    await agent.ask('Go.');
    expect([1, 2, 3].map((send) => answered(model, send))).toEqual(['2', 'Error: no\n  at line 1', 'A']);
  });

  it('changes files with consent, and is told when there is none', async () => {
    const allowed = session(['await write("b.txt", "x = 1\\n"); await edit({ target: "b.txt", old: "1", new: "2" })']);
    await allowed.agent.ask('Write.');
    expect(allowed.read('b.txt')).toBe('x = 2\n');
    const approver = { approve: () => ({ allow: false, reason: 'not today' }) as const };
    const refused = session(['await write("b.txt", "x")'], {}, { approver });
    await refused.agent.ask('Write.');
    expect(answered(refused.model, 1)).toBe('ApprovalError: not today\n  at line 1');
  });

  it('is answered with the same words as a tag that is wrong in the same way', async () => {
    const { agent, model } = session(['await grep({ patern: "x" })']);
    await agent.ask('Search.');
    const { calls } = await agent.run(asModelText('<tool_call>{"name":"Grep","arguments":{"patern":"x"}}</tool_call>'));
    expect(calls[0]?.result.text).toContain('did you mean pattern?');
    const said = answered(model, 1).replace('\n  at line 1', '');
    const withoutCall = (text = '') => text.replace(/\nTry: .*$/, '');
    expect(withoutCall(said)).toBe(withoutCall(calls[0]?.result.text));
    expect(said).toMatch(/\nTry: grep\("x"\)$/);
  });

  it('goes to places and uses the tools it finds there', async () => {
    const { agent, model, events } = session(['await tasks(); await read("7")', 'await home(); await tasks.read("8")']);
    await agent.ask('Look.');
    expect([1, 2].map((send) => answered(model, send))).toEqual(['task 7', 'task 8']);
    expect(events.filter(({ type }) => type === 'space-enter')).toMatchObject([{ to: 'tasks' }, { to: 'home' }]);
  });

  it('that fails at nothing else says what it cannot reach', async () => {
    const { agent, model } = session(['await fetch("https://x.test")', 'require("fs")']);
    await agent.ask('Leave.');
    expect(answered(model, 1)).toMatch(/^ReferenceError: .*\nCode here reaches nothing but tools: read, write, /s);
    expect(answered(model, 2)).toMatch(/^ReferenceError: .*\nCode here reaches nothing but tools: read, write, /s);
  });

  it('is cancelled with its turn, and the next one works', async () => {
    const { agent, model, events } = session(['while (true);', '1 + 1']);
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 300);
    await expect(agent.ask('Loop.', { signal: controller.signal })).rejects.toMatchObject({ name: 'AbortError' });
    expectBalanced(events);
    await agent.ask('And now?');
    expect(answered(model, 2)).toBe('2');
  });

  it('knows nothing of the variables of another session, nor of one that was closed', async () => {
    const options = { codeRunner: sandbox, spaces: [tasks] };
    const secret = '<run>var secret = 1; secret</run>';
    const typeOf = '<run>typeof secret</run>';
    const agent = createAgent(options);
    const other = agent.session('other');
    const said = async (one: typeof agent, text: string) => (await one.run(asModelText(text))).feedback.split('\n')[1];
    expect(await said(agent, secret)).toBe('1');
    expect(await said(other, typeOf)).toBe('undefined');
    expect(await said(agent, typeOf)).toBe('number');
    await Promise.all([agent.close(), other.close()]);
    const next = createAgent(options);
    expect(await said(next, typeOf)).toBe('undefined');
    await next.close();
  });
});
