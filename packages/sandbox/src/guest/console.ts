import type { Inspector } from './inspector.ts';
import type { HostFunctions, Intrinsics } from './intrinsics.ts';

/** The `console` of code: every function prints to one place, in order. Runs inside the engine, from its source text. */
export class Console {
  readonly #own: Intrinsics;
  readonly #inspector: Inspector;
  readonly #print: HostFunctions['print'];
  /** Blanks in front of every line. */
  #indent = '';
  /** When timers began, in milliseconds, and how often something was counted, by label. */
  readonly #timers: Record<string, number>;
  readonly #counts: Record<string, number>;

  constructor(own: Intrinsics, inspector: Inspector, print: HostFunctions['print']) {
    this.#own = own;
    this.#inspector = inspector;
    this.#print = print;
    this.#timers = own.create(null) as Record<string, number>;
    this.#counts = own.create(null) as Record<string, number>;
    const value = this.#createFunctions();
    own.defineProperty(own.global, 'console', { value, writable: true, configurable: true, enumerable: false });
    // What models often write instead.
    own.defineProperty(own.global, 'print', {
      value: value['log'],
      writable: true,
      configurable: true,
      enumerable: false,
    });
  }

  begin(): void {
    this.#indent = '';
  }

  #createFunctions(): Record<string, unknown> {
    const { String, now } = this.#own;
    const log = (...values: unknown[]): void => this.#log('', values);
    const group = (...values: unknown[]): void => {
      if (values.length > 0) this.#log('', values);
      // Nobody could read more.
      if (this.#indent.length < 40) this.#indent += '  ';
    };
    const groupEnd = (): void => {
      let left = '';
      for (let index = 2; index < this.#indent.length; index++) left += ' ';
      this.#indent = left;
    };
    const assert = (holds: unknown, ...values: unknown[]): void => {
      if (!holds) this.#log('Assertion failed' + (values.length > 0 ? ':' : ''), values);
    };
    const count = (label: unknown = 'default'): void => {
      const name = String(label);
      this.#counts[name] = (this.#counts[name] ?? 0) + 1;
      this.#log(name + ': ' + this.#counts[name], []);
    };
    const countReset = (label: unknown = 'default'): void => void delete this.#counts[String(label)];
    const time = (label: unknown = 'default'): void => void (this.#timers[String(label)] = now());
    const timeLog = (label: unknown = 'default', ...values: unknown[]): void => {
      const began = this.#timers[String(label)];
      this.#log(String(label) + ': ' + (began === undefined ? 'was never begun' : now() - began + ' ms'), values);
    };
    const timeEnd = (label: unknown = 'default'): void => {
      timeLog(label);
      delete this.#timers[String(label)];
    };
    const printing = { log, info: log, debug: log, warn: log, error: log, dir: log, table: log, trace: log };
    const groups = { group, groupCollapsed: group, groupEnd };
    return { ...printing, ...groups, assert, count, countReset, time, timeLog, timeEnd };
  }

  #log(first: string, values: readonly unknown[]): void {
    let text = first;
    for (let index = 0; index < values.length; index++)
      text += (index > 0 || first !== '' ? ' ' : '') + this.#inspector.format(values[index]);
    if (this.#indent !== '') text = this.#indent + this.#inspector.indent(text, this.#indent);
    this.#print(this.#own.stringify(text));
  }
}
