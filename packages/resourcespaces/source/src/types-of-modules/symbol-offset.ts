import { EditError } from '@bae/workspace';
import { addressOf, symbolName, type SymbolTarget } from '../address/target.ts';
import type { Declaration, Span, SymbolOutline } from '../language/outline.ts';
import { occurrencesOf } from '../type-service/identifier-name.ts';

/**
 * Where a symbol is named in its module, as an offset in UTF-16: where the compiler is asked about it.
 *
 * @throws EditError when it has no name of its own there
 */
export function symbolOffset(target: SymbolTarget): number {
  const { source, path } = target;
  const { name, kind, localName, declarations } = path.at(-1) as SymbolOutline;
  const { head, doc, start, end } = declarations[0] as Declaration;
  const inHead = offsetOf(localName ?? name, source.text, head);
  const offset = inHead ?? offsetOf(name, source.text, { start: doc?.end ?? start, end });
  if (offset !== undefined && kind !== 'imports') return offset;
  throw new EditError(
    `${symbolName(path)} in ${source.module.name} has no name that the compiler knows. Search for its text instead.`,
    [`<R:${addressOf(target)}>`],
  );
}

function offsetOf(name: string, text: string, { start, end }: Span): number | undefined {
  if (!/^#?[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name)) return undefined;
  const [first] = occurrencesOf(name, text.slice(start, end));
  return first === undefined ? undefined : start + first;
}
