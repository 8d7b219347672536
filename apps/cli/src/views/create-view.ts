import { asModelText, type Message, type Model, type SpaceTree } from '@bae/core';
import { parse } from '@bae/core/pipeline';
import type { CliOptions } from '../command-line/options.ts';
import { collectNames } from '../space-outline.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { createDebugView, showPrompt } from './debug-view.ts';
import { createUserView, type View } from './user-view.ts';

export interface ViewChoice {
  readonly options: CliOptions;
  readonly terminal: Terminal;
  readonly tree: SpaceTree;
}

/** The view that the options select: JSON, everything, or the important events. */
export function createView({ options, terminal, tree }: ViewChoice): View {
  const { out, err } = terminal;
  if (options.json) return (event) => out.write(`${JSON.stringify(event)}\n`);
  // Progress must not get into an answer that is redirected to a file.
  const progress = out.isTerminal ? out : err;
  const prose = (text: string): string => parse(asModelText(text), collectNames(tree)).prose;
  const user = createUserView(progress, { answers: out, unattended: !terminal.interactive, prose });
  if (!isDebug(options)) return user;
  const debug = createDebugView(progress);
  return (event) => (event.type === 'answer' && !out.isTerminal ? user : debug)(event);
}

export function isDebug({ verbose, debug }: CliOptions): boolean {
  return verbose || debug;
}

/** With --verbose, a model that shows what it is sent; else the model itself. */
export function observeModel(model: Model, { options, terminal }: Omit<ViewChoice, 'tree'>): Model {
  if (!isDebug(options) || options.json) return model;
  const out = terminal.out.isTerminal ? terminal.out : terminal.err;
  return watchMessages(model, ({ role, text }) => showPrompt(out, role, text));
}

/** A model that reports each message once, exactly as it is sent. */
export function watchMessages(model: Model, onMessage: (message: Message) => void): Model {
  const { name, idleMs } = model;
  let seen = 0;
  return {
    name,
    ...(idleMs !== undefined && { idleMs }),
    respond(messages, options) {
      // Earlier messages never change, and responses were shown when they arrived.
      for (const message of messages.slice(seen)) if (message.role !== 'assistant') onMessage(message);
      seen = messages.length;
      return model.respond(messages, options);
    },
    dispose: () => model.dispose?.(),
  };
}
