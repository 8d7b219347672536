import { ConfigurationError } from '@bae/core';
import type { Operation } from '@bae/workspace';

/** Sessions that are named in an error. */
const NAMED = 10;

/**
 * The id of the session that somebody means.
 *
 * @param beginning of its id
 * @throws ConfigurationError when none or several begin so
 */
export function findSession(operations: readonly Operation[], beginning: string): string {
  const ids = [...new Set(operations.map(({ session }) => session))];
  const [found, ...others] = ids.filter((id) => id.startsWith(beginning));
  if (found !== undefined && others.length === 0) return found;
  const fact =
    found === undefined ? 'no session with changes that can be undone begins so' : 'several sessions begin so';
  const named = (found === undefined ? ids : [found, ...others]).slice(0, NAMED).map((id) => id.slice(0, 12));
  const list = named.length === 0 ? '' : ` There are ${named.join(', ')}.`;
  throw new ConfigurationError(`--session ${beginning}: ${fact}.${list}`, ['bae undo --list']);
}
