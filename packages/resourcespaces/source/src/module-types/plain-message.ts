import type { CodeCatalog } from '../modules/code-catalog.ts';
import { codeFileName } from '../modules/name-modules.ts';

interface MessageContext {
  /** Absolute path of the project. */
  readonly folder: string;
  readonly catalog: CodeCatalog;
}

/** The first line of a message of the compiler, with its number, and with modules instead of paths. */
export function plainMessage(
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
  const stem = codeFileName(path)?.stem ?? path;
  return (catalog.moduleAt(path) ?? catalog.moduleMeant(stem.replaceAll('/', '.')))?.name ?? path;
}
