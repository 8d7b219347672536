import type { Change, ToolContext } from '@bae/core';
import {
  FileNotFoundError,
  formatQuantity,
  refuseStale,
  SeenFiles,
  formatPath,
  type WorkspaceFile,
} from '@bae/workspace';
import { refuseParameter } from './new-name.ts';

/**
 * Plans to write a whole file, either new or in place of the existing one.
 *
 * @throws ProtectedFileError for files that no tool may write; ConflictError when the session was shown the old file
 *   and it has changed since; EditError for a new name that ends in what looks like a parameter
 */
export async function planFileWrite(file: WorkspaceFile, content: string, context: ToolContext): Promise<Change> {
  if (file.info.kind === 'missing') refuseParameter(file.given, 'write', context);
  const before = await file.read();
  if (before !== undefined) refuseStale(new SeenFiles(context).view(file.path), file.given, before);
  const text = completeLastLine(content, context);
  const change = await file.planWrite(text);
  return change.map((now, { session, batch }) => {
    new SeenFiles({ session, batch }).written(file.path, now);
    const size = formatQuantity(Array.from(text).length, 'char');
    const fate =
      before === undefined
        ? 'new file'
        : before.hash === now.hash
          ? 'no change: the file already had this text'
          : `replaced ${formatQuantity(before.lines, 'line')}`;
    const limits = now.undoable ? '' : '; too large to undo';
    return {
      text: `Wrote ${size} (${formatQuantity(now.lines, 'line')}) to ${formatPath(file.given)} (${fate}${limits})`,
      hint: size,
    };
  });
}

/** A name that may be that of a symbol: `Queue`, `Queue.add`, `src/queue.ts#add`. */
const SYMBOL = /^[\w$]+(?:\.[\w$#]+)*$|^[^#]+#[\w$.#]+$/;
/** A new file that is no code may have the name of a symbol, such as `config.json`. */
const DATA = /\.(?:json|md|txt|ya?ml|toml|html|css|csv|sh)$/;

/**
 * Refuses to make a file with the name of a symbol that another space has, or of a new member of one: the call is moved
 * there.
 */
export async function refuseSymbol({ info, given }: WorkspaceFile, { locate }: ToolContext): Promise<void> {
  if (info.kind !== 'missing' || locate === undefined || !SYMBOL.test(given) || DATA.test(given)) return;
  const found = await locate(given);
  // A file may have one name that is nearly that of a symbol.
  if (found === undefined || !(/[.#]/.test(given) || found.endsWith(`.${given}`))) return;
  const error = new FileNotFoundError(`${formatPath(given)} does not exist.`, [`<R:${formatPath(given)}>`]);
  throw Object.assign(error, { missing: { name: given, hasNear: true } });
}

/** Ends a block of lines between tags with a line feed. */
function completeLastLine(content: string, { block }: ToolContext): string {
  return !block || content === '' || content.endsWith('\n') ? content : `${content}\n`;
}
