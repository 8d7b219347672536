import type { SpaceDefinition } from '@bae/core';
import type { ModelChoice } from '@bae/models';
import { makeVisible, visibleLine, type Painter } from '../terminal/terminal-text.ts';
import type { DevPackage } from './dev-package.ts';
import type { Loaded } from './live-package.ts';

/** The first line: what is open, and that it follows its code. */
export function openingOf({ name, folder }: DevPackage, { model, reason }: ModelChoice, paint: Painter): string {
  const who = model === undefined ? 'no model' : `model: ${reason}`;
  return `${paint('strong', 'bae dev')} ${visibleLine(name)} · reloads when ${visibleLine(folder)} changes · ${visibleLine(who)}`;
}

/** The outcome of a reload; undefined when nothing changed. */
export function loadedLine(loaded: Loaded, name: string, paint: Painter): string | undefined {
  switch (loaded.type) {
    case 'loaded':
      return paint('hint', `loaded ${visibleLine(name)}: ${loaded.spaces.map(describeLoadedSpace).join('; ')}`);
    case 'failed':
      return paint('error', `not loaded, what was there before stays: ${makeVisible(loaded.reason)}`);
    default:
      return undefined;
  }
}

function describeLoadedSpace({ name, tools }: SpaceDefinition): string {
  const names = Object.keys(tools);
  return visibleLine(names.length === 0 ? name : `${name} (${names.join(', ')})`);
}
