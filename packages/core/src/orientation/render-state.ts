import { BaeError, formatErrorLine } from '../errors/bae-error.ts';
import type { SpaceDefinition } from '../protocol/resourcespace.ts';
import { stripControlCharacters } from '../tool-spec/plain-text.ts';

/**
 * Renders the state of a space as described by `enter()`; a note if that fails, with what to do. Empty if there is nothing to describe.
 */
export async function renderState(space: SpaceDefinition): Promise<string> {
  try {
    const state: unknown = await space.enter();
    if (state === undefined || state === null) return '';
    if (typeof state !== 'string') throw new TypeError(`enter() returned ${typeof state}, expected string`);
    return state.split('\n').map(stripControlCharacters).join('\n').trimEnd().replace(/^\n+/, '');
  } catch (error) {
    const line = `state unavailable: ${formatErrorLine(error)}`;
    const [hint] = BaeError.is(error) ? error.hints : [];
    return hint === undefined || line.includes(hint) ? line : `${line}\nTry: ${stripControlCharacters(hint)}`;
  }
}

/**
 * Renders the counts of `status()` on one line: `Start here. | open: 3  blocked: 0`; a note if it fails. May be empty.
 */
export async function renderStatus(space: SpaceDefinition): Promise<string> {
  if (space.status === undefined) return '';
  try {
    const status: unknown = await space.status();
    if (typeof status !== 'object' || status === null) {
      throw new TypeError(`status() returned ${status === null ? 'null' : typeof status}, expected counts by label`);
    }
    const counts = Object.entries(status).filter(([, count]) => typeof count === 'number');
    const line = counts.map(([label, count]) => `${stripControlCharacters(label)}: ${count}`).join('  ');
    const isOpen = counts.some(([label, count]) => label === 'open' && count > 0);
    return isOpen ? `Start here. | ${line}` : line;
  } catch (error) {
    return `status unavailable: ${formatErrorLine(error)}`;
  }
}
