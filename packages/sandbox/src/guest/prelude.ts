import type { ResultForm, ScopeNode } from '../messages.ts';
import { createCallPort } from './call-port.ts';
import { createConsole, createInspector, type ErrorField } from './inspector.ts';
import { captureIntrinsics, type HostFunctions } from './intrinsics.ts';
import { createLocaleFormats } from './locale-formats.ts';
import { createToolGlobals } from './tool-globals.ts';
import { createUnhandledErrors } from './unhandled-errors.ts';

/**
 * Parts of the prelude. They run from their source text, so they refer to nothing outside themselves; they are named
 * here because a compiler may rename them.
 */
const PARTS = {
  captureIntrinsics,
  createInspector,
  createUnhandledErrors,
  createCallPort,
  createToolGlobals,
  createConsole,
  createLocaleFormats,
};

/** Functions that the host calls inside the engine. */
export type Prelude = ReturnType<typeof startPrelude>;

/**
 * Prepares the globals of the engine, before any other code runs. Texts leave the engine as JSON, so that no character
 * is lost.
 */
function startPrelude(host: HostFunctions, parts: typeof PARTS) {
  const own = parts.captureIntrinsics();
  const inspector = parts.createInspector(own, host.promiseStatus);
  const errors = parts.createUnhandledErrors(own, host.promiseStatus);
  const port = parts.createCallPort(own, host, errors);
  const globals = parts.createToolGlobals(own, port);
  const console = parts.createConsole(own, inspector, host.print);
  parts.createLocaleFormats(own, host.formatInLocale);
  return {
    begin: (scope: string) => {
      console.begin();
      return globals.begin(scope === '' ? undefined : (own.parse(scope) as readonly ScopeNode[]));
    },
    move: (scope: string) => globals.move(own.parse(scope) as readonly ScopeNode[]),
    settle: (id: number, form: ResultForm, text: string) => port.settle(id, form, text),
    forget: () => port.forget(),
    /** Unhandled errors, followed by calls whose result was not read: `3,7,0,0;2,5`. */
    takeNotAwaited: () => own.stringify(errors.takeAll() + ';' + port.takeUnread()),
    errorAt: (index: number) => errors.takenAt(index),
    markRead: (promise: unknown) => port.markRead(promise),
    markCaught: (error: unknown) => errors.remove(error),
    format: (value: unknown) => (value === undefined ? undefined : own.stringify(inspector.format(value))),
    formatError: (error: unknown, field: ErrorField) => inspector.formatError(error, field),
  };
}

/** Builds the source text of a function that takes the host's functions and returns the prelude. */
export function buildPrelude(): string {
  const parts = Object.entries(PARTS).map(([name, part]) => `${name}: ${String(part)}`);
  return `(() => { 'use strict'; const parts = { ${parts.join(',\n')} };\nreturn (host) => (${String(startPrelude)})(host, parts); })()`;
}
