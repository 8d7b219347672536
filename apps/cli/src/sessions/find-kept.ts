import { ConfigurationError } from '@bae/core';
import type { SessionInfo } from '@bae/store';

/**
 * The session that is meant by `last` or by the beginning of an id.
 *
 * @param sessions newest first
 * @throws ConfigurationError when there is none, or more than one
 */
export function findKept(sessions: readonly SessionInfo[], wanted: string): SessionInfo {
  const [latest] = sessions;
  if (latest === undefined)
    throw new ConfigurationError('there is no session to go on with.', ['bae ask "…" starts one']);
  if (wanted === 'last') return latest;
  const meant = sessions.filter(({ id }) => id.startsWith(wanted));
  const [found, ...more] = meant;
  if (found === undefined) throw new ConfigurationError(`no session begins with '${wanted}'.`, ['bae sessions']);
  if (more.length > 0) {
    throw new ConfigurationError(`${meant.length} sessions begin with '${wanted}'. Give more of the id.`, [
      'bae sessions',
    ]);
  }
  return found;
}
