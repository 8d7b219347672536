import { ResourceError } from '../errors/call-errors.ts';
import { nearestName } from '../nearest-name/nearest-name.ts';
import { callable, dotted } from '../protocol/space-path.ts';
import type { SpacePath, SpaceTree } from '../protocol/space-tree.ts';
import type { ToolDefinition } from '../protocol/tool-definition.ts';
import { walkSpaces } from '../registry/walk-spaces.ts';
import { inToolOrder } from '../tool-spec/tool-table.ts';
import { betterPlaces, supports } from './better-places.ts';

/** A tool and the space it acts in, dotted: `home`, `source.meta`. */
export interface ResolvedTool {
  readonly space: string;
  readonly definition: ToolDefinition;
}

/**
 * The tool that a verb means at a location.
 *
 * @throws ResourceError saying what is supported there and where the verb is, or that the space is gone
 */
export function resolveTool(tree: SpaceTree, at: SpacePath, verb: string): ResolvedTool {
  const here = tree.at(at);
  if (here === undefined) throw gone(tree, at);
  const definition = supports(here, verb) ? here.tools[verb] : undefined;
  if (definition === undefined) throw unsupported(tree, at, verb);
  return { space: dotted(at), definition };
}

function unsupported(tree: SpaceTree, at: SpacePath, verb: string): ResourceError {
  const supported = inToolOrder(Object.keys(tree.at(at)?.tools ?? {}));
  const places = betterPlaces(tree, at, verb);
  const near = places.length === 0 && !isKnown(tree, verb) ? nearestName(verb, supported) : undefined;
  const suggestion = near === undefined ? '' : ` Did you mean ${near}?`;
  const fact = `${dotted(at)} does not support ${verb}.${suggestion}`;
  return new ResourceError(`${fact}\nSupported here: ${supported.join(', ') || 'nothing'}`, places);
}

function isKnown(tree: SpaceTree, verb: string): boolean {
  if (supports(tree.home, verb)) return true;
  for (const { space } of walkSpaces(tree)) if (supports(space, verb)) return true;
  return false;
}

function gone(tree: SpaceTree, at: SpacePath): ResourceError {
  let living = at;
  while (living.length > 0 && tree.at(living) === undefined) living = living.slice(0, -1);
  const places = new Set([callable(living), callable([])]);
  return new ResourceError(`${dotted(at)} is not there any more. Nothing was called.`, [...places]);
}
