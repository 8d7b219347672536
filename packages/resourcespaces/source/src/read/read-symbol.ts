import { units } from '@bae/core/pipeline';
import { addressOf, symbolName, type SymbolTarget } from '../address/target.ts';
import type { SymbolOutline } from '../language/outline.ts';
import { ANSWER_CAP, pageRows } from './page-rows.ts';
import { pageTag, type PageRequest } from './page-tag.ts';
import { renderLines } from './read-lines.ts';
import { symbolRow } from './symbol-row.ts';
import { symbolLines, symbolText } from './symbol-text.ts';
import { TextLines } from './text-lines.ts';

/** Lines of the tag for a first part of a symbol. */
const FIRST_PART = 40;

/** The source of a symbol; of one that is too long, its members, or its first lines. */
export function renderSymbol(target: SymbolTarget, { page, tag }: PageRequest): string {
  const { source, path } = target;
  const symbol = path.at(-1) as SymbolOutline;
  const text = symbolText(source.text, symbol);
  const note = target.passedOn ? `\n[declared at ${tag(`<R:${addressOf(target)}>`)}]` : '';
  if (units(text) + units(note) <= ANSWER_CAP) return text + note;
  const lines = new TextLines(source.text);
  const [first, last] = symbolLines(symbol, lines);
  const address = addressOf(target);
  const within = [first, last] as const;
  if (symbol.members.length === 0) return renderLines({ lines, range: within, within, address, tag });
  const head = symbolRow(symbol, source, lines).replace(/^\d+: /, `${symbolName(path)}, lines ${first}-${last}: `);
  const part = tag(`<R:${address}:${first}-${Math.min(first + FIRST_PART - 1, last)}>`);
  const member = tag(`<R:${address}.${symbol.members[0]!.name}>`);
  return pageRows({
    head: [head, `read a part: ${part} or a member: ${member}`],
    rows: symbol.members.map((member) => symbolRow(member, source, lines)),
    page,
    tagOf: pageTag(`R:${address}`, { tag }),
  });
}
