// oxlint-disable unicorn/consistent-function-scoping -- all of it runs from one source text
import type { HostFunctions, Intrinsics, PromiseStatus } from './intrinsics.ts';

/** Parts of a value, in one line and with a line for each. */
interface Parts {
  count: number;
  line: string;
  block: string;
}

export type ErrorField = 'name' | 'message' | 'stack';

type Inspector = ReturnType<typeof createInspector>;

/**
 * Formats values as a shell would, without running their code, and errors. Runs inside the engine, from its source
 * text.
 */
export function createInspector(own: Intrinsics, promiseStatus: HostFunctions['promiseStatus']) {
  const { apply, defineProperty, getOwnPropertyDescriptor, getPrototypeOf, isArray, isView, kindOf, ownKeys } = own;
  const {
    dateText,
    maps,
    regExpExec,
    regExpText,
    setEach,
    signatures,
    String: toText,
    stringify,
    symbolText,
    textSlice,
    weakGet,
  } = own;
  /** Number of values that may still be formatted, and the values that contain the current one. */
  let left = 0;
  let outer: object[] = [];

  /** Formats a value: a text unchanged, any other value as it would be written in code. */
  function format(value: unknown): string {
    if (typeof value === 'string') return value;
    left = 2000;
    outer = [];
    return formatNested(value);
  }

  /**
   * Returns the name, the message or the stack of an error as JSON. The message of a value that is not an error is the
   * value; that of an error without a message is the list of its errors, if it has any.
   */
  function formatError(error: unknown, field: ErrorField): string {
    // Encoded outside the `try`: if there is no room for the JSON, the message must not become empty.
    const text = readErrorField(error, field);
    if (text !== '' || field !== 'message') return stringify(text);
    return stringify(formatInnerErrors(error));
  }

  function readErrorField(error: unknown, field: ErrorField): string {
    try {
      const value: unknown = typeof error === 'object' && error !== null ? (error as Error)[field] : undefined;
      if (typeof value === 'string') return value;
      return field === 'message' ? format(error) : field === 'name' ? 'Error' : '';
    } catch {
      return '';
    }
  }

  function formatInnerErrors(error: unknown): string {
    try {
      const errors: unknown = getOwnPropertyDescriptor(error as object, 'errors')?.value;
      return isArray(errors) ? format(errors) : '';
    } catch {
      return '';
    }
  }

  function formatNested(value: unknown): string {
    if (typeof value === 'string') return quote(value);
    if (typeof value === 'bigint') return toText(value) + 'n';
    if (typeof value === 'symbol') return apply(symbolText, value, []);
    if (value === 0) return 1 / (value as number) < 0 ? '-0' : '0';
    if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return toText(value);
    for (let index = 0; index < outer.length; index++) if (outer[index] === value) return '[circular]';
    if (left-- <= 0) return '…';
    const depth = outer.length;
    defineProperty(outer, depth, { value, writable: true, configurable: true });
    try {
      return formatObject(value, depth);
    } catch {
      return '[unreadable]';
    } finally {
      outer.length = depth;
    }
  }

  function formatObject(value: object, depth: number): string {
    const signature = apply(weakGet, signatures, [value]) as string | undefined;
    if (signature !== undefined) return signature;
    const status = promiseStatus(value);
    if (status !== undefined) return formatPromise(status);
    const kind = apply(kindOf, value, []);
    if (typeof value === 'function') return formatFunction(value);
    if (kind === '[object Error]') return formatErrorObject(value as Error);
    if (kind === '[object Date]') return formatDate(value);
    if (kind === '[object RegExp]') return apply(regExpText, value, []);
    if (depth > 4) return isArray(value) ? '[array]' : '[object]';
    if (isArray(value) || isView(value)) return formatList(value as ArrayLike<unknown>);
    if (kind === '[object Map]' || kind === '[object Set]') return formatCollection(value, kind);
    return formatRecord(value);
  }

  function formatPromise({ state, value }: PromiseStatus): string {
    if (state === 'pending') return 'Promise { <pending> }';
    const text = formatNested(value);
    // A result that nobody awaited is not read, either: what matters is that it is a promise.
    const shown = text.length > 80 ? apply(textSlice, text, [0, 80]) + '…' : text;
    return 'Promise { ' + (state === 'rejected' ? '<rejected> ' : '') + shown + ' }';
  }

  function formatFunction(value: object): string {
    const name = readData(value, 'name');
    const isClass = getOwnPropertyDescriptor(value, 'prototype')?.writable === false;
    return '[' + (isClass ? 'class' : 'function') + (typeof name === 'string' && name !== '' ? ' ' + name : '') + ']';
  }

  function formatErrorObject(value: Error): string {
    const name = readData(value, 'name') ?? findClassName(value);
    return '[' + toText(name) + ': ' + toText(readData(value, 'message') ?? '') + ']';
  }

  function formatDate(value: object): string {
    try {
      return apply(dateText, value as Date, []);
    } catch {
      return 'Invalid Date';
    }
  }

  function formatList(value: ArrayLike<unknown>): string {
    const parts = { count: 0, line: '', block: '' };
    const { length } = value;
    for (let index = 0; index < length && index < 100; index++) addPart(parts, formatNested(value[index]));
    if (length > 100) addPart(parts, '… ' + (length - 100) + ' more');
    const name = isArray(value) ? '' : findClassName(value) + '(' + length + ') ';
    return name + joinParts('[', parts, ']');
  }

  function formatCollection(value: object, kind: string): string {
    const parts = { count: 0, line: '', block: '' };
    const isMap = kind === '[object Map]';
    let size = 0;
    const each = (item: unknown, key: unknown): void => {
      if (size++ < 100) addPart(parts, (isMap ? formatNested(key) + ' => ' : '') + formatNested(item));
    };
    apply(isMap ? maps.each : setEach, value, [each]);
    if (size > 100) addPart(parts, '… ' + (size - 100) + ' more');
    return (isMap ? 'Map' : 'Set') + '(' + size + ') ' + joinParts('{ ', parts, ' }');
  }

  function formatRecord(value: object): string {
    const parts = { count: 0, line: '', block: '' };
    const keys = ownKeys(value);
    for (let index = 0; index < keys.length && parts.count < 100; index++) {
      const key = keys[index] as string | symbol;
      const property = getOwnPropertyDescriptor(value, key);
      if (property?.enumerable !== true) continue;
      const text = 'value' in property ? formatNested(property.value) : '[getter]';
      addPart(parts, (typeof key === 'symbol' ? '[' + formatNested(key) + ']' : formatKey(key)) + ': ' + text);
    }
    if (keys.length > 100) addPart(parts, '… ' + (keys.length - 100) + ' more');
    const name = findClassName(value);
    return (name === 'Object' || name === '' ? '' : name + ' ') + joinParts('{ ', parts, ' }');
  }

  function addPart(parts: Parts, text: string): void {
    parts.line += (parts.count > 0 ? ', ' : '') + text;
    parts.block += (parts.count > 0 ? ',' : '') + '\n  ' + indent(text, '  ');
    parts.count++;
  }

  /** Joins the parts on one line if that is short, otherwise with a line for each. */
  function joinParts(open: string, { count, line, block }: Parts, close: string): string {
    let isLong = false;
    for (let index = 0; index < line.length && !isLong; index++) isLong = index > 72 || line[index] === '\n';
    if (count > 0 && !isLong) return open + line + close;
    return open[0]! + block + (count > 0 ? '\n' : '') + close[close.length - 1]!;
  }

  /** Puts blanks before every line except the first. */
  function indent(text: string, blanks: string): string {
    let indented = '';
    for (let index = 0; index < text.length; index++) indented += text[index] === '\n' ? '\n' + blanks : text[index]!;
    return indented;
  }

  function quote(text: string): string {
    const json = stringify(text);
    let quoted = '';
    for (let index = 1; index < json.length - 1; index++) {
      if (index > 2000) return "'" + quoted + "… '";
      if (json[index] === "'") return json;
      if (json[index] === '\\' && json[index + 1] !== '"') quoted += json[index++]! + json[index]!;
      else if (json[index] !== '\\') quoted += json[index]!;
    }
    return "'" + quoted + "'";
  }

  /** Formats a key: a name or a number without quotes, any other with them. */
  function formatKey(key: string): string {
    const isPlain = apply(regExpExec, /^(?:\d+|[A-Za-z_$][\w$]*)$/, [key]) !== null;
    return isPlain ? key : quote(key);
  }

  function findClassName(value: object): string {
    const prototype = getPrototypeOf(value);
    const maker = prototype === null ? undefined : readData(prototype, 'constructor');
    const name = typeof maker === 'function' ? readData(maker, 'name') : undefined;
    return typeof name === 'string' ? name : '';
  }

  /** Returns the value of a property that is not a getter. */
  function readData(value: object, key: string): unknown {
    return getOwnPropertyDescriptor(value, key)?.value;
  }

  return { format, formatError, indent };
}

/**
 * Creates the `console` of code: every function prints to one place, in order. Runs inside the engine, from its source
 * text.
 */
export function createConsole(own: Intrinsics, inspector: Inspector, print: HostFunctions['print']) {
  const { create, defineProperty, global, now, String, stringify } = own;
  /** Blanks before every line. */
  let indent = '';
  /** Start times of timers, in milliseconds, and counters, both by label. */
  const timers = create(null) as Record<string, number>;
  const counts = create(null) as Record<string, number>;

  const write = (first: string, values: readonly unknown[]): void => {
    let text = first;
    for (let index = 0; index < values.length; index++)
      text += (index > 0 || first !== '' ? ' ' : '') + inspector.format(values[index]);
    print(stringify(indent === '' ? text : indent + inspector.indent(text, indent)));
  };
  const log = (...values: unknown[]): void => write('', values);
  const group = (...values: unknown[]): void => {
    if (values.length > 0) write('', values);
    // Deeper indentation would be unreadable.
    if (indent.length < 40) indent += '  ';
  };
  const groupEnd = (): void => {
    let left = '';
    for (let index = 2; index < indent.length; index++) left += ' ';
    indent = left;
  };
  const assert = (holds: unknown, ...values: unknown[]): void => {
    if (!holds) write('Assertion failed' + (values.length > 0 ? ':' : ''), values);
  };
  const count = (label: unknown = 'default'): void => {
    const name = String(label);
    counts[name] = (counts[name] ?? 0) + 1;
    write(name + ': ' + counts[name], []);
  };
  const countReset = (label: unknown = 'default'): void => void delete counts[String(label)];
  const time = (label: unknown = 'default'): void => void (timers[String(label)] = now());
  const timeLog = (label: unknown = 'default', ...values: unknown[]): void => {
    const began = timers[String(label)];
    write(String(label) + ': ' + (began === undefined ? 'was never begun' : now() - began + ' ms'), values);
  };
  const timeEnd = (label: unknown = 'default'): void => {
    timeLog(label);
    delete timers[String(label)];
  };
  const printing = { log, info: log, debug: log, warn: log, error: log, dir: log, table: log, trace: log };
  const groups = { group, groupCollapsed: group, groupEnd };
  const value = { ...printing, ...groups, assert, count, countReset, time, timeLog, timeEnd };
  const visible = { writable: true, configurable: true, enumerable: false };
  defineProperty(global, 'console', { ...visible, value });
  // Models often write this instead.
  defineProperty(global, 'print', { ...visible, value: log });
  return { begin: (): void => void (indent = '') };
}
