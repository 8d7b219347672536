import { ResourceError } from '@bae/core';
import { emptyWrite, shownName, type NewSpace } from './new-space.ts';

/**
 * Refuses what makes sense for modules only.
 *
 * @throws ResourceError that names the options
 */
export function refuseModuleOptions({ request }: Pick<NewSpace, 'request'>): void {
  const { target, overwrite, export: exported, strict, test } = request;
  const options = { overwrite, export: exported, strict, test: test !== undefined };
  const given = Object.entries(options).flatMap(([name, isGiven]) => (isGiven ? [name] : []));
  if (given.length === 0) return;
  const name = shownName(target.trim());
  const [are, them] = given.length === 1 ? ['is', 'it'] : ['are', 'them'];
  throw new ResourceError(
    `${given.join(', ')} ${are} for modules, and ${name} without content is a new resourcespace. Leave ${them} out, or send the module. Nothing was written.`,
    [emptyWrite(name)],
  );
}
