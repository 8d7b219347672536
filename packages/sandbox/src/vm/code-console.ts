import type { HostFunctions } from './host-functions.ts';
import type { Inspector } from './inspector.ts';
import type { Intrinsics } from './intrinsics.ts';

/** The `console` of code: everything goes to one place, in order. Runs inside the sandbox, from its own text. */
export class CodeConsole {
  readonly #own: Intrinsics;
  readonly #inspector: Inspector;
  readonly #print: HostFunctions['print'];
  /** What stands before every line. */
  #indent = '';
  /** When timers began, in milliseconds, and what was counted, by label. */
  readonly #began: Record<string, number>;
  readonly #counts: Record<string, number>;

  constructor(own: Intrinsics, inspector: Inspector, print: HostFunctions['print']) {
    this.#own = own;
    this.#inspector = inspector;
    this.#print = print;
    this.#began = own.create(null) as Record<string, number>;
    this.#counts = own.create(null) as Record<string, number>;
    const value = { ...this.#functions(), ...this.#counters() };
    own.defineProperty(own.global, 'console', { value, writable: true, configurable: true, enumerable: false });
  }

  /** Begins a block, in no group. */
  begin(): void {
    this.#indent = '';
  }

  #counters(): Record<string, unknown> {
    const count = (label: unknown = 'default'): void => {
      const name = this.#own.String(label);
      this.#counts[name] = (this.#counts[name] ?? 0) + 1;
      this.#log(name + ': ' + this.#counts[name], []);
    };
    const countReset = (label: unknown = 'default'): void => void delete this.#counts[this.#own.String(label)];
    return { count, countReset };
  }

  #functions(): Record<string, unknown> {
    const log = (...values: unknown[]): void => this.#log('', values);
    const group = (...values: unknown[]): void => {
      if (values.length > 0) this.#log('', values);
      // More would not be read by anybody.
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
    const time = (label: unknown = 'default'): void => void (this.#began[this.#own.String(label)] = this.#own.now());
    const timeLog = (label: unknown = 'default', ...values: unknown[]): void => {
      const began = this.#began[this.#own.String(label)];
      const passed = began === undefined ? 'was never begun' : this.#own.now() - began + ' ms';
      this.#log(this.#own.String(label) + ': ' + passed, values);
    };
    const timeEnd = (label: unknown = 'default'): void => {
      timeLog(label);
      delete this.#began[this.#own.String(label)];
    };
    const printing = { log, info: log, debug: log, warn: log, error: log, dir: log, table: log, trace: log };
    return { ...printing, group, groupCollapsed: group, groupEnd, assert, time, timeLog, timeEnd };
  }

  #log(first: string, values: readonly unknown[]): void {
    let text = first;
    for (let index = 0; index < values.length; index++)
      text += (index > 0 || first !== '' ? ' ' : '') + this.#inspector.show(values[index]);
    this.#print(this.#own.stringify(this.#indented(text)));
  }

  #indented(text: string): string {
    if (this.#indent === '') return text;
    let indented = this.#indent;
    for (let index = 0; index < text.length; index++)
      indented += text[index] === '\n' ? '\n' + this.#indent : text[index]!;
    return indented;
  }
}
