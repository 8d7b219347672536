/** Code that would take for ever, or everything there is. `waits` is a tool that never answers. */
export interface Bomb {
  readonly name: string;
  readonly code: string;
  /** True when it takes nothing but time, so that one can also watch it where nothing ends it. */
  readonly takesTime?: true;
}

const HUGE = '{ length: 2 ** 53 - 1 }';

/** Loops, promises, expressions, strings, arrays, recursion, floods. */
export const BOMBS: readonly Bomb[] = [
  { name: 'an endless loop', takesTime: true, code: 'while (true);' },
  {
    name: 'an endless loop that catches everything',
    takesTime: true,
    code: 'for (;;) { try { for (;;); } catch {} finally { continue } }',
  },
  {
    name: 'a loop of microtasks',
    takesTime: true,
    code: 'const next = () => Promise.resolve().then(next); await next()',
  },
  { name: 'an async loop', takesTime: true, code: 'while (true) await null' },
  {
    name: 'an async loop that nobody waits for',
    takesTime: true,
    code: '(async () => { while (true) await null })(); 1',
  },
  {
    name: 'promises that double',
    code: 'const two = () => { Promise.resolve().then(two); Promise.resolve().then(two) }; two(); await new Promise(() => {})',
  },
  {
    name: 'an async generator without end',
    takesTime: true,
    code: 'async function* all() { while (true) yield 1 }\nfor await (const one of all());',
  },
  { name: 'a generator without end', code: 'function* all() { while (true) yield 1 }\n[...all()]' },
  { name: 'an expression that backtracks', takesTime: true, code: '/^(a+)+$/.test("a".repeat(40) + "!")' },
  {
    name: 'an expression over a long text',
    takesTime: true,
    code: 'const long = "a".repeat(200_000); for (;;) /(.*)(.*)(.*)(.*)[^a]$/.test(long)',
  },
  { name: 'a text that doubles', code: 'let text = "x"; while (true) text += text' },
  {
    name: 'texts that are kept',
    code: 'const all = []; for (let i = 0; ; i++) all.push(String(i).padStart(1000, "."))',
  },
  { name: 'an array that grows', code: 'const all = []; while (true) all.push(all.length)' },
  { name: 'arrays in arrays', code: 'let all = [1]; while (true) all = [...all, ...all]' },
  { name: 'objects that are kept', code: 'let all = {}; while (true) all = { all, other: [all] }' },
  { name: 'typed arrays', code: 'const all = []; while (true) all.push(new Float64Array(100_000).fill(1))' },
  { name: 'a typed array of everything', code: 'new Uint8Array(2 ** 32 - 1).fill(1)' },
  {
    name: 'memory that is caught and taken again',
    code: 'const all = []; while (true) { try { all.push(new Uint8Array(1e6)) } catch {} }',
  },
  { name: 'a map without end', code: 'const all = new Map(); for (let i = 0; ; i++) all.set(i, { i })' },
  { name: 'recursion', code: 'const down = () => down(); down()' },
  {
    name: 'recursion that is caught and begun again',
    takesTime: true,
    code: 'const down = () => { try { down() } finally { down() } }; down()',
  },
  {
    name: 'recursion through JSON',
    takesTime: true,
    code: 'const deep = () => JSON.stringify({ toJSON: deep }); while (true) try { deep() } catch {}',
  },
  {
    name: 'recursion through a proxy',
    takesTime: true,
    code: 'const p = new Proxy({}, { get: (t, k, r) => r[k] }); while (true) try { p.x } catch {}',
  },
  { name: 'code that is nested deeply', code: `${'['.repeat(50_000)}${']'.repeat(50_000)}` },
  {
    name: 'code that nests itself',
    takesTime: true,
    code: 'while (true) try { eval("(".repeat(1e5) + ")".repeat(1e5)) } catch {}',
  },
  { name: 'a flood of output', code: 'while (true) console.log("x".repeat(1000))' },
  { name: 'a flood of small output', code: 'while (true) console.log()' },
  { name: 'a value that is endless to show', takesTime: true, code: '({ get endless() { while (true); } }).endless' },
  { name: 'a value whose looks are code', code: 'new Proxy({}, { ownKeys() { while (true); } })' },
  { name: 'a flood of calls', code: 'while (true) try { read("a") } catch {}' },
  {
    name: 'a flood of calls, one after the other',
    takesTime: true,
    code: 'while (true) await read("a").catch(() => 0)',
  },
  {
    name: 'thousands of calls without an answer',
    takesTime: true,
    code: 'await Promise.all(Array.from({ length: 9000 }, () => waits()))',
  },
  { name: 'a call without an answer', takesTime: true, code: 'await waits()' },
  { name: 'calls without an answer that nobody waits for', code: 'for (let i = 0; i < 100; i++) waits(); 1' },
  { name: 'a loop beside a call without an answer', code: 'waits(); while (true) await null' },
  {
    name: 'arguments that are large',
    code: 'const large = "x".repeat(900_000); while (true) try { read(large) } catch {}',
  },
  { name: 'arguments that are written without end', takesTime: true, code: 'read({ toJSON() { while (true); } })' },
  { name: 'a search in what has no end', takesTime: true, code: `[].indexOf.call(${HUGE}, 1)` },
  { name: 'a search from the end', takesTime: true, code: `[].lastIndexOf.call(${HUGE}, 1)` },
  { name: 'a turn of what has no end', takesTime: true, code: `[].reverse.call(${HUGE})` },
  { name: 'a removal from what has no end', takesTime: true, code: `[].shift.call(${HUGE})` },
  { name: 'a power', code: '7n ** 3_000_000n' },
  { name: 'digits of a power', code: 'String(1n << 20_000_000n)' },
  { name: 'a factorial', takesTime: true, code: 'let n = 1n; for (let i = 1n; ; i++) n *= n + i' },
  {
    name: 'a sort',
    code: 'const l = new Float64Array(6e6); for (let i = 0; i < 6e6; i += 7) l[i] = 6e6 - i; for (;;) l.sort()',
  },
  { name: 'a text repeated', takesTime: true, code: 'for (;;) "x".repeat(2e7).toUpperCase().toLowerCase()' },
  { name: 'a text padded', code: 'for (;;) "".padStart(2e7, "ab").split("a").join("")' },
  { name: 'a text made normal', code: 'for (;;) "\\u1e9b\\u0323".repeat(2e6).normalize("NFKD")' },
];
