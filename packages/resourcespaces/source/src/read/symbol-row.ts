import { docSentence } from '../language/doc-comments.ts';
import type { SymbolOutline } from '../language/outline.ts';
import type { SourceModule } from '../modules/code-module.ts';
import type { TextLines } from './text-lines.ts';

/** Longest signature, in characters. */
const LONGEST = 140;

/** One row for a symbol: `42: dispatch(call: ToolCall): Promise<ToolResult>  -- Runs a call`. */
export function symbolRow(symbol: SymbolOutline, { text }: Pick<SourceModule, 'text'>, lines: TextLines): string {
  const [first, ...more] = symbol.declarations;
  if (first === undefined) return symbol.name;
  const { head, keyword, doc } = first;
  const line = lines.lineAt(head.start);
  if (symbol.kind === 'imports') return `${line}: import  -- lines ${line}-${lines.lineAt(first.end - 1)}`;
  const also = more.length === 0 ? '' : ` (+${more.length} more)`;
  const name = symbol.name === 'default' && symbol.place === 'module' ? 'default ' : '';
  const signature = [keyword, signatureOf(text.slice(head.start, head.end))].filter((part) => part !== '').join(' ');
  const sentence = doc === undefined ? '' : docSentence(text.slice(doc.start, doc.end));
  return `${line}: ${name}${signature}${also}${sentence === '' ? '' : `  -- ${sentence}`}`;
}

/** Source text on one line, without what leads on to a body. */
function signatureOf(source: string): string {
  const collapsed = source
    .slice(0, LONGEST * 4)
    .replaceAll(/\s+/g, ' ')
    .replace(/[\s;,]*(?:=>?|\{)?\s*$/, '');
  return collapsed.length <= LONGEST ? collapsed : `${collapsed.slice(0, LONGEST - 1)}…`;
}
