import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answer, answerTo, bench, SCOPE, sharedBench, spec } from '../../test/bench-of-blocks.ts';
import { createToolCall, type CodeCall } from './tool-call.ts';

const table = sharedBench();

describe('a call', () => {
  it.each([
    ['read("a.ts")', { verb: 'read', arg: 'a.ts', tag: 'read("a.ts")' }],
    ['read({ target: "a.ts" })', { verb: 'read', arg: 'a.ts', tag: 'read({"target":"a.ts"})' }],
    ['read()', { verb: 'read', arg: '', tag: 'read()' }],
    ['read(undefined)', { verb: 'read', arg: '', tag: 'read()' }],
    ['read(7)', { verb: 'read', arg: '', kwargs: { target: 7 }, tag: 'read(7)' }],
    ['read(null)', { verb: 'read', arg: '', kwargs: { target: null }, tag: 'read(null)' }],
    [
      'write("a", "body=1\\n")',
      { verb: 'write', arg: 'a', body: 'body=1\n', block: false, tag: 'write("a", "body=1\\n")' },
    ],
    ['grep("a b", "src")', { verb: 'grep', arg: 'a b', kwargs: { path: 'src' } }],
    ['grep("a", { path: "src", limit: 2 })', { verb: 'grep', arg: 'a', kwargs: { path: 'src', limit: 2 } }],
    ['grep("a path=src")', { verb: 'grep', arg: '', kwargs: { pattern: 'a path=src' } }],
    ['grep(" a")', { verb: 'grep', arg: '', kwargs: { pattern: ' a' } }],
    ['["a"].map(read)', { verb: 'read', arg: 'a', tag: 'read("a")' }],
    ['edit("a", "new")', { verb: 'edit', arg: 'a', body: 'new' }],
    ['edit("a", { old: "x", content: "y" })', { verb: 'edit', arg: 'a', body: 'y', kwargs: { old: 'x' } }],
    ['edit("a", "y", { old: "x" })', { verb: 'edit', arg: 'a', body: 'y', kwargs: { old: 'x' } }],
    ['edit("a", "x", "y")', { verb: 'edit', arg: 'a', kwargs: { old: 'x', new: 'y' } }],
    ['read("a", 0, ["b"])', { verb: 'read', arg: 'a', kwargs: { 'argument 2': 0, 'argument 3': ['b'] } }],
    ['read("a", "b")', { verb: 'read', arg: 'a', kwargs: { 'argument 2': 'b' } }],
    ['source.read("core")', { verb: 'read', arg: 'core', space: 'source', tag: 'source.read("core")' }],
    ['source.tests.run()', { verb: 'run', arg: '', space: 'source.tests', tag: 'source.tests.run()' }],
    ['my_notes.delete("x")', { verb: 'delete', arg: 'x', space: 'my-notes' }],
    ['my_notes.add({ title: "x" })', { verb: 'add', kwargs: { data: { title: 'x' } }, space: 'my-notes' }],
    ['my_notes.put("x", { text: "y" })', { verb: 'put', arg: 'x', kwargs: { data: { text: 'y' } } }],
    ['my_notes.put("x", { data: { text: "y" } })', { verb: 'put', arg: 'x', kwargs: { data: { text: 'y' } } }],
    ['my_notes.delete_("x")', { verb: 'delete', arg: 'x', space: 'my-notes', tag: 'my_notes.delete("x")' }],
    ['grep(undefined, "src")', { verb: 'grep', arg: '', kwargs: { path: 'src' }, tag: 'grep(undefined, "src")' }],
    ['my_notes.sub_notes.read("x")', { space: 'my-notes.sub-notes', tag: 'my_notes.sub_notes.read("x")' }],
    ['my_notes["sub-notes"].read("x")', { verb: 'read', arg: 'x', space: 'my-notes.sub-notes' }],
    ['source()', { verb: 'go', arg: 'source', tag: 'source()' }],
    ['source.tests()', { verb: 'go', arg: 'source.tests', tag: 'source.tests()' }],
    ['home()', { verb: 'go', arg: 'home', tag: 'home()' }],
    ['back()', { verb: 'go', arg: 'back', tag: 'back()' }],
    ['up()', { verb: 'go', arg: 'up', tag: 'up()' }],
    ['nav()', { verb: 'go', arg: 'nav', tag: 'nav()' }],
    ['source("x")', { verb: 'go', arg: 'source', kwargs: { 'argument 1': 'x' }, tag: 'source("x")' }],
  ])('%s is sent as it is meant', async (code, call) => {
    const before = table.calls.length;
    await table.run(code);
    expect(table.calls).toHaveLength(before + 1);
    expect(table.calls.at(-1)).toMatchObject(call);
    expect(Object.keys(table.calls.at(-1)?.kwargs ?? {})).toEqual(Object.keys('kwargs' in call ? call.kwargs : {}));
  });

  it('has other names at its end if the tool asks for them, otherwise data', () => {
    const params = [
      { name: 'target', type: 'string' },
      { name: 'data', type: 'json', default: null },
    ];
    const make = (rest: boolean) => {
      const where = { path: 'set', space: undefined, from: undefined };
      const callee = { kind: 'tool' as const, ...where, spec: { name: 'set', params, rest } };
      return createToolCall(callee, '{"0":"x","1":{"colour":"red"}}');
    };
    expect(make(true)).toMatchObject({ verb: 'set', arg: 'x', kwargs: { colour: 'red' } });
    expect(make(false)).toMatchObject({ verb: 'set', arg: 'x', kwargs: { data: { colour: 'red' } } });
  });

  it('has as many arguments as any tool could take, and data of any size', async () => {
    const { run, calls } = bench();
    const named = 'Object.fromEntries(Array.from({ length: 1001 }, (_, index) => ["n" + index, 1]))';
    expect(await run(`await read(${named})`)).toBe(
      'RangeError: an object of 1001 arguments: a call takes at most 1000. Pass data as one list, or make more calls\n  at line 1',
    );
    expect(await run('await read(...new Array(1001).fill(1))')).toMatch(/^RangeError: 1001 arguments: a call takes/);
    expect(calls).toEqual([]);
    expect(await run(`await my_notes.add(${named})`)).toBe('text of ');
  });

  it('takes no regular expression, and suggests text', async () => {
    const { run, calls } = bench();
    expect(await run('await grep(/TODO/i)')).toBe(
      'TypeError: argument 1 is a RegExp: pass its text, as "TODO|FIXME"\n  at line 1',
    );
    expect(calls).toEqual([]);
  });

  it('is made whatever code has done to lists', async () => {
    const { run } = bench();
    expect(await run('Array.prototype[Symbol.iterator] = () => { throw 1 }; await read("a")')).toBe('text of a');
  });

  it('is shortened in a quote', async () => {
    const { run, calls } = bench();
    await run('await read("x".repeat(500)); await read("y".repeat(5000)); await read("😀".repeat(90))');
    for (const { tag } of calls) expect(Array.from(tag)).toHaveLength(80);
    expect(calls[1]?.tag).toMatch(/^read\("y+…\)$/);
    await run('await grep(undefined, "y".repeat(5000)); await read(...Array(100), 1)');
    expect(calls[3]?.tag).toMatch(/^grep\(undefined, "y+…\)$/);
    expect(calls[4]?.tag).toMatch(/^read\(undefined, undefined, [^"1]*…\)$/);
  });

  it('returns text, or data where the tool has some', async () => {
    const { run } = bench();
    expect(await run('await read("a.ts")')).toBe('text of a.ts');
    expect(await run('(await read("data")).rows.map((row) => row * 2)')).toBe('[2, 4]');
  });

  const carryData = async (numRuns: number) => {
    const { run, calls } = bench(undefined, async ({ kwargs }) => answer('', { value: kwargs?.['data'] ?? 'nothing' }));
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        const text = JSON.stringify(value);
        const shown = await run(`JSON.stringify(await my_notes.add(JSON.parse(${JSON.stringify(text)})))`);
        expect(JSON.parse(shown)).toEqual(value === null ? 'nothing' : JSON.parse(text));
        expect(calls.at(-1)?.kwargs).toEqual({ data: JSON.parse(text) });
      }),
      { numRuns },
    );
  };

  it('carries any data there and back unchanged', () => carryData(8));
  it('carries any data there and back unchanged, 60 times', { tags: ['long'] }, () => carryData(60));

  const returnTexts = async (numRuns: number) => {
    const texts = fc.array(
      fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: fc.constantFrom('\0', '\ud800') })),
    );
    let given: readonly string[] = [];
    const { run, calls } = bench(undefined, async (call) => answer(given[Number(call.arg)] ?? ''));
    await fc.assert(
      fc.asyncProperty(texts, async (answers) => {
        given = answers;
        const before = calls.length;
        await run(`for (let i = 0; i < ${answers.length}; i++) await write("back", await read(String(i)))`);
        const written = calls.slice(before).filter(({ verb }) => verb === 'write');
        expect(written.map(({ body }) => body)).toEqual(answers);
      }),
      { numRuns },
    );
  };

  it('returns any text, letter for letter', { tags: ['long'] }, () => returnTexts(3));
  it('returns any text, letter for letter, 40 times', { tags: ['long'] }, () => returnTexts(40));

  it('runs beside others that were not awaited', async () => {
    let active = 0;
    let most = 0;
    const eight = Promise.withResolvers<void>();
    const { run, calls } = bench(undefined, async (call) => {
      most = Math.max(most, ++active);
      if (active === 8) eight.resolve();
      await eight.promise;
      active--;
      return answerTo(call);
    });
    const all = 'Array.from({ length: 30 }, (_, index) => read(`f${index}`))';
    expect(await run(`(await Promise.all(${all})).length`)).toBe('30');
    expect(calls.map(({ arg }) => arg)).toEqual(Array.from({ length: 30 }, (_, index) => `f${index}`));
    expect(most).toBe(8);
  });

  it('that nothing awaits is made anyway, and its failure is reported', async () => {
    const { run, calls } = bench();
    expect(await run('write("a", "b"); read("missing"); 5')).toBe(
      '5\nNot awaited: read("missing"): FileNotFoundError: missing. Did you mean x?',
    );
    expect(calls).toHaveLength(2);
    expect(await run('const late = read("missing"); await read("a"); await late.catch(() => "caught")')).toBe('caught');
  });

  it('fails with what the caller did wrong', async () => {
    const { run, calls } = bench();
    expect(await run('await write("a", read("b"))')).toBe(
      'TypeError: argument 2 is a promise: put await before it\n  at line 1',
    );
    expect(await run('await read(() => 1)')).toBe(
      'TypeError: argument 1 is a function, which no tool takes\n  at line 1',
    );
    expect(await run('const loop = {}; loop.loop = loop; await grep("x", loop)')).toBe(
      'TypeError: argument 2 contains itself: pass data without circles\n  at line 1',
    );
    expect(await run('await read(10n)')).toBe(
      'TypeError: argument 1 is a bigint, which no tool takes: use Number(…)\n  at line 1',
    );
    expect(await run('await read({ target: 1n })')).toBe(
      'TypeError: target in argument 1 is a bigint, which no tool takes: use Number(…)\n  at line 1',
    );
    expect(calls.filter(({ verb }) => verb === 'write')).toEqual([]);
  });

  it('that throws in the host is an error of the code', async () => {
    const { run } = bench(undefined, () => Promise.reject(new RangeError('no such thing')));
    expect(await run('await read("a")')).toBe('RangeError: no such thing\n  at line 1');
  });

  it('is made only so often by one block', { tags: ['long'] }, async () => {
    const { run, calls } = bench({ mostCalls: 3 });
    expect(await run('for (;;) await read("a")')).toBe('RangeError: a run block makes at most 3 calls\n  at line 1');
    expect(calls).toHaveLength(3);
    expect(await run('await read("x".repeat(16_000_000))')).toBe(
      'RangeError: a call takes at most 16000000 characters, not 16000008: pass it in parts\n  at line 1',
    );
  });

  it('takes as much as a result can return', { tags: ['long'] }, async () => {
    const text = 'say "a" again\n'.repeat(571_428);
    const { run, calls } = bench(undefined, async ({ verb }) => answer(verb === 'read' ? text : 'written'));
    const code = 'const text = await read("big"); await write("big", text.replaceAll("again", "twice"))';
    expect(await run(code)).toBe('written');
    expect(calls[1]?.body === text.replaceAll('again', 'twice')).toBe(true);
  });

  it('reports when there is no room for it', { tags: ['long'] }, async () => {
    const text = 'l\u00EDnea \u0175\n'.repeat(1_000_000);
    const { run } = bench({ memoryMb: 64 }, async ({ verb }) => answer(verb === 'read' ? text : 'written'));
    const code = 'const text = await read("big"); await write("big", text)';
    expect(await run(code)).toBe(
      'RangeError: out of memory: there is no room for the arguments; pass them in parts\n  at line 1',
    );
  });
});

describe('what is in scope', () => {
  it('is described', async () => {
    expect(await bench().run('[read, source, source.tests.run]')).toBe(
      '[read(target), source() -- navigate to source, source.tests.run()]',
    );
    expect(await bench().run('`${source.tests}`')).toBe('source.tests() -- navigate to source.tests');
  });

  it('changes with the place, and gives back what it hid', async () => {
    const { run } = bench();
    const at = (...names: string[]) => ({
      scope: () => ({ tools: names.map((name) => spec(name, 'target')), spaces: [] }),
    });
    await run('const read = "mine", other = 1', at('now'));
    expect(await run('typeof read', at('read'))).toBe('function');
    expect(await run('read', at('write'))).toBe('mine');
    expect(await run('[typeof write, other]', at('read', 'other'))).toBe("['undefined', other(target)]");
    expect(await run('[read, other, typeof now]', at())).toBe("['mine', 1, 'undefined']");
  });

  it('is hidden by a variable for one block only, which keeps its value', async () => {
    const { run, calls } = bench();
    expect(await run('const read = (name) => `my ${name}`\nread("a")')).toBe('my a');
    expect(await run('await read("a")')).toBe('text of a');
    expect(await run('read("b")', { scope: () => ({ tools: [], spaces: [] }) })).toBe('my b');
    expect(calls).toHaveLength(1);
  });

  it('is that of the new place after a move, also within a block', async () => {
    let at = 'home';
    const { run } = bench(undefined, async (call) => {
      if (call.verb === 'go') at = call.arg;
      return answer(`${call.verb} ${call.arg} at ${at}`);
    });
    const scope = () => (at === 'source' ? { ...SCOPE, tools: [spec('outline', 'target')] } : SCOPE);
    expect(await run('await source(); await outline("x")', { scope })).toBe('outline x at source');
    expect(await run('typeof write + typeof outline', { scope })).toBe('undefinedfunction');
    expect(await run('await home(); await write("x", "y")', { scope })).toBe('write x at home');
  });

  it('leaves a variable of the block alone when the block moves', async () => {
    let at = 'home';
    const { run } = bench(undefined, async (call) => {
      if (call.verb === 'go') at = call.arg;
      return answer(`${call.verb} at ${at}`);
    });
    const scope = () => (at === 'source' ? { ...SCOPE, tools: [spec('outline', 'target')] } : SCOPE);
    const code = 'const source = "mine", outline = "my own", write = "w"; await home(); [source, outline, write]';
    expect(await run(code, { scope })).toBe("['mine', 'my own', 'w']");
    expect(await run('const my_notes = "mine", outline = "too"; await source(); [my_notes, outline]', { scope })).toBe(
      "['mine', 'too']",
    );
    expect(await run('typeof my_notes + typeof outline', { scope })).toBe('functionfunction');
    expect(await run('await home(); [outline, write]', { scope })).toBe("['too', write(target, content)]");
  });

  it('may have names that are words of the language', async () => {
    const { run, calls } = bench();
    const scope = () => ({ tools: [spec('delete', 'target'), spec('my-tool', 'target')], spaces: [] });
    expect(await run('1;\ndelete("x")', { scope })).toBe(
      'SyntaxError: delete is an operator of the language; the tool is called delete_(…)\n  at line 2: delete("x")',
    );
    await run('await delete_("x"); await my_tool("y"); delete globalThis.z; delete (globalThis).z', { scope });
    expect(calls.map(({ verb, arg }) => `${verb} ${arg}`)).toEqual(['delete x', 'my-tool y']);
  });

  it('is a tool rather than a place of its name', async () => {
    const scope = () => ({ tools: [spec('source', 'target')], spaces: SCOPE.spaces });
    const { run, calls } = bench();
    await run('await source("x")', { scope });
    expect(calls[0]).toMatchObject({ verb: 'source', arg: 'x' });
  });

  it('belongs to the place it was taken from, wherever the block is by then', async () => {
    let at = 'tasks';
    const { run, calls } = bench(undefined, async (call) => {
      if (call.verb === 'go') at = call.arg;
      return answer('done');
    });
    const spaces = ['tasks', 'notes'].map((name) => ({ name, tools: [spec('remove', 'target')] }));
    const scope = () => ({ place: at, tools: [spec('remove', at === 'tasks' ? 'target' : 'title')], spaces });
    await run('const kept = remove; notes(); remove("a"); await notes(); await kept("b"); await remove("c")', {
      scope,
    });
    await run('await kept("d"); await remove("e"); await tasks.remove("f")', { scope });
    const made = calls.filter(({ verb }) => verb !== 'go') as readonly CodeCall[];
    expect(made.map(({ arg, from, space }) => [arg, from, space])).toEqual([
      ['a', 'tasks', undefined],
      ['b', 'tasks', undefined],
      ['c', 'notes', undefined],
      ['d', 'tasks', undefined],
      ['e', 'notes', undefined],
      ['f', undefined, 'tasks'],
    ]);
  });
});
