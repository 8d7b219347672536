import type { Inspector } from './inspector.ts';
import type { HostFunctions, Intrinsics } from './intrinsics.ts';

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
