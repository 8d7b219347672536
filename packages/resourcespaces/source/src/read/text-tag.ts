import { addressOf, type SymbolTarget } from '../address/target.ts';
import type { SymbolOutline } from '../language/outline.ts';
import type { SourceModule } from '../modules/code-module.ts';
import { isOutlined, symbolLines } from './symbol-text.ts';
import { TextLines } from './text-lines.ts';

/** The tag that shows the text of a symbol; of one that is too long for that, its lines. */
export function symbolTextTag(target: SymbolTarget): string {
  const { source, path } = target;
  const symbol = path.at(-1) as SymbolOutline;
  // The place of first imports has no address yet.
  if (symbol.declarations.every(({ start, end }) => start === end)) return moduleTextTag(source);
  const address = addressOf(target);
  if (!isOutlined(source.text, symbol)) return `<R:${address}>`;
  const [first, last] = symbolLines(symbol, new TextLines(source.text));
  return `<R:${address}:${first}-${last}>`;
}

/** The tag that shows the text of a module, not only what is in it. */
export function moduleTextTag({ module: { name }, lines }: SourceModule): string {
  return lines === 0 ? `<R:${name}>` : `<R:${name}:1-${lines}>`;
}
