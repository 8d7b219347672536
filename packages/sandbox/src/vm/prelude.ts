import type { AnswerForm } from '../message.ts';
import { CallPort } from './call-port.ts';
import { CodeConsole } from './code-console.ts';
import { ErrorWords } from './error-words.ts';
import { GlobalLayer } from './global-layer.ts';
import type { HostFunctions } from './host-functions.ts';
import { Inspector } from './inspector.ts';
import { captureIntrinsics } from './intrinsics.ts';
import { LostErrors } from './lost-errors.ts';
import type { ScopeNode } from './scope-node.ts';

/** What the host calls inside the sandbox. Texts go out as JSON, so that no character is lost. */
export interface Prelude {
  /**
   * Begins a block. @param scope JSON of the nodes in scope; empty when they are as before
   *
   * Returns JSON of what code has taken for good, so that nothing can be laid there any more; undefined for nothing.
   */
  readonly begin: (scope: string) => string | undefined;
  /** The same in the middle of a block. */
  readonly move: (scope: string) => string | undefined;
  readonly settle: (id: number, form: AnswerForm, text: string) => void;
  readonly forget: () => void;
  /**
   * How much nothing caught, and numbers of the calls that failed with it, 0 for other errors; then numbers of the calls
   * whose answer nobody has asked for: `3,7,0,0;2,5`.
   */
  readonly lost: () => string;
  /** An error of those, by its place. */
  readonly lostAt: (place: number) => unknown;
  /** Says that somebody asks for the answer of a call, when it is one. */
  readonly asked: (promise: unknown) => void;
  /** Says that an error is known. */
  readonly caught: (error: unknown) => void;
  /** The value as JSON of a text; undefined when there is nothing to show. */
  readonly show: (value: unknown) => string | undefined;
  /** JSON of a text each: name, message, stack. */
  readonly nameOf: (error: unknown) => string;
  readonly messageOf: (error: unknown) => string;
  readonly stackOf: (error: unknown) => string;
}

/** What the prelude is made of: named here, since a compiler may name its functions otherwise. */
const PARTS = { captureIntrinsics, Inspector, LostErrors, CallPort, GlobalLayer, CodeConsole, ErrorWords };

/** Prepares the globals of a sandbox. Runs inside it, from its own text, before any other code. */
function startPrelude(host: HostFunctions, parts: typeof PARTS): Prelude {
  const own = parts.captureIntrinsics();
  const inspector = new parts.Inspector(own, host.look);
  const lost = new parts.LostErrors(own, host.look);
  const port = new parts.CallPort(own, host, lost);
  const layer = new parts.GlobalLayer(own, port);
  const words = new parts.ErrorWords(own, inspector);
  const nodesOf = (scope: string) => (scope === '' ? undefined : (own.parse(scope) as readonly ScopeNode[]));
  const console = new parts.CodeConsole(own, inspector, host.print);
  return {
    begin: (scope) => {
      console.begin();
      return layer.begin(nodesOf(scope));
    },
    move: (scope) => layer.move(own.parse(scope) as readonly ScopeNode[]),
    settle: (id, form, text) => port.settle(id, form, text),
    forget: () => port.forget(),
    lost: () => lost.tell() + ';' + port.unasked(),
    asked: (promise) => port.asked(promise),
    lostAt: (place) => lost.told(place),
    caught: (error) => lost.caught(error),
    show: (value) => (value === undefined ? undefined : own.stringify(inspector.show(value))),
    nameOf: (error) => words.name(error),
    messageOf: (error) => words.message(error),
    stackOf: (error) => words.stack(error),
  };
}

/** Text of an expression: a function from the host's functions to the prelude. */
export function preludeText(): string {
  const parts = Object.entries(PARTS).map(([name, part]) => `${name}: ${String(part)}`);
  return `(() => { 'use strict'; const parts = { ${parts.join(',\n')} };\nreturn (host) => (${String(startPrelude)})(host, parts); })()`;
}
