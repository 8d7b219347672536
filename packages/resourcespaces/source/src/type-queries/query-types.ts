import { ResourceError } from '@bae/core';
import { EditError } from '@bae/workspace';
import { formatAddress, formatSymbolPath, type SymbolTarget } from '../address/target.ts';
import type { CheckChange } from '../change/module-change.ts';
import type { Declaration, Span, SymbolOutline } from '../language/outline.ts';
import { type CodeCatalog, splitFileName } from '../modules/code-catalog.ts';
import { findOccurrences, isIdentifier } from '../type-service/identifier-name.ts';
import { TypeServiceError } from '../type-service/language-protocol.ts';
import type { TypeService } from '../type-service/type-service.ts';

/** Waits for a query about types; a failure of the type service is a ResourceError with `next` as the tag to try. */
export function queryTypes<T>(result: Promise<T>, next: string): Promise<T> {
  return result.catch((error: unknown) => {
    if (!(error instanceof TypeServiceError)) throw error;
    throw new ResourceError(`types are not available: ${error.message}.`, [next], error);
  });
}

/** The offset of the name of a symbol in its module, by which the compiler finds it; an EditError without one. */
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

/** The first line of a message of the compiler, with its number, and with modules instead of paths. */
export function renderTypeError(
  { code, message }: { readonly code: number; readonly message: string },
  catalog: CodeCatalog,
): string {
  const [line = ''] = message.split('\n');
  const named = line
    .split(`${catalog.root}/`)
    .map((part, index) => (index === 0 ? part : part.replace(/^[^'"\s()]+/, (path) => moduleName(path, catalog))));
  return `TS${code}: ${named.join('')}`;
}

/** The module of a path below the root, which may have no ending. */
function moduleName(path: string, catalog: CodeCatalog): string {
  const stem = splitFileName(path)?.stem ?? path;
  return (catalog.moduleAt(path) ?? catalog.moduleByOtherName(stem.replaceAll('/', '.')))?.name ?? path;
}

/** The limits of a check, in milliseconds: no module is begun after `budget`, and `longest` ends the check. */
export interface CheckLimits {
  readonly budget: number;
  readonly longest: number;
}

const LIMITS: CheckLimits = { budget: 8000, longest: 20_000 };

/** Creates a type check of changes: of the changed modules, and then of the rest of their projects. */
export function checkTypes(types: TypeService, { budget, longest }: CheckLimits = LIMITS): CheckChange {
  return async (changes, signal) => {
    const deadline = AbortSignal.timeout(longest);
    const stop = AbortSignal.any([signal, deadline]);
    const edits = changes.map(({ path, before, after }) => ({
      file: types.files.fileOf(path),
      before: before ?? null,
      after,
    }));
    const query = { changes: edits, budgetMs: budget, projectsOnly: true };
    try {
      const { introduced, unchecked, checked } = await types.introduced(query, stop);
      if (checked === 0) return { type: 'untyped' };
      const catalog = await types.files.catalog();
      const problems = introduced.map((diagnostic) => ({
        path: types.files.pathOf(diagnostic.file),
        line: diagnostic.line,
        message: renderTypeError(diagnostic, catalog),
      }));
      const left = unchecked.filter((file) => catalog.moduleOf(file) !== undefined);
      return { type: 'checked', problems, unchecked: left.length };
    } catch (error) {
      signal.throwIfAborted();
      if (deadline.aborted) return { type: 'unknown', reason: `it takes longer than ${longest / 1000} seconds` };
      if (error instanceof TypeServiceError) return { type: 'unknown', reason: error.message };
      throw error;
    }
  };
}
