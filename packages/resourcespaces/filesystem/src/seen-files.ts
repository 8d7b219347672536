import { ConflictError, type SessionState } from '@bae/core';
import { showPath, type FileDigest, type PathInfo } from '@bae/workspace';

/** Notes what a file looks like as the session knows it from now on. */
export function rememberFile(session: SessionState, { path }: PathInfo, { hash, lines }: FileDigest): void {
  session.seen.set(path, `${hash}:${lines}`);
}

/**
 * Refuses to change a file whose content is not what this session was last shown.
 *
 * @param now the file's digest at this moment
 * @throws ConflictError when it was shown and has changed since
 */
export function refuseStale(session: SessionState, info: PathInfo & { readonly given: string }, now: FileDigest): void {
  const seen = session.seen.get(info.path);
  // A file that was never shown may be changed.
  if (seen === undefined) return;
  const [hash, lines] = seen.split(':');
  if (hash === now.hash) return;
  const shown = showPath(info.given);
  throw new ConflictError(
    `${shown} changed since you read it (line count ${lines} -> ${now.lines}). Re-read before editing.`,
    [`<R:${shown}>`],
  );
}
