import type { Change, ToolContext } from '@bae/core';
import {
  FileNotFoundError,
  formatQuantity,
  refuseStale,
  SeenFiles,
  formatPath,
  EditError,
  startsAsProgram,
  type WorkspaceFile,
} from '@bae/workspace';

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
  if (before !== undefined) await refuseLeftOut(file, text);
  const change = await file.planWrite(text);
  return change.map((now, { session, batch }) => {
    new SeenFiles({ session, batch }).written(file.path, now);
    const size = formatQuantity(Array.from(text).length, 'char');
    const fate =
      before === undefined
        ? `new file${startsAsProgram(text) ? ', executable' : ''}`
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

/** Comments that stand for a part of a file: `// ... existing code ...`, `# … rest of the file unchanged`. */
const LEFT_OUT =
  /^[^\S\n]*(?:\/\/|#|--|\/\*|<!--|\{\/\*)(?=[^\n]*(?:\.{3}|…))(?=[^\n]*\b(?:existing|rest of|remaining|unchanged)\b)[^\n]*$/im;

/**
 * Refuses to replace a file by a shorter text that leaves a part of it out, which would be lost.
 *
 * @throws EditError with the edit of the other part
 */
async function refuseLeftOut(file: WorkspaceFile, text: string): Promise<void> {
  const [line] = LEFT_OUT.exec(text) ?? [];
  if (line === undefined) return;
  const before = await readOldText(file);
  if (text.length >= before.length || before.includes(line)) return;
  const shown = formatPath(file.given);
  throw new EditError(
    `\`${line.trim()}\` leaves out a part of ${shown}, but a write replaces the whole file. Nothing was changed. Send the whole text, or an edit.`,
    [`<E:${shown}>\n<old>…</old>\n<new>…</new>\n</E>`, `<R:${shown}>`],
  );
}

/** Returns the text of a file; nothing for one that is no text. */
async function readOldText(file: WorkspaceFile): Promise<string> {
  try {
    return (await file.readText()).text;
  } catch {
    return '';
  }
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

const MARKS = ['"', "'", '`'] as const;

/** Tags of the tools that make a file or folder. */
const TAGS = { write: 'W', mkdir: 'mkdir' } as const;

/**
 * Refuses a new name that ends in an unknown parameter: it is kept as part of the name, but real names rarely look like
 * that, except if the value is itself a file name. The router suggests the call without it.
 *
 * @throws EditError with the tag that makes a file or folder of this name
 */
export function refuseParameter(path: string, tool: keyof typeof TAGS | 'move', context: ToolContext): void {
  const [, name] = /\S\s+([A-Za-z_]\w*)=(?:[^\s./]*|"[^"./]*"|'[^'./]*')$/s.exec(path) ?? [];
  if (name === undefined || isCertainlyPath(path, context)) return;
  const shown = formatPath(path);
  const mark = MARKS.find((one) => !shown.includes(one)) ?? '"';
  const [, file = ''] = /^(.*\S)\s+append=(?!false)/s.exec(path) ?? [];
  if (tool === 'write' && file !== '')
    throw new EditError(
      `write replaces a whole file and has no parameter '${name}'. Nothing was changed. An edit of the line after the last one adds to a file; reading it shows the number.`,
      [`<R:${formatPath(file)}>`],
    );
  throw new EditError(
    `${tool} has no parameter '${name}', and there is no file '${shown}'. Nothing was changed. Put quotes around a name that ends like that.`,
    tool === 'move' ? [] : [`<${TAGS[tool]}:${mark}${shown}${mark}>`],
  );
}

/** Returns true when the path is certainly a path: code and JSON name parameters, and quotes mark the end of a name. */
function isCertainlyPath(path: string, { fromCode, batch }: ToolContext): boolean {
  const quoted = MARKS.map((mark) => mark + path + mark);
  const isNamed = batch.some(({ form, arg }) => form === 'json' && arg === path);
  return fromCode || isNamed || batch.some(({ tag }) => quoted.some((name) => tag.includes(name)));
}
