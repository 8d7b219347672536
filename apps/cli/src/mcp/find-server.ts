import { ConfigurationError, findNearestName } from '@bae/core';
import type { FoundServer } from '../config/load-servers.ts';

/** Finds a server by its name, otherwise by that of its place, which two servers of one name do not share. */
export function findFoundServer(name: string, servers: readonly FoundServer[]): FoundServer | undefined {
  return servers.find((one) => one.name === name) ?? servers.find(({ place }) => place === name);
}

/**
 * Explains why a server is not used here, because it does not exist or is not trusted, and which command to run next.
 */
export function explainMissingServer(
  name: string,
  {
    verb,
    found,
    all,
  }: { readonly verb: string; readonly found: FoundServer | undefined; readonly all: readonly FoundServer[] },
): ConfigurationError {
  if (found !== undefined) return new ConfigurationError(`${name} is ${found.state}.`, ['bae trust']);
  const nearest = findNearestName(
    name,
    all.map((one) => one.name),
  );
  return new ConfigurationError(`there is no server ${name}.`, [
    nearest === undefined ? 'bae mcp' : `bae mcp ${verb} ${nearest}`,
  ]);
}
