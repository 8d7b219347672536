import type { SessionState, ToolOutput } from '@bae/core';
import { showPath, type FileDigest, type WorkspaceRoot } from '@bae/workspace';
import { counted } from './counted.ts';
import { refuseStale, rememberFile } from './seen-files.ts';

/** What to write, and where. */
export interface WriteRequest {
  readonly path: string;
  readonly content: string;
  /** True when the content came as a block of lines: then its last line is ended too. */
  readonly block: boolean;
}

/**
 * Writes a whole file: a new one, or in place of the old one.
 *
 * @throws ConflictError when the session was shown the old one and it has changed since
 */
export function writeFile(root: WorkspaceRoot, request: WriteRequest, session: SessionState): Promise<ToolOutput> {
  const { path, block } = request;
  const content = block ? withFinalNewline(request.content) : request.content;
  return root.exclusively(path, async () => {
    const info = await root.info(path);
    const old = info.kind === 'file' ? await root.digest(path) : undefined;
    if (old !== undefined) refuseStale(session, { ...info, given: path }, old);
    const now = await root.write(path, content);
    rememberFile(session, info, now);
    const size = counted(Array.from(content).length, 'char');
    const text = `Wrote ${size} (${counted(now.lines, 'line')}) to ${showPath(path)} (${fateOf(old)})`;
    return { text, hint: size };
  });
}

function withFinalNewline(content: string): string {
  return content === '' || content.endsWith('\n') ? content : `${content}\n`;
}

function fateOf(old: FileDigest | undefined): string {
  return old === undefined ? 'new file' : `replaced ${counted(old.lines, 'line')}`;
}
