/** Code that tries to reach its host, as the body of an async function that returns what it has reached. */
export interface Escape {
  readonly name: string;
  readonly code: string;
}

const KEEP = 'const got = []; ';
/** Replaces functions by ones that keep what they are called with, calls a tool, and puts them back. */
const listening = (owner: string, ...names: string[]): string => `${KEEP}
  const owner = ${owner}, names = ${JSON.stringify(names)}, before = names.map((name) => owner[name]);
  for (const [at, name] of names.entries()) owner[name] = function (...args) {
    got[got.length] = this; for (let i = 0; i < args.length; i++) got[got.length] = args[i];
    return before[at].apply(this, args);
  };
  try { await read('data'); await read('a') } finally { for (const [at, name] of names.entries()) owner[name] = before[at] }
  return got`;
/** Waits with setters on a prototype for somebody to write to what it is the prototype of. */
const lurking = (owner: string, names: string): string => `${KEEP}
  const names = ${names};
  const trap = Object.assign(Object.create(null), { configurable: true, set(value) { got[got.length] = [this, value] } });
  for (const name of names) Object.defineProperty(${owner}, name, trap);
  try { await read('data'); await read('missing').catch(() => 0) } finally { for (const name of names) delete ${owner}[name] }
  return got`;

const GLOBALS: readonly Escape[] = [
  { name: 'the global object', code: 'return globalThis' },
  { name: 'this', code: 'return (function () { return this })()' },
  { name: 'indirect eval', code: 'return (0, eval)("this")' },
  { name: 'direct eval', code: 'return eval("globalThis")' },
  { name: 'Function', code: 'return Function("return this")()' },
  { name: 'the async function constructor', code: 'return (async () => {}).constructor("return globalThis")()' },
  {
    name: 'the generator constructor',
    code: 'return (function* () {}).constructor("yield globalThis")().next().value',
  },
  {
    name: 'the async generator constructor',
    code: 'return (await (async function* () {}).constructor("yield globalThis")().next()).value',
  },
  { name: 'the prototype of the global object', code: 'return Object.getPrototypeOf(globalThis)' },
  {
    name: 'symbols of the global object',
    code: 'return Object.getOwnPropertySymbols(globalThis).map((key) => globalThis[key])',
  },
  { name: 'process', code: 'return process' },
  { name: 'require', code: 'return require("node:fs")' },
  { name: 'module', code: 'return module.constructor' },
  { name: 'fetch', code: 'return fetch' },
  { name: 'a timer with text', code: 'return setTimeout("globalThis")' },
  {
    name: 'modules of the engine',
    code: 'return [typeof std, typeof os, typeof bjson, typeof scriptArgs].filter((type) => type !== "undefined")[0].constructor',
  },
  { name: 'a realm of its own', code: 'return new ShadowRealm().evaluate("globalThis")' },
  {
    name: 'the port of the thread',
    code: 'return [globalThis.parentPort, globalThis.postMessage, globalThis.onmessage].find(Boolean)',
  },
  { name: 'import of a built-in module', code: 'return import("node:fs")' },
  { name: 'import of a file', code: 'return import("file:///etc/passwd")' },
  { name: 'import of data', code: 'return import("data:text/javascript,export default globalThis")' },
  { name: 'import in eval', code: 'return eval("import(\'node:process\')")' },
  { name: 'import.meta', code: 'return Function("return import.meta")()' },
  { name: 'shared memory', code: 'return new SharedArrayBuffer(8).constructor' },
  { name: 'memory of the engine', code: 'return new Uint8Array(64).buffer.constructor' },
  {
    name: 'finalization',
    code: `${KEEP} new FinalizationRegistry(function () { got.push(this) }).register({}, 1); return got`,
  },
];

const PASSED_IN: readonly Escape[] = [
  { name: 'the constructor of a tool', code: 'return read.constructor("return globalThis")()' },
  { name: 'the constructor of its constructor', code: 'return read.constructor.constructor' },
  { name: 'the constructor of a place', code: 'return source.constructor' },
  { name: 'the constructor of a tool of a place', code: 'return source.tests.run.constructor' },
  { name: 'the constructor of a move', code: 'return nav.constructor' },
  { name: 'the constructor of console', code: 'return console.constructor.constructor' },
  { name: 'the constructor of a function of console', code: 'return console.log.constructor' },
  { name: 'everything on a tool', code: 'return Reflect.ownKeys(read).map((key) => read[key])' },
  {
    name: 'the prototypes of a tool',
    code: `${KEEP} for (let one = read; one; one = Object.getPrototypeOf(one)) got.push(one); return got`,
  },
  { name: 'a tool as a constructor', code: 'return new read("a")' },
  { name: 'a tool constructed as something else', code: 'return Reflect.construct(Object, [], read)' },
  { name: 'a tool with a strange this', code: 'return read.call(new Proxy({}, {}), "a").constructor' },
  { name: 'a tool as a template tag', code: 'return read`a`.constructor' },
  { name: 'a tool in a with statement', code: 'return Function("read", "with (read) { return constructor }")(read)' },
  {
    name: 'the text of a tool',
    code: 'return [read, nav, console.log].map((one) => Function.prototype.toString.call(one))',
  },
  { name: 'the promise of a call', code: 'return read("a").constructor' },
  {
    name: 'the promise of a call, once answered',
    code: 'const call = read("a"); await call; return call.constructor.constructor',
  },
  {
    name: 'everything on the promise of a call',
    code: 'const call = read("a"); return Reflect.ownKeys(call).map((key) => call[key])',
  },
  {
    name: 'the class of promises, with other parents',
    code: `${KEEP} const Answer = read("a").constructor; class Evil extends Promise { constructor(run) { super((...both) => { got.push(...both); run(...both) }) } }
    try { Object.setPrototypeOf(Answer, Evil); Answer.prototype.constructor = Evil } catch {} await read("a"); return got`,
  },
  {
    name: 'the species of the promise of a call',
    code: `${KEEP} const call = read("a"); try { call.constructor = { [Symbol.species]: function (run) { got.push(run); return new Promise(run) } } } catch {} await call.then(() => 1); return got`,
  },
  { name: 'an answer that is text', code: 'return (await read("a")).constructor.constructor' },
  { name: 'an answer that is data', code: 'return (await read("data")).constructor' },
  { name: 'a list in an answer', code: 'return (await read("data")).rows.constructor' },
  {
    name: 'the species of a list in an answer',
    code: `${KEEP} const { rows } = await read("data"); rows.constructor = { [Symbol.species]: function () { got.push(new.target, this); return [] } }; rows.map(String); return got`,
  },
  { name: 'an error of a tool', code: 'return read("missing").catch((error) => error.constructor.constructor)' },
  {
    name: 'the prototypes of an error of a tool',
    code: `${KEEP} await read("missing").catch((error) => { for (let one = error; one; one = Object.getPrototypeOf(one)) got.push(one) }); return got`,
  },
  {
    name: 'everything on an error of a tool',
    code: 'return read("missing").catch((error) => Reflect.ownKeys(error).map((key) => error[key]))',
  },
  { name: 'the stack of an error of a tool', code: 'return read("missing").catch((error) => error.stack)' },
  {
    name: 'an error about an argument',
    code: 'return read(() => 1).catch((error) => [error.constructor, error.stack])',
  },
  {
    name: 'an error of too large a call',
    code: 'return read("x".repeat(1_100_000)).catch((error) => [error.constructor, error.stack])',
  },
];

const LISTENERS: readonly Escape[] = [
  {
    name: 'a proxy as an argument',
    code: `${KEEP} const trap = new Proxy({}, { get: (_, name) => (...all) => { got.push(name, ...all) } }); await read(new Proxy({ a: 1 }, trap)).catch((error) => got.push(error)); return got`,
  },
  {
    name: 'toJSON of an argument',
    code: `${KEEP} await read({ toJSON(...all) { got.push(this, ...all); return 'x' } }); return got`,
  },
  {
    name: 'a getter of an argument',
    code: `${KEEP} await read({ get target() { got.push(this, new Error().stack); return 'x' } }); return got`,
  },
  {
    name: 'the caller of toJSON',
    code: `${KEEP} await read({ toJSON: Function('got', 'return function spy() { got.push(spy.caller, arguments.callee.caller); return "x" }')(got) }).catch((error) => got.push(error)); return got`,
  },
  {
    name: 'an argument that is a function',
    code: `${KEEP} await read({ target: (...all) => got.push(...all) }); return got`,
  },
  {
    name: 'an argument that is iterated',
    code: `${KEEP} await read({ *[Symbol.iterator]() { got.push(this) }, get length() { got.push(this); return 1 } }); return got`,
  },
  {
    name: 'an argument that becomes text',
    code: `${KEEP} await read({ [Symbol.toPrimitive](...all) { got.push(this, ...all); return 'x' }, toString() { got.push(this); return 'x' } }); return got`,
  },
  {
    name: 'a value that is inspected',
    code: `${KEEP} console.log({ [Symbol.for('nodejs.util.inspect.custom')](...all) { got.push(...all); return '' } }); return got`,
  },
  {
    name: 'a value that is inspected through a proxy',
    code: `${KEEP} const trap = new Proxy({}, { get: (_, name) => (...all) => { got.push(...all); return Reflect[name](...all) } }); console.log(new Proxy({ a: 1 }, trap)); return got`,
  },
  {
    name: 'a value with a tag that is asked for',
    code: `${KEEP} console.log({ get [Symbol.toStringTag]() { got.push(this, new Error().stack); return 'x' } }); return got`,
  },
  {
    name: 'a thenable as an answer',
    code: `${KEEP} Object.defineProperty(Object.prototype, 'then', { configurable: true, get() { got[got.length] = this } }); try { await read('data') } finally { delete Object.prototype.then } return got`,
  },
  { name: 'then', code: listening('Promise.prototype', 'then', 'catch', 'finally') },
  {
    name: 'Promise',
    code: `${KEEP} const Before = Promise; globalThis.Promise = class extends Before { constructor(run) { got.push(run); super(run) } }; try { await read('a') } finally { globalThis.Promise = Before } return got`,
  },
  { name: 'JSON', code: listening('JSON', 'parse', 'stringify') },
  { name: 'Reflect', code: listening('Reflect', 'apply', 'ownKeys', 'defineProperty', 'getPrototypeOf', 'construct') },
  {
    name: 'functions of functions',
    code: `${KEEP} const { apply } = Reflect; const before = Function.prototype.call; Function.prototype.call = function (...all) { got.push(this, ...all); return apply(this, all[0], all.slice(1)) }; try { await read('data') } finally { Function.prototype.call = before } return got`,
  },
  {
    name: 'functions of lists',
    code: listening('Array.prototype', 'push', 'shift', 'map', 'forEach', 'join', 'slice', 'concat', 'flatMap'),
  },
  {
    name: 'functions of texts',
    code: listening('String.prototype', 'split', 'slice', 'replace', 'startsWith', 'trim'),
  },
  { name: 'functions of maps', code: listening('Map.prototype', 'get', 'set', 'has', 'delete', 'forEach') },
  { name: 'functions of weak maps', code: listening('WeakMap.prototype', 'get', 'set', 'has') },
  { name: 'functions of expressions', code: listening('RegExp.prototype', 'exec', 'test') },
  {
    name: 'functions of objects',
    code: listening('Object', 'create', 'freeze', 'entries', 'defineProperty', 'assign', 'keys'),
  },
  {
    name: 'iteration',
    code: `${KEEP} const before = Array.prototype[Symbol.iterator]; Array.prototype[Symbol.iterator] = function () { got[got.length] = this; return before.apply(this) }; try { await read('data') } finally { Array.prototype[Symbol.iterator] = before } return got`,
  },
  {
    name: 'instanceof',
    code: `${KEEP} Object.defineProperty(Promise, Symbol.hasInstance, { configurable: true, value(one) { got.push(this, one); return false } }); try { await read('a') } finally { delete Promise[Symbol.hasInstance] } return got`,
  },
  {
    name: 'Error',
    code: `${KEEP} const Before = Error; globalThis.Error = class extends Before { constructor(...all) { super(...all); got.push(this, ...all) } }; try { await read('missing').catch((error) => got.push(error)) } finally { globalThis.Error = Before } return got`,
  },
  {
    name: 'setters of objects',
    code: lurking(
      'Object.prototype',
      "['ok', 'text', 'id', 'form', 'value', 'state', 'settle', 'call', 'callee', 'args', 'message', 'promise', 'resolve', 'reject', 'print', 'requestCall', 'promiseStatus', 'count', 'line', 'block']",
    ),
  },
  { name: 'setters of lists', code: lurking('Array.prototype', "['0', '1', '2']") },
  { name: 'setters of promises', code: lurking('Promise.prototype', "['promise', 'value']") },
];

const ERROR_HOOKS: readonly Escape[] = [
  {
    name: 'frames of a stack',
    code: 'Error.prepareStackTrace = (_, frames) => frames; try { const frames = new Error().stack; return typeof frames === "string" ? frames : frames.flatMap((frame) => [frame, frame.getThis?.(), frame.getFunction?.()]) } finally { delete Error.prepareStackTrace }',
  },
  {
    name: 'frames of a stack in a tool',
    code: `${KEEP} Error.prepareStackTrace = (_, frames) => { got.push(_, ...frames); return '' }; try { await read(() => 1).catch((error) => got.push(error.stack)); await read('missing').catch((error) => got.push(error.stack)) } finally { delete Error.prepareStackTrace } return got`,
  },
  { name: 'a captured stack', code: 'const at = {}; Error.captureStackTrace(at); return [at.stack, at]' },
  { name: 'a long stack', code: 'Error.stackTraceLimit = Infinity; return new Error().stack' },
  {
    name: 'an overflow',
    code: 'let first; const down = () => { try { down() } catch (error) { first ??= error } }; down(); return [first, first.stack.slice(0, 500)]',
  },
  {
    name: 'an overflow in console',
    code: `${KEEP} const down = () => { try { console.log('x'); down() } catch (error) { got.push(error) } }; down(); return got.slice(0, 3)`,
  },
  {
    name: 'an overflow in a tool',
    code: `${KEEP} const down = () => { try { read({}).catch((error) => got.push(error)); down() } catch (error) { got.push(error) } }; down(); return got.slice(0, 3)`,
  },
  { name: 'a callee', code: 'return Function("return arguments.callee.caller")()' },
  {
    name: 'an error without memory',
    code: 'try { return new Uint8Array(1e12) } catch (error) { return [error, error.stack] }',
  },
];

/** Everything that can be reached by way of properties and prototypes, without calling anything. */
const EVERYTHING: Escape = {
  name: 'everything that can be reached',
  code: `
    const seen = new Set([globalThis, read, source, nav, console, read('a'), await read('data')]);
    for (const one of seen) {
      if (seen.size > 50_000) break;
      const more = [Object.getPrototypeOf(one)];
      for (const key of Reflect.ownKeys(one)) {
        const { value, get, set } = Object.getOwnPropertyDescriptor(one, key) ?? {};
        more.push(value, get, set);
      }
      for (const value of more) if ((typeof value === 'object' && value !== null) || typeof value === 'function') seen.add(value);
    }
    return [...new Set([...seen].map((one) => { try { return one.constructor.constructor } catch {} }))]`,
};

export const ESCAPES: readonly Escape[] = [...GLOBALS, ...PASSED_IN, ...LISTENERS, ...ERROR_HOOKS, EVERYTHING];

/** Names that no engine has, only its hosts. */
const HOST_NAMES =
  'process require Buffer fetch setTimeout setImmediate XMLHttpRequest module __filename Deno Bun window ' +
  'document navigator std os bjson scriptArgs parentPort workerData internalBinding MessageChannel';

/**
 * Code that runs an attempt, then looks whether what it has reached leads to a host: it is a host's object, makes
 * functions in a host's realm, or names a file of the host.
 *
 * Its value is `nothing`, or what was found.
 */
export function withVerdict({ code }: Escape): string {
  return `await (async () => {
    const reached = await (async () => { ${code} })().catch((error) => error);
    const host = ${JSON.stringify(HOST_NAMES.split(' '))};
    const attempt = (work) => { try { return work() } catch { return undefined } };
    const isGlobal = (one) => one !== null && typeof one === 'object' && attempt(() => host.find((name) => name in one && one[name] !== undefined));
    const makes = (maker) => attempt(() => maker('return globalThis')());
    const look = (one, depth) => {
      if (typeof one === 'string') return /node:|file:|node_modules|\\/(?:home|work|root|tmp|usr)\\/|[cm]?[jt]s:\\d/.exec(one)?.[0];
      if ((typeof one !== 'object' && typeof one !== 'function') || one === null) return undefined;
      const chain = [one, attempt(() => one.constructor), attempt(() => one.constructor.constructor)];
      for (const link of chain) {
        const found = isGlobal(link) || (typeof link === 'function' && isGlobal(makes(link)));
        if (found) return found;
      }
      if (depth > 0 && attempt(() => Array.isArray(one))) for (const part of Array.from(one)) { const found = look(part, depth - 1); if (found) return found }
      return undefined;
    };
    return look(reached, 2) ?? 'nothing';
  })()`;
}
