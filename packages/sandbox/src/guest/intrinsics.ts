// oxlint-disable typescript/unbound-method -- all of them are called through `apply`

/** Functions of the host inside the engine. They take and return numbers and JSON text. */
export interface HostFunctions {
  /** @param json the text, as JSON */
  readonly print: (json: string) => void;
  /** Requests a call. Returns its number; throws if there are too many calls. */
  readonly requestCall: (callee: number, args: string) => number;
  /** Formats values for a locale. Takes a request and returns an answer, both as JSON. */
  readonly formatInLocale: (json: string) => string;
  /** Returns the status of a promise, which only the engine knows; undefined for other values. */
  readonly promiseStatus: (value: object) => PromiseStatus | undefined;
}

export interface PromiseStatus {
  readonly state: 'pending' | 'fulfilled' | 'rejected';
  readonly value?: unknown;
}

/** Built-in functions as they were before any code ran: code may replace its own, but never these. */
export type Intrinsics = ReturnType<typeof captureIntrinsics>;

/**
 * Captures every built-in that is used by the code around the model's code. Runs inside the engine, from its source
 * text.
 */
export function captureIntrinsics() {
  const classes = { Promise, Error, TypeError, RangeError, String, Map, WeakMap, WeakSet };
  const { apply, getOwnPropertyDescriptor, getPrototypeOf, setPrototypeOf, isExtensible, deleteProperty, ownKeys } =
    Reflect;
  const define = Reflect.defineProperty;
  // Code may add properties to `Object.prototype`; they must not become part of a descriptor.
  const defineProperty = (target: object, name: PropertyKey, descriptor: PropertyDescriptor): boolean =>
    setPrototypeOf(descriptor, null) && define(target, name, descriptor);
  const properties = { defineProperty, getOwnPropertyDescriptor, deleteProperty, ownKeys };
  const objects = { getPrototypeOf, isExtensible, create: Object.create, freeze: Object.freeze };
  const { has, set, delete: remove, clear, forEach: each } = Map.prototype;
  const size = getOwnPropertyDescriptor(Map.prototype, 'size')!.get as (this: Map<unknown, unknown>) => number;
  const { has: holds, add, delete: drop } = WeakSet.prototype;
  const global: Record<string, unknown> = globalThis;
  const locale = {
    numbers: Number.prototype,
    bigInts: BigInt.prototype,
    dates: Date.prototype,
    texts: String.prototype,
    arrays: Array.prototype,
    numberValue: Number.prototype.valueOf,
    bigIntValue: BigInt.prototype.valueOf,
    dateTime: Date.prototype.getTime,
    toNumber: Number,
    isFinite: Number.isFinite,
  };
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
    locale,
    isView: ArrayBuffer.isView,
    promiseThen: Promise.prototype.then,
    promiseReject: Promise.reject,
    withResolvers: Promise.withResolvers,
    functionText: Function.prototype.toString,
    kindOf: Object.prototype.toString,
    maps: { has, set, remove, clear, each, size },
    sets: { has: holds, add, remove: drop },
    setEach: Set.prototype.forEach,
    dateText: Date.prototype.toISOString,
    regExpText: RegExp.prototype.toString,
    regExpExec: RegExp.prototype.exec,
    symbolText: Symbol.prototype.toString,
    textSlice: String.prototype.slice,
    weakGet: WeakMap.prototype.get,
    weakSet: WeakMap.prototype.set,
    signatures: new WeakMap<object, string>(),
  };
}
