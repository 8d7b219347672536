import { Sandbox } from '@bae/sandbox';
import { afterAll, describe, expect, it } from 'vitest';
import { runBlock } from './code-stage.ts';
import { inNaiveSandbox } from './naive-sandbox.ts';
import { ESCAPES, withVerdict } from './sandbox-escapes.ts';
import { FORGERIES, inTrustingGlue } from './sandbox-forgeries.ts';

const sandbox = new Sandbox();
afterAll(() => sandbox.dispose());

describe('code in the sandbox', () => {
  it.each(ESCAPES)('finds no host by way of $name', async (escape) => {
    const { output } = await runBlock(sandbox, withVerdict(escape), escape.name);
    await sandbox.forget(escape.name);
    const [verdict] = output.split(/\n?Not awaited: /);
    expect(verdict?.split('\n').at(-1)).toBe('nothing');
  });

  it('would find one in half of these ways if values of the host were passed in', async () => {
    const found: string[] = [];
    for (const escape of ESCAPES) {
      const verdict = await inNaiveSandbox(withVerdict(escape), 5000);
      if (verdict === 'process' || /^(?:file|node):/.test(verdict ?? '')) found.push(escape.name);
    }
    expect(found.length).toBeGreaterThan(40);
  });

  it('has been tried in at least sixty ways', () => {
    expect(new Set(ESCAPES.map(({ code }) => code)).size).toBeGreaterThanOrEqual(60);
  });
});

describe('a call from the sandbox', () => {
  it.each(FORGERIES)('and its answer are what they are, whatever became of $name', async ({ name, code }) => {
    await runBlock(sandbox, code, name);
    const { output, calls } = await runBlock(sandbox, 'await read("a.ts")', name);
    await sandbox.forget(name);
    expect(output).toBe('text of a.ts');
    expect(calls).toEqual([{ verb: 'read', arg: 'a.ts', line: 1, tag: 'read("a.ts")' }]);
  });

  it('would not be, if the code around it took what it finds', async () => {
    const forged: string[] = [];
    for (const forgery of FORGERIES) {
      if ((await inNaiveSandbox(inTrustingGlue(forgery), 5000)) !== 'true') forged.push(forgery.name);
    }
    expect(forged.length).toBeGreaterThanOrEqual(8);
  });

  it('pollutes nothing, whatever its arguments are called', async () => {
    const code = `await source.read(JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"target":"x"}'))`;
    const { calls } = await runBlock(sandbox, `${code}; await read(JSON.parse('[{"__proto__":{"polluted":1}}]'))`);
    expect(calls).toHaveLength(2);
    expect(Object.keys(calls[0]?.kwargs ?? {})).toEqual(['__proto__', 'constructor']);
    for (const value of [calls[0], calls[0]?.kwargs, calls[1]?.kwargs, {}, []])
      expect((value as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('of something that is not in scope does not exist', async () => {
    const { output, calls } = await runBlock(sandbox, '[typeof write, typeof source.write, typeof tasks, typeof ask]');
    expect(output).toBe("['undefined', 'undefined', 'undefined', 'undefined']");
    expect(calls).toEqual([]);
  });

  it('is never answered by what an earlier block has asked for', async () => {
    const quick = new Sandbox({ timeoutMs: 200 });
    const late = Promise.withResolvers<void>();
    const options = { signal: new AbortController().signal, session: 'one' };
    const answered = async (text: string) => ({ ok: true, text, space: 'home', ran: true, lines: 1, ms: 0 });
    const slow = quick.run('await nav()', {
      ...options,
      dispatch: () => late.promise.then(() => answered('of the first')),
    });
    expect((await slow).errorType).toBe('TimeoutError');
    const next = quick.run('await nav()', {
      ...options,
      dispatch: async () => {
        late.resolve();
        await new Promise((resolve) => setTimeout(resolve, 50));
        return answered('of the second');
      },
    });
    expect((await next).output).toBe('of the second');
    await quick.dispose();
  });
});
