import type { ResultForm, ScopeNode } from '../messages.ts';
import { CallPort } from './call-port.ts';
import { Console } from './console.ts';
import { Inspector } from './inspector.ts';
import { captureIntrinsics, type HostFunctions } from './intrinsics.ts';
import { ToolGlobals } from './tool-globals.ts';
import { UnhandledErrors } from './unhandled-errors.ts';

/** What the host calls inside the engine. Texts leave it as JSON, so that no character is lost. */
export interface Prelude {
  /**
   * Begins a block. @param scope JSON of the nodes in scope; empty when it has not changed
   *
   * Returns JSON of what code has made unchangeable, so that nothing can be defined there; undefined for nothing.
   */
  readonly begin: (scope: string) => string | undefined;
  /** Changes the scope within a block; returns the same. */
  readonly move: (scope: string) => string | undefined;
  readonly settle: (id: number, form: ResultForm, text: string) => void;
  /** Forgets the pending calls. */
  readonly forget: () => void;
  /**
   * JSON of how many errors are unhandled, and for each of the first the number of its call, 0 for other errors; then
   * the numbers of the calls whose result nothing has read: `"3,7,0,0;2,5"`.
   */
  readonly takeNotAwaited: () => string;
  /** One of those errors. */
  readonly errorAt: (index: number) => unknown;
  /** Notes that something reads the result of a call, if the value is one. */
  readonly markRead: (promise: unknown) => void;
  /** Notes that an error was handled. */
  readonly markCaught: (error: unknown) => void;
  /** JSON of the value as text; undefined for undefined. */
  readonly format: (value: unknown) => string | undefined;
  readonly formatError: Inspector['formatError'];
}

/** The parts of the prelude: named here, since a compiler may rename its functions. */
const PARTS = { captureIntrinsics, Inspector, UnhandledErrors, CallPort, ToolGlobals, Console };

/** Prepares the globals of the engine. Runs inside it, from its source text, before any other code. */
function startPrelude(host: HostFunctions, parts: typeof PARTS): Prelude {
  const own = parts.captureIntrinsics();
  const inspector = new parts.Inspector(own, host.promiseStatus);
  const errors = new parts.UnhandledErrors(own, host.promiseStatus);
  const port = new parts.CallPort(own, host, errors);
  const globals = new parts.ToolGlobals(own, port);
  const console = new parts.Console(own, inspector, host.print);
  return {
    begin: (scope) => {
      console.begin();
      return globals.begin(scope === '' ? undefined : (own.parse(scope) as readonly ScopeNode[]));
    },
    move: (scope) => globals.move(own.parse(scope) as readonly ScopeNode[]),
    settle: (id, form, text) => port.settle(id, form, text),
    forget: () => port.forget(),
    takeNotAwaited: () => own.stringify(errors.takeAll() + ';' + port.takeUnread()),
    errorAt: (index) => errors.takenAt(index),
    markRead: (promise) => port.markRead(promise),
    markCaught: (error) => errors.remove(error),
    format: (value) => (value === undefined ? undefined : own.stringify(inspector.format(value))),
    formatError: (error, field) => inspector.formatError(error, field),
  };
}

/** Source text of a function from the host's functions to the prelude. */
export function buildPrelude(): string {
  const parts = Object.entries(PARTS).map(([name, part]) => `${name}: ${String(part)}`);
  return `(() => { 'use strict'; const parts = { ${parts.join(',\n')} };\nreturn (host) => (${String(startPrelude)})(host, parts); })()`;
}
