import 'reflect-metadata';
import { injectable } from 'tsyringe';
import { InvalidSpaceError } from '../errors/setup-errors.ts';
import type { SpaceClass } from '../protocol/resourcespace.ts';
import { recordSpace, type SpaceRecord } from './space-metadata.ts';
import { spaceNameProblem } from './space-name.ts';

/**
 * Declares a class to be a resourcespace. It only writes this down: nothing is registered or created.
 *
 * Constructor parameters are injected; each names its token with `@inject(TOKEN)`.
 *
 * @throws InvalidSpaceError when the name is no identifier, or the description is not one line
 */
export function resourcespace(record: SpaceRecord): (target: SpaceClass) => void {
  const problem = spaceNameProblem(record);
  if (problem !== undefined) throw new InvalidSpaceError(problem);
  return (target) => {
    injectable()(target);
    recordSpace(target, record);
  };
}
