import type { SpaceDefinition } from '../protocol/resourcespace.ts';
import { callable } from '../protocol/space-path.ts';
import { plainLine } from '../tool-spec/plain-text.ts';
import { renderStatus } from './render-state.ts';
import { clipped } from './render-within.ts';

/** One root space as a line, its description cut to so many units; 0 leaves it out. Default: whole. */
export type SpaceLine = (descriptionUnits?: number) => string;

/** Root spaces, each as a line: `  tasks() -- Manage todo lists | Start here. | open: 3  blocked: 0`. */
export function renderSpaceLines(spaces: readonly SpaceDefinition[]): Promise<readonly SpaceLine[]> {
  return Promise.all(spaces.map(spaceLine));
}

async function spaceLine(space: SpaceDefinition): Promise<SpaceLine> {
  const status = await renderStatus(space);
  return (descriptionUnits = Infinity) => {
    const description = clipped(plainLine(space.description), descriptionUnits);
    const about = descriptionUnits === 0 ? '' : ` -- ${description}`;
    return `  ${callable([space.name])}${about}${status === '' ? '' : ` | ${status}`}`;
  };
}
