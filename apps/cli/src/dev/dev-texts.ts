import type { SpaceDefinition } from '@bae/core';
import type { ModelChoice } from '@bae/models';
import { makeVisible, makeLineVisible, type Painter } from '../terminal/terminal-text.ts';
import type { DevPackage } from './dev-package.ts';
import type { Loaded } from './live-package.ts';

/** The first line: what is open, and that it follows its code. */
export function renderDevOpening({ name, folder }: DevPackage, { model, reason }: ModelChoice, paint: Painter): string {
  const who = model === undefined ? 'no model' : `model: ${reason}`;
  return `${paint('strong', 'bae dev')} ${makeLineVisible(name)} · reloads when ${makeLineVisible(folder)} changes · ${makeLineVisible(who)}`;
}

/** The outcome of a reload; undefined when nothing changed. */
export function renderLoaded(loaded: Loaded, name: string, paint: Painter): string | undefined {
  switch (loaded.type) {
    case 'loaded':
      return paint('hint', `loaded ${makeLineVisible(name)}: ${loaded.spaces.map(describeLoadedSpace).join('; ')}`);
    case 'failed':
      return paint('error', `not loaded, what was there before stays: ${makeVisible(loaded.reason)}`);
    default:
      return undefined;
  }
}

function describeLoadedSpace({ name, tools }: SpaceDefinition): string {
  const names = Object.keys(tools);
  return makeLineVisible(names.length === 0 ? name : `${name} (${names.join(', ')})`);
}
