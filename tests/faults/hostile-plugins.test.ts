import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { asModelText, createAgent, type Agent } from '@bae/core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { placeMounts, resolveMounts, writeManifest } from '@bae/plugins';

/** What a package does when it is called, and the result that the session gets. */
const HOSTILE: Readonly<Record<string, readonly [code: string, result: RegExp]>> = {
  exits: [
    'process.exit(7)',
    /PluginError: the process of \S+ exited unexpectedly \(exit 7\)\. The outcome of the call/,
  ],
  aborts: ['process.abort()', /exited unexpectedly \(SIG/],
  killsItself: [`process.kill(process.pid, 'SIGKILL'); return wait()`, /exited unexpectedly \(SIGKILL\)/],
  throwsLate: [
    `setTimeout(() => { throw new Error('late'); }); return wait()`,
    /exited unexpectedly \(exit 1\): Error: late/,
  ],
  loops: ['for (;;);', /TimeoutError/],
  loopsInPromises: ['const again = () => Promise.resolve().then(again); return again()', /TimeoutError/],
  waitsForEver: ['return wait()', /TimeoutError/],
  fillsTheHeap: ['const all = []; for (;;) all.push(new Array(1e5).fill({}).map(() => ({})))', /memory|TimeoutError/],
  fillsBuffers: [
    'const all = []; for (;;) { all.push(Buffer.alloc(4e7, 1)); await new Promise((r) => setTimeout(r, 20)); }',
    /took more than 512 MB of memory/,
  ],
  writesGarbage: [`writeSync(3, 'garbage\\n'); return wait()`, /sent something over its pipe that is not a message/],
  writesBytes: ['writeSync(3, Buffer.alloc(99, 255)); writeSync(3, Buffer.from([10])); return wait()', /not a message/],
  writesOtherJson: [`writeSync(3, '[]\\nnull\\n7\\n'); return wait()`, /not a message/],
  writesWithoutEnd: [`const much = 'x'.repeat(2 ** 20); for (;;) put(much)`, /not a message/],
  forgesResults: [
    `for (let id = 1e6; ; id++) put(JSON.stringify({ type: 'result', id, value: 'forged' }) + '\\n')`,
    /not a message/,
  ],
  floodsOutput: [
    `for (;;) { output('x'.repeat(999) + '\\n'); await new Promise((r) => setImmediate(r)); }`,
    /TimeoutError/,
  ],
  returnsTooMuch: [`return 'x'.repeat(70 * 2 ** 20)`, /not a message/],
  returnsPrototypes: [
    `return JSON.parse('{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}}')`,
    /polluted/,
  ],
  returnsTooDeep: ['let deep = []; for (let n = 0; n < 1e5; n++) deep = [deep]; return deep', /RangeError|PluginError/],
  returnsAThrower: [`return { toJSON() { throw new Error('no json'); } }`, /no json/],
  changesPrototypes: [
    `Object.prototype.toJSON = () => 'changed'; Array.prototype.map = Array.prototype.push = () => { throw new Error('x'); }; return { a: [1] }`,
    /exited unexpectedly \(exit 1\)/,
  ],
  patchesGlobals: [
    `JSON.stringify = () => '}'; JSON.parse = () => null; globalThis.Promise = undefined; globalThis.Map = undefined; return 'patched'`,
    /./,
  ],
  closesThePipe: ['closeSync(3); return wait()', /closed its pipe/],
  leavesThingsOpen: [
    `setInterval(() => {}, 10); createServer().listen(0); process.on('SIGTERM', () => {}); return 'open'`,
    /^open$/,
  ],
  rejectsWithoutEnd: [`for (let n = 0; n < 1000; n++) Promise.reject(new Error('x')); return 'rejected'`, /^rejected$/],
};

const CODE = `
import { defineResourcespace, tool } from ${JSON.stringify(import.meta.resolve('@bae/core'))};
import { writeSync, closeSync } from 'node:fs';
import { createServer } from 'node:net';
const wait = () => new Promise(() => undefined);
const put = (text) => { try { writeSync(3, text); } catch (error) { if (error.code !== 'EAGAIN') throw error; } };
const limit = { effect: 'read', timeoutMs: 120_000 };
const quick = { effect: 'read', timeoutMs: 300 };
export const space = defineResourcespace({ name: 'NAME', description: 'Hostile.', tools: {
  good: tool('Works.', {}, () => 'good', limit),
  bad: tool('Does not.', {}, async (_args, { output }) => { BODY }, QUICK),
} });`;

let agent: Agent;
/** Of all tests: the packages stay as they were when they were found. */
let from: string;

/** Writes a package into the project, with its manifest. */
async function install(name: string, code: string): Promise<void> {
  const folder = join(from, 'node_modules', name);
  mkdirSync(join(folder, 'dist'), { recursive: true });
  const bae = { api: '^1', spaces: './dist/index.js', manifest: './dist/bae.manifest.json' };
  const manifest = { name, version: '1.0.0', type: 'module', keywords: ['bae-resourcespace'], bae };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'dist/index.js'), code);
  await writeManifest(folder, []);
}

async function run(text: string): Promise<string> {
  const { calls } = await agent.run(asModelText(text));
  return calls.map(({ result }) => result.text).join('\n');
}

beforeAll(async () => {
  from = realpathSync(mkdtempSync(join(tmpdir(), 'bae-hostile-')));
  const names = Object.keys(HOSTILE);
  for (const name of names) {
    const [body, result] = HOSTILE[name]!;
    const limit = result.source === 'TimeoutError' ? 'quick' : 'limit';
    const code = CODE.replace('NAME', () => name)
      .replace('BODY', () => body)
      .replace('QUICK', limit);
    await install(`bae-resourcespace-${name.toLowerCase()}`, code);
  }
  const entries = names.map((name) => ({ use: name.toLowerCase(), isolate: 'process' as const }));
  const trust = {
    stateOf: () => 'trusted' as const,
    addWantedTo: <T>(subject: T) => subject,
    loadsOf: () => undefined,
    addLoads: () => undefined,
    addWanted: () => undefined,
  };
  const { mounts, problems } = await resolveMounts({
    entries,
    discover: false,
    disabled: [],
    from,
    builtIn: {},
    trust,
  });
  expect(problems).toEqual([]);
  agent = createAgent({ spaces: placeMounts(mounts, []) });
});
afterAll(async () => {
  await agent.close();
  rmSync(from, { recursive: true });
});

it.each(Object.keys(HOSTILE))('the session goes on with a package that %s', async (name) => {
  expect(await run(`<${name}.good:>`)).toBe('good');
  expect(await run(`<${name}.bad:>`)).toMatch(HOSTILE[name]![1]);
  // bae itself is as it was.
  expect(JSON.stringify({ a: [1].map((one) => one + 1) })).toBe('{"a":[2]}');
  expect(({} as { readonly polluted?: unknown }).polluted).toBeUndefined();
  expect(await run('@home()')).toContain('home');
  // A call that hangs is given a second to stop before its process is ended, and begun anew.
  await expect.poll(() => run(`<${name}.good:>`), { timeout: 120_000, interval: 250 }).toMatch(/^good$|^\(same as/);
});
