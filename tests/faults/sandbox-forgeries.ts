/** Code that changes what the code around it might use, so that the calls it makes, or their answers, are others. */
export interface Forgery {
  readonly name: string;
  /** Runs as a block of its own, before `await read("a.ts")` in the next one. */
  readonly code: string;
}

const LIE = `() => 'forged'`;

export const FORGERIES: readonly Forgery[] = [
  { name: 'JSON.stringify', code: `JSON.stringify = () => '{"0":"forged"}'` },
  { name: 'JSON.parse', code: `JSON.parse = ${LIE}` },
  { name: 'JSON', code: `JSON = { stringify: () => '"forged"', parse: ${LIE} }` },
  { name: 'toJSON of texts', code: `String.prototype.toJSON = ${LIE}` },
  { name: 'toJSON of lists', code: `Array.prototype.toJSON = ${LIE}` },
  {
    name: 'then',
    code: `const { then } = Promise.prototype; Promise.prototype.then = function (ok, no) { return then.call(this, () => ok?.('forged'), no) }`,
  },
  { name: 'Promise', code: `Promise = class { constructor(run) { run(${LIE}, ${LIE}) } then(ok) { ok('forged') } }` },
  { name: 'Promise.resolve', code: `Promise.resolve = () => ({ then: (ok) => ok('forged') })` },
  {
    name: 'the species of promises',
    code: `Object.defineProperty(Promise, Symbol.species, { get: () => function (run) { run(${LIE}, ${LIE}); this.then = (ok) => ok('forged') } })`,
  },
  {
    name: 'the constructor of promises',
    code: `Promise.prototype.constructor = function (run) { run(${LIE}, ${LIE}) }`,
  },
  { name: 'the class of answers', code: `read('a').constructor.prototype.then = (ok) => ok('forged')` },
  {
    name: 'instanceof',
    code: `Object.defineProperty(Promise, Symbol.hasInstance, { value: () => true }); delete Promise[Symbol.hasInstance]; Object.defineProperty(Object, Symbol.hasInstance, { value: () => true })`,
  },
  { name: 'iteration of lists', code: `Array.prototype[Symbol.iterator] = function* () { yield 'forged' }` },
  {
    name: 'functions of lists',
    code: `for (const name of ['push', 'map', 'forEach', 'join', 'slice', 'shift', 'concat']) Array.prototype[name] = () => ['forged']`,
  },
  {
    name: 'functions of texts',
    code: `for (const name of ['slice', 'concat', 'toString', 'replace', 'split']) String.prototype[name] = ${LIE}`,
  },
  {
    name: 'functions of functions',
    code: `Function.prototype.call = Function.prototype.apply = ${LIE}; Function.prototype.bind = () => ${LIE}`,
  },
  { name: 'Reflect', code: `for (const name of ['apply', 'construct', 'get', 'ownKeys']) Reflect[name] = ${LIE}` },
  {
    name: 'Object',
    code: `for (const name of ['create', 'entries', 'keys', 'freeze', 'assign', 'fromEntries']) Object[name] = () => ({ 0: 'forged' })`,
  },
  { name: 'String', code: `String = Number = ${LIE}` },
  { name: 'maps', code: `for (const type of [Map, WeakMap]) type.prototype.get = () => ${LIE}` },
  { name: 'Error', code: `Error = TypeError = class { message = 'forged'; name = 'forged' }` },
  { name: 'the first of every list', code: `Object.defineProperty(Array.prototype, 0, { get: ${LIE}, set() {} })` },
  {
    name: 'fields of every object',
    code: `for (const name of ['callee', 'args', 'ok', 'text', 'id', 'form', 'promise', 'resolve', 'reject', 'settle']) Object.prototype[name] = ${LIE}`,
  },
  { name: 'the tool', code: `read = ${LIE}` },
  { name: 'the tool, declared', code: `function read() { return 'forged' }` },
  {
    name: 'the tool of the global object',
    code: `Object.defineProperty(globalThis, 'read', { get: () => ${LIE}, configurable: true })`,
  },
  { name: 'the name of the tool', code: `try { Object.defineProperty(read, 'name', { value: 'write' }) } catch {}` },
  {
    name: 'the parents of the tool',
    code: `try { Object.setPrototypeOf(read, { apply: ${LIE} }) } catch {}; Object.getPrototypeOf(Object.getPrototypeOf(read)).call = ${LIE}`,
  },
];

/**
 * The same in a block that is surrounded by code which looks its functions up when it needs them, for comparison.
 *
 * @returns code whose value is `forged` unless call and answer are what they should be
 */
export function inTrustingGlue({ code }: Forgery): string {
  return `(async () => {
    let asked;
    const ask = async (args) => { asked = args; return '"text of a.ts"' };
    globalThis.read = (...args) => ask(JSON.stringify(args)).then((text) => JSON.parse(text));
    try { (0, eval)(${JSON.stringify(code)}) } catch {}
    const output = await read('a.ts');
    return output === 'text of a.ts' && asked === '["a.ts"]' ? 'true' : 'forged';
  })()`;
}
