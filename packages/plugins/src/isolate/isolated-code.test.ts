// @module-tag long

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allowAll, asModelText, createAgent, type AgentEvent } from '@bae/core';
import { afterEach, describe, expect, it } from 'vitest';
import { IMPORTS, install, trustOf } from '../../test/sample-package.ts';
import { scratchFolder } from '../../test/scratch.ts';
import { placeMounts } from '../load/place-mounts.ts';
import { resolveMounts } from '../load/resolve-mounts.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** An agent with a package in a process of its own, and the same in that of bae for comparison. */
async function open(code: string, { options = {} }: { options?: Record<string, unknown> } = {}) {
  const from = scratchFolder();
  await install(from, { name: 'bae-resourcespace-box', code: `${IMPORTS}\n${code}` });
  const given = Object.keys(options).length > 0 ? { options } : {};
  const entries = [
    { use: 'box', isolate: 'process' as const, ...given },
    { use: 'box', as: 'plain', isolate: false as const, ...given },
  ];
  const trust = trustOf('trusted');
  const found = await resolveMounts({ entries, discover: false, disabled: [], from, builtIn: {}, trust });
  expect(found.problems).toEqual([]);
  const dataFolder = join(from, 'data');
  const spaces = placeMounts(found.mounts, [], { env: { TOKEN: 'a long secret' }, folder: from, dataFolder });
  const agent = createAgent({
    spaces,
    approver: allowAll,
    askPerson: () => Promise.resolve({ city: 'Rome' }),
  });
  closing.push(() => agent.close());
  const events: AgentEvent[] = [];
  agent.subscribe((event) => void events.push(event));
  const run = async (text: string): Promise<string> => {
    const { calls } = await agent.run(asModelText(text));
    return calls.map(({ result }) => result.text).join('\n');
  };
  return { agent, run, events, folder: join(dataFolder, 'bae-resourcespace-box') };
}

const BOX = `
import { writeFileSync } from 'node:fs';
import { spawn } from 'node:child_process';
const things = new Map([['a', 1]]);
class Client { #socket = 1; socket() { return this.#socket; } }
const ODD = {
  client: () => new Client(), inside: () => ({ list: [new Client()] }), promise: () => ({ later: Promise.resolve(1) }),
  weak: () => new WeakMap(), symbol: () => Symbol('x'), error: () => ({ failed: new RangeError('no room') }),
  buffer: () => new ArrayBuffer(3), bytes: () => ({ data: new Uint8Array(2) }), blob: () => ({ page: new Blob(['x']) }),
  loop: () => { const self = { rows: 1 }; self.self = self; return self; }, data: () => ({ text: 'x', errors: [{ line: 1 }], rest: 2 }),
  errors: () => ({ text: 'x', errors: [new RangeError('no room')] }), late: function* () { yield new Client(); },
};
export const options = z.strictObject({ token: z.string().optional().meta({ secret: true }) });
export const spaces = ({ token }, provided) => defineResourcespace({
  name: 'box', description: 'A place.', enter: () => things.size + ' things', status: () => ({ things: things.size }),
  search: (query) => [{ target: 'a', text: 'found ' + query }],
  contentOf: async (target) => things.has(target) ? 'content of ' + target : undefined,
  complete: async (typed) => [typed + 'b'],
  locate: async (name, near) => name === 'bolt' ? { target: 'a', isExact: true } : near ? { target: 'b', isExact: false } : undefined,
  isIdle: () => things.size === 1,
  children: () => ({ lid: defineResourcespace({ name: 'lid', description: 'The lid.', tools: { read: tool('It.', {}, () => 'lid') } }) }),
  tools: {
    read: tool('One.', { id: z.string().default('').describe('Name') }, ({ id }, { tag }) => id === '' ? things : { text: 'thing ' + id + ', see ' + tag('<R:b>'), rows: 1, whole: () => [id] }),
    add: tool('Sum.', { a: z.int().min(1), b: z.number().transform((n) => n * 2) }, ({ a, b }) => a + b, { effect: 'read' }),
    put: tool('Put.', { id: z.string() }, ({ id }) => ({ touches: [{ outside: 'box ' + id }], preview: () => '+ ' + id, apply: () => { things.set(id, 1); return 'put ' + id; } }), { plan: true }),
    ask: tool('Ask.', {}, async (_args, { ask, output, progress }) => { output('line\\n'); progress(1, 2, 'half'); return (await ask({ text: 'Where?', fields: { city: { type: 'string' } } })).city; }, { effect: 'read' }),
    shoot: tool('Picture.', {}, () => Buffer.from('89504e470102', 'hex'), { effect: 'read' }),
    turn: tool('Turned.', { id: z.string() }, ({ id }, { target }) => ({ touches: [], preview: () => '', apply: () => 'turned ' + id + ' by ' + target.handle }), { plan: true, target: ({ id }) => ({ path: id, handle: 'its handle' }) }),
    page: tool('A page.', {}, () => new Blob(['a page'], { type: 'text/html;charset=utf-8' }), { effect: 'read' }),
    pour: tool('Bytes.', {}, () => new Blob(['%PDF-', '1.7']).stream(), { effect: 'read' }),
    odd: tool('What is no data.', { what: z.string() }, ({ what }) => ODD[what](), { effect: 'read' }),
    say: tool('Pieces.', {}, async function* () { yield 'one\\n'; yield 'two\\n'; }, { effect: 'read' }),
    fail: tool('Fails.', {}, () => { throw Object.assign(new RangeError('no room'), {}); }, { effect: 'read' }),
    secret: tool('Secret.', {}, () => 'it is ' + token, { effect: 'read' }),
    looped: tool('Contains itself.', {}, () => { const all = { token }; all.all = all; return all; }, { effect: 'read' }),
    keep: tool('Keeps.', {}, () => { const f = provided.get(Symbol.for('bae.data-folder')); writeFileSync(f + '/x', 'kept'); return 'kept'; }, { effect: 'read' }),
    steal: tool('Steals.', {}, () => { writeFileSync('/tmp/bae-stolen-' + process.pid, 'x'); return 'stolen'; }, { effect: 'read' }),
    shell: tool('Runs.', {}, () => { spawn('ls'); return 'ran'; }, { effect: 'read' }),
    env: tool('Variables.', {}, () => Object.keys(process.env).join(' '), { effect: 'read' }),
  },
});`;

describe('a package in a process of its own', () => {
  it('does what it does in that of bae, over the same interface', async () => {
    const { run } = await open(BOX);
    const calls = [
      '@NAME()',
      '<R:>',
      '<R:a>',
      '<add:2 b=3>',
      '<add:0 b=x>',
      '<add:>',
      '<put:c>',
      '<R:>',
      '<fail:>',
      '<say:>',
      '<turn:c>',
      '<page:>',
      '<pour:>',
    ];
    const texts: Record<string, readonly string[]> = {};
    for (const name of ['box', 'plain']) {
      const all: string[] = [];
      for (const call of calls) {
        const text = await run(call.replace('NAME', name));
        all.push(
          text
            .replaceAll(name, 'NAME')
            .replaceAll(/result:\d+/g, 'result:N')
            .replace(/^Left \w+ -> e/, 'E')
            .replace(/^Tools: .*$/m, ''),
        );
      }
      texts[name] = all;
    }
    expect(texts['box']).toEqual(texts['plain']);
    expect(texts['box']![3]).toBe('8');
    expect(texts['box']![4]).toContain('ParameterError');
    expect(texts['box']![6]).toBe('put c');
    expect(texts['box']![8]).toContain('RangeError: no room');
    expect(texts['box']![10]).toBe('turned c by its handle');
    expect(texts['box']!.slice(11)).toEqual([
      '[file result:N: text/html, 1 line; read it: <R:result:N>]',
      '[file result:N: application/pdf, 8 bytes]',
    ]);
    expect(await run('@home()\n<box.R:a>')).toContain('thing a, see <box.R:b>');
    expect(await run('<box.lid.R:>')).toBe('lid');
  });

  it.each([{}, { token: { env: 'TOKEN' } }])(
    'returns what is no data with the same meaning, or as an error that names it, with the options %j',
    async (options) => {
      const { run } = await open(BOX, { options });
      const cases = {
        client: 'BOX.odd ran, and returned an object of the class Client without fields,',
        inside: 'an object of the class Client without fields in list.0,',
        promise: 'an object of the class Promise without fields in later,',
        weak: 'an object of the class WeakMap without fields,',
        symbol: 'a symbol,',
        error: '"name": "RangeError",\n    "message": "no room"',
        buffer: 'application/octet-stream, 3 bytes]',
        bytes: '2 bytes in the middle of data in data,',
        blob: 'an object of the class Blob without fields in page,',
        loop: '"self": "(circular)"',
        data: '"line": 1',
        errors: '- RangeError: no room',
        late: 'an object of the class Client without fields,',
      };
      for (const [what, part] of Object.entries(cases)) {
        const [text, plain] = [await run(`<box.odd:${what}>`), await run(`<plain.odd:${what}>`)];
        expect(text).toContain(part.replace('BOX', 'box'));
        // In both, results are numbered one after the other.
        const same = (shown: string) => shown.replaceAll(/plain|box/g, 'BOX').replace(/result:\d+/, 'result:N');
        expect(same(text)).toBe(same(plain));
      }
    },
  );

  it('knows what its addresses stand for, completes and finds them, and whether it can do anything', async () => {
    const { agent } = await open(BOX);
    for (const name of ['box', 'plain']) {
      const space = () => agent.tree.at([name])!;
      expect([await space().contentOf!('a'), await space().contentOf!('z')]).toEqual(['content of a', undefined]);
      expect(await space().complete!('a', 5)).toEqual(['ab']);
      expect(await space().locate!('bolt', false)).toEqual({ target: 'a', isExact: true });
      expect(await space().locate!('bold', true)).toEqual({ target: 'b', isExact: false });
      expect(await space().locate!('bold', false)).toBeUndefined();
      expect(await space().isIdle!()).toBe(true);
    }
  });

  it('asks, reports, returns bytes, and has its secrets hidden', async () => {
    const { run, events } = await open(BOX, { options: { token: { env: 'TOKEN' } } });
    expect(await run('<box.ask:>')).toBe('Rome');
    expect(events.filter(({ type }) => /call-(?:output|progress)/.test(type))).toMatchObject([
      { type: 'call-output', text: 'line\n' },
      { type: 'call-progress', done: 1, total: 2, text: 'half' },
    ]);
    expect(await run('<box.shoot:>')).toBe('[image result:1: image/png, 6 bytes]');
    for (const name of ['box', 'plain']) {
      expect(await run(`<${name}.secret:>`)).toBe('it is ‹masked secret›');
      expect(await run(`<${name}.looped:>`)).not.toContain('a long secret');
    }
    expect(await run('<box.env:>')).not.toContain('TOKEN');
  });

  it('writes to its data folder only, and starts no programs', async () => {
    const { run, folder } = await open(BOX);
    expect(await run('<box.keep:>')).toBe('kept');
    expect(readFileSync(join(folder, 'x'), 'utf8')).toBe('kept');
    expect(await run('<box.steal:>')).toMatch(/Access to this API has been restricted/);
    expect(await run('<box.shell:>')).toMatch(
      /Access to this API has been restricted.*unless the user sets "isolate": false\.$/,
    );
    expect(existsSync(folder)).toBe(true);
  });

  it('may end, hang, or write what it likes: that is the result of the call, and the next one starts it anew', async () => {
    const { run } = await open(`
      import { writeSync } from 'node:fs';
      const read = { effect: 'read' };
      export const space = defineResourcespace({ name: 'box', description: 'A place.', tools: {
        pid: tool('Its number.', {}, () => process.pid, read),
        exit: tool('Ends.', {}, () => process.exit(7), read),
        loop: tool('Loops.', {}, () => { for (;;); }, { effect: 'read', timeoutMs: 100 }),
        garbage: tool('Writes.', {}, () => { writeSync(3, 'garbage\\n'); return new Promise(() => undefined); }, read),
      } });`);
    const first = await run('<box.pid:>');
    expect(Number(first)).not.toBe(process.pid);
    expect(await run('<box.exit:>')).toBe(
      'PluginError: the process of bae-resourcespace-box exited unexpectedly (exit 7). The outcome of the call is unknown; the next one starts the process again.',
    );
    expect(await run('<box.garbage:>')).toContain('sent something over its pipe that is not a message');
    expect(await run('<box.loop:>')).toContain('TimeoutError');
    await expect.poll(() => run('<box.pid:>'), { timeout: 120_000 }).toMatch(/^\d+$/);
    expect(await run('<box.pid:>')).not.toBe(first);
  });
});
