import type { Model } from '@bae/core';
import { ObservedModel } from '../observed-model.ts';
import { DebugView } from '../views/debug-view.ts';
import { isDebug, type ViewChoice } from './make-view.ts';

/** The model itself, or, where everything is to be shown, one that shows what it is sent. */
export function observed(model: Model, { options, terminal }: Omit<ViewChoice, 'tree'>): Model {
  if (!isDebug(options) || options.json) return model;
  const view = new DebugView(terminal.out.isTerminal ? terminal.out : terminal.err);
  return new ObservedModel(model, ({ role, text }) => view.prompt(role, text));
}
