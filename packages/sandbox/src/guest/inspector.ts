import type { HostFunctions, Intrinsics, PromiseStatus } from './intrinsics.ts';

/** Parts of a value, for one line and for a line each. */
interface Parts {
  count: number;
  line: string;
  block: string;
}

export type ErrorField = 'name' | 'message' | 'stack';

/** Formats values as a shell would, without running their code, and errors. Runs inside the engine. */
export class Inspector {
  readonly #own: Intrinsics;
  readonly #promiseStatus: HostFunctions['promiseStatus'];
  /** How many values may still be formatted, and the ones that the current one is in. */
  #left = 0;
  #outer: object[] = [];

  constructor(own: Intrinsics, promiseStatus: HostFunctions['promiseStatus']) {
    this.#own = own;
    this.#promiseStatus = promiseStatus;
  }

  /** A text as it is, any other value as code would write it. */
  format(value: unknown): string {
    if (typeof value === 'string') return value;
    this.#left = 2000;
    this.#outer = [];
    return this.#nested(value);
  }

  /**
   * JSON of the name, the message or the stack of an error. The message of a value that is not an error is the value; that
   * of an error without a message is the list of its errors, if it has any.
   */
  formatError(error: unknown, field: ErrorField): string {
    // JSON is written outside of `try`: where there is no room for it, the message must not become an empty one.
    const text = this.#errorText(error, field);
    if (text !== '' || field !== 'message') return this.#own.stringify(text);
    return this.#own.stringify(this.#innerErrors(error));
  }

  #errorText(error: unknown, field: ErrorField): string {
    try {
      const value: unknown = typeof error === 'object' && error !== null ? (error as Error)[field] : undefined;
      if (typeof value === 'string') return value;
      return field === 'message' ? this.format(error) : field === 'name' ? 'Error' : '';
    } catch {
      return '';
    }
  }

  #innerErrors(error: unknown): string {
    try {
      const errors: unknown = this.#own.getOwnPropertyDescriptor(error as object, 'errors')?.value;
      return this.#own.isArray(errors) ? this.format(errors) : '';
    } catch {
      return '';
    }
  }

  #nested(value: unknown): string {
    if (typeof value === 'string') return this.#quoted(value);
    if (typeof value === 'bigint') return this.#own.String(value) + 'n';
    if (typeof value === 'symbol') return this.#own.apply(this.#own.symbolText, value, []);
    if (value === 0) return 1 / (value as number) < 0 ? '-0' : '0';
    if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return this.#own.String(value);
    for (let index = 0; index < this.#outer.length; index++) if (this.#outer[index] === value) return '[circular]';
    if (this.#left-- <= 0) return '…';
    const depth = this.#outer.length;
    this.#own.defineProperty(this.#outer, depth, { value, writable: true, configurable: true });
    try {
      return this.#object(value, depth);
    } catch {
      return '[unreadable]';
    } finally {
      this.#outer.length = depth;
    }
  }

  #object(value: object, depth: number): string {
    const signature = this.#own.apply(this.#own.weakGet, this.#own.signatures, [value]) as string | undefined;
    if (signature !== undefined) return signature;
    const status = this.#promiseStatus(value);
    if (status !== undefined) return this.#promise(status);
    const kind = this.#own.apply(this.#own.kindOf, value, []);
    if (typeof value === 'function') return this.#callable(value);
    if (kind === '[object Error]') return this.#error(value as Error);
    if (kind === '[object Date]') return this.#date(value);
    if (kind === '[object RegExp]') return this.#own.apply(this.#own.regExpText, value, []);
    if (depth > 4) return this.#own.isArray(value) ? '[array]' : '[object]';
    if (this.#own.isArray(value) || this.#own.isView(value)) return this.#list(value as ArrayLike<unknown>);
    if (kind === '[object Map]' || kind === '[object Set]') return this.#collection(value, kind);
    return this.#record(value);
  }

  #promise({ state, value }: PromiseStatus): string {
    if (state === 'pending') return 'Promise { <pending> }';
    return 'Promise { ' + (state === 'rejected' ? '<rejected> ' : '') + this.#nested(value) + ' }';
  }

  #callable(value: object): string {
    const name = this.#data(value, 'name');
    const isClass = this.#own.getOwnPropertyDescriptor(value, 'prototype')?.writable === false;
    return '[' + (isClass ? 'class' : 'function') + (typeof name === 'string' && name !== '' ? ' ' + name : '') + ']';
  }

  #error(value: Error): string {
    const name = this.#data(value, 'name') ?? this.#nameOf(value);
    return '[' + this.#own.String(name) + ': ' + this.#own.String(this.#data(value, 'message') ?? '') + ']';
  }

  #date(value: object): string {
    try {
      return this.#own.apply(this.#own.dateText, value as Date, []);
    } catch {
      return 'Invalid Date';
    }
  }

  #list(value: ArrayLike<unknown>): string {
    const parts = { count: 0, line: '', block: '' };
    const { length } = value;
    for (let index = 0; index < length && index < 100; index++) this.#add(parts, this.#nested(value[index]));
    if (length > 100) this.#add(parts, '… ' + (length - 100) + ' more');
    const name = this.#own.isArray(value) ? '' : this.#nameOf(value) + '(' + length + ') ';
    return name + this.#join('[', parts, ']');
  }

  #collection(value: object, kind: string): string {
    const parts = { count: 0, line: '', block: '' };
    const isMap = kind === '[object Map]';
    let size = 0;
    const each = (item: unknown, key: unknown): void => {
      if (size++ < 100) this.#add(parts, (isMap ? this.#nested(key) + ' => ' : '') + this.#nested(item));
    };
    this.#own.apply(isMap ? this.#own.maps.each : this.#own.setEach, value, [each]);
    if (size > 100) this.#add(parts, '… ' + (size - 100) + ' more');
    return (isMap ? 'Map' : 'Set') + '(' + size + ') ' + this.#join('{ ', parts, ' }');
  }

  #record(value: object): string {
    const parts = { count: 0, line: '', block: '' };
    const keys = this.#own.ownKeys(value);
    for (let index = 0; index < keys.length && parts.count < 100; index++) {
      const key = keys[index] as string | symbol;
      const property = this.#own.getOwnPropertyDescriptor(value, key);
      if (property?.enumerable !== true) continue;
      const text = 'value' in property ? this.#nested(property.value) : '[getter]';
      this.#add(parts, (typeof key === 'symbol' ? '[' + this.#nested(key) + ']' : this.#keyText(key)) + ': ' + text);
    }
    if (keys.length > 100) this.#add(parts, '… ' + (keys.length - 100) + ' more');
    const name = this.#nameOf(value);
    return (name === 'Object' || name === '' ? '' : name + ' ') + this.#join('{ ', parts, ' }');
  }

  #add(parts: Parts, text: string): void {
    parts.line += (parts.count > 0 ? ', ' : '') + text;
    parts.block += (parts.count > 0 ? ',' : '') + '\n  ' + this.indent(text, '  ');
    parts.count++;
  }

  /** One line when that is short, else one for each part. */
  #join(open: string, { count, line, block }: Parts, close: string): string {
    let isLong = false;
    for (let index = 0; index < line.length && !isLong; index++) isLong = index > 72 || line[index] === '\n';
    if (count > 0 && !isLong) return open + line + close;
    return open[0]! + block + (count > 0 ? '\n' : '') + close[close.length - 1]!;
  }

  /** Puts blanks in front of every line but the first. */
  indent(text: string, blanks: string): string {
    let indented = '';
    for (let index = 0; index < text.length; index++) indented += text[index] === '\n' ? '\n' + blanks : text[index]!;
    return indented;
  }

  #quoted(text: string): string {
    const json = this.#own.stringify(text);
    let quoted = '';
    for (let index = 1; index < json.length - 1; index++) {
      if (index > 2000) return "'" + quoted + "… '";
      if (json[index] === "'") return json;
      if (json[index] === '\\' && json[index + 1] !== '"') quoted += json[index++]! + json[index]!;
      else if (json[index] !== '\\') quoted += json[index]!;
    }
    return "'" + quoted + "'";
  }

  /** A name or a number without quotes, any other key with them. */
  #keyText(key: string): string {
    const isPlain = this.#own.apply(this.#own.regExpExec, /^(?:\d+|[A-Za-z_$][\w$]*)$/, [key]) !== null;
    return isPlain ? key : this.#quoted(key);
  }

  #nameOf(value: object): string {
    const prototype = this.#own.getPrototypeOf(value);
    const maker = prototype === null ? undefined : this.#data(prototype, 'constructor');
    const name = typeof maker === 'function' ? this.#data(maker, 'name') : undefined;
    return typeof name === 'string' ? name : '';
  }

  /** The value of a property that is not a getter. */
  #data(value: object, key: string): unknown {
    return this.#own.getOwnPropertyDescriptor(value, key)?.value;
  }
}
