// oxlint-disable typescript/unbound-method -- all of them are called by way of `apply`

/** Built-in functions as they were before any code ran; code may replace its own, never these. */
export type Intrinsics = ReturnType<typeof captureIntrinsics>;

/** Takes hold of everything that the code around the model's code uses. Runs inside the sandbox, from its own text. */
export function captureIntrinsics() {
  const classes = { Promise, Error, TypeError, String, Map, WeakMap, WeakSet };
  const { apply, getOwnPropertyDescriptor, getPrototypeOf, setPrototypeOf, isExtensible, deleteProperty, ownKeys } =
    Reflect;
  const define = Reflect.defineProperty;
  // What code puts on the prototype of objects is no part of a descriptor.
  const defineProperty = (target: object, name: PropertyKey, descriptor: PropertyDescriptor): boolean =>
    setPrototypeOf(descriptor, null) && define(target, name, descriptor);
  const properties = { defineProperty, getOwnPropertyDescriptor, deleteProperty, ownKeys };
  const objects = { getPrototypeOf, isExtensible, create: Object.create, freeze: Object.freeze };
  const { has, set, delete: remove, clear, forEach: each } = Map.prototype;
  const size = getOwnPropertyDescriptor(Map.prototype, 'size')!.get as (this: Map<unknown, unknown>) => number;
  const { has: holds, add, delete: drop } = WeakSet.prototype;
  const global: Record<string, unknown> = globalThis;
  return {
    ...classes,
    ...properties,
    ...objects,
    apply,
    parse: JSON.parse,
    stringify: JSON.stringify,
    global,
    now: Date.now,
    isArray: Array.isArray,
    isView: ArrayBuffer.isView,
    promiseThen: Promise.prototype.then,
    promiseReject: Promise.reject,
    functionText: Function.prototype.toString,
    kindOf: Object.prototype.toString,
    maps: { has, set, remove, clear, each, size },
    sets: { has: holds, add, remove: drop },
    setEach: Set.prototype.forEach,
    dateText: Date.prototype.toISOString,
    regExpText: RegExp.prototype.toString,
    symbolText: Symbol.prototype.toString,
    weakGet: WeakMap.prototype.get,
    weakSet: WeakMap.prototype.set,
    texts: new WeakMap<object, string>(),
  };
}
