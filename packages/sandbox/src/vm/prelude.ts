import type { AnswerForm } from '../message.ts';
import { CallPort } from './call-port.ts';
import { GlobalLayer } from './global-layer.ts';
import type { HostFunctions } from './host-functions.ts';
import { Inspector } from './inspector.ts';
import { captureIntrinsics, type Intrinsics } from './intrinsics.ts';
import type { ScopeNode } from './scope-node.ts';

/** What the host calls inside the sandbox. Texts go out as JSON, so that no character is lost. */
export interface Prelude {
  /** @param scope JSON of the nodes in scope; empty when they are as before */
  readonly begin: (scope: string) => void;
  readonly settle: (id: number, form: AnswerForm, text: string) => void;
  readonly forget: () => void;
  readonly unheard: () => string;
  /** Says that somebody waits for a call's answer, if that is what the value is. */
  readonly hear: (value: unknown) => void;
  /** The value as JSON of a text; undefined when there is nothing to show. */
  readonly show: (value: unknown) => string | undefined;
  /** JSON of a text each: name, message, stack. */
  readonly nameOf: (error: unknown) => string;
  readonly messageOf: (error: unknown) => string;
  readonly stackOf: (error: unknown) => string;
}

/** What the prelude is made of: named here, since a compiler may name its functions otherwise. */
const PARTS = { captureIntrinsics, Inspector, CallPort, GlobalLayer, addConsole };

/** Prepares the globals of a sandbox. Runs inside it, from its own text, before any other code. */
function startPrelude(host: HostFunctions, parts: typeof PARTS): Prelude {
  const own = parts.captureIntrinsics();
  const inspector = new parts.Inspector(own, host.look);
  const port = new parts.CallPort(own, host);
  const layer = new parts.GlobalLayer(own, port);
  const shown = (value: unknown): string => own.stringify(inspector.show(value));
  const field = (error: unknown, name: 'name' | 'message' | 'stack', otherwise: unknown): string => {
    try {
      const value: unknown = typeof error === 'object' && error !== null ? (error as Error)[name] : undefined;
      return typeof value === 'string' ? own.stringify(value) : shown(otherwise);
    } catch {
      return '""';
    }
  };
  parts.addConsole(own, inspector, host.print);
  return {
    begin: (scope) => (scope === '' ? layer.cover() : layer.change(own.parse(scope) as readonly ScopeNode[])),
    settle: (id, form, text) => port.settle(id, form, text),
    forget: () => port.forget(),
    unheard: () => port.unheard(),
    hear: (value) => port.hear(value),
    show: (value) => (value === undefined ? undefined : shown(value)),
    nameOf: (error) => field(error, 'name', 'Error'),
    messageOf: (error) => field(error, 'message', error),
    stackOf: (error) => field(error, 'stack', ''),
  };
}

/** Everything that is printed goes to one place, in order. */
function addConsole(own: Intrinsics, inspector: Inspector, print: HostFunctions['print']): void {
  const log = (...values: unknown[]): void => {
    let text = '';
    for (let index = 0; index < values.length; index++) text += (index > 0 ? ' ' : '') + inspector.show(values[index]);
    print(own.stringify(text));
  };
  const names = ['log', 'info', 'debug', 'warn', 'error', 'dir', 'table', 'trace'];
  const console: Record<string, unknown> = {};
  for (let index = 0; index < names.length; index++) console[names[index]!] = log;
  own.defineProperty(own.global, 'console', { value: console, writable: true, configurable: true, enumerable: false });
}

/** Text of an expression: a function from the host's functions to the prelude. */
export function preludeText(): string {
  const parts = Object.entries(PARTS).map(([name, part]) => `${name}: ${String(part)}`);
  return `(() => { 'use strict'; const parts = { ${parts.join(',\n')} };\nreturn (host) => (${String(startPrelude)})(host, parts); })()`;
}
