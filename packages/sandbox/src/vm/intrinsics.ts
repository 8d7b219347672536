// oxlint-disable typescript/unbound-method -- all of them are called by way of `apply`

/** Built-in functions as they were before any code ran; code may replace its own, never these. */
export type Intrinsics = ReturnType<typeof captureIntrinsics>;

/** Takes hold of everything that the code around the model's code uses. Runs inside the sandbox, from its own text. */
export function captureIntrinsics() {
  const { apply, defineProperty, getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = Reflect;
  const { create, freeze } = Object;
  const { parse, stringify } = JSON;
  const global: Record<string, unknown> = globalThis;
  return {
    apply,
    defineProperty,
    getOwnPropertyDescriptor,
    getPrototypeOf,
    ownKeys,
    create,
    freeze,
    parse,
    stringify,
    global,
    Promise,
    Error,
    TypeError,
    String,
    species: Symbol.species,
    isArray: Array.isArray,
    isView: ArrayBuffer.isView,
    promiseThen: Promise.prototype.then,
    kindOf: Object.prototype.toString,
    mapEach: Map.prototype.forEach,
    setEach: Set.prototype.forEach,
    dateText: Date.prototype.toISOString,
    regExpText: RegExp.prototype.toString,
    symbolText: Symbol.prototype.toString,
    getText: WeakMap.prototype.get,
    setText: WeakMap.prototype.set,
    texts: new WeakMap<object, string>(),
  };
}
