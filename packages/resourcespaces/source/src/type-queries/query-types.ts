import { isIdentifier } from '../type-service/identifier-name.ts';
import { ResourceError } from '@bae/core';
import { EditError } from '@bae/workspace';
import { formatAddress, formatSymbolPath, type SymbolTarget } from '../address/target.ts';
import type { Declaration, Span, SymbolOutline } from '../language/outline.ts';
import type { CodeCatalog } from '../modules/code-catalog.ts';
import { splitFileName } from '../modules/name-modules.ts';
import { findOccurrences } from '../type-service/identifier-name.ts';
import { TypeServiceError } from '../type-service/type-service-error.ts';

/**
 * Waits for a query about types.
 *
 * @param next a tag to try when the query fails
 * @throws ResourceError when the type service failed, with its reason; else what the query fails with
 */
export function queryTypes<T>(result: Promise<T>, next: string): Promise<T> {
  return result.catch((error: unknown) => {
    if (!(error instanceof TypeServiceError)) throw error;
    throw new ResourceError(`types are not available: ${error.message}.`, [next], error);
  });
}

/**
 * The offset of the name of a symbol in its module, in UTF-16: the compiler finds a symbol by its place.
 *
 * @throws EditError when it has no name of its own there
 */
export function findSymbolOffset(target: SymbolTarget): number {
  const { source, path } = target;
  const { name, kind, localName, declarations } = path.at(-1) as SymbolOutline;
  const { head, doc, start, end } = declarations[0] as Declaration;
  const inHead = findName(localName ?? name, source.text, head);
  const offset = inHead ?? findName(name, source.text, { start: doc?.end ?? start, end });
  if (offset !== undefined && kind !== 'imports') return offset;
  throw new EditError(
    `${formatSymbolPath(path)} in ${source.module.name} has no name that the compiler knows. Search for its text instead.`,
    [`<R:${formatAddress(target)}>`],
  );
}

function findName(name: string, text: string, { start, end }: Span): number | undefined {
  if (!isIdentifier(name)) return undefined;
  const [first] = findOccurrences(name, text.slice(start, end));
  return first === undefined ? undefined : start + first;
}

interface MessageContext {
  readonly folder: string;
  readonly catalog: CodeCatalog;
}

/** The first line of a message of the compiler, with its number, and with modules instead of paths. */
export function renderTypeError(
  { code, message }: { readonly code: number; readonly message: string },
  { folder, catalog }: MessageContext,
): string {
  const [line = ''] = message.split('\n');
  const named = line
    .split(`${folder}/`)
    .map((part, index) => (index === 0 ? part : part.replace(/^[^'"\s()]+/, (path) => moduleName(path, catalog))));
  return `TS${code}: ${named.join('')}`;
}

/** The module of a path below the root, which may have no ending. */
function moduleName(path: string, catalog: CodeCatalog): string {
  const stem = splitFileName(path)?.stem ?? path;
  return (catalog.moduleAt(path) ?? catalog.moduleByOtherName(stem.replaceAll('/', '.')))?.name ?? path;
}
