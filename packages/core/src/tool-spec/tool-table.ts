import type { ToolSpec } from '../protocol/tool-definition.ts';
import { docLine } from './doc-line.ts';
import { signature, type SignatureOptions } from './signature.ts';
import { inToolOrder } from './tool-order.ts';

/** Signatures by tool name; one that does not name itself is named by its key. */
export type ToolSpecs = Readonly<Record<string, Omit<ToolSpec, 'name'> & { readonly name?: string }>>;

/**
 * All tools of a space, in their fixed order.
 *
 * In tag style a Markdown table; in call style one line per tool: `signature  -- doc`.
 */
export function toolTable(specs: ToolSpecs, options: SignatureOptions): string {
  const tools = inToolOrder(Object.keys(specs)).map((name): ToolSpec => ({ name, ...specs[name]! }));
  return options.style === 'tag' ? tagTable(tools) : callTable(tools, options);
}

function tagTable(tools: readonly ToolSpec[]): string {
  const rows = tools.map((spec) => {
    const cells = [spec.name, signature(spec, { style: 'tag' }), docLine(spec.doc)];
    return `| ${cells.map(escapeCell).join(' | ')} |`;
  });
  return ['| Tool | Signature | Description |', '|------|-----------|-------------|', ...rows].join('\n');
}

function escapeCell(text: string): string {
  return text.replaceAll('|', String.raw`\|`);
}

function callTable(tools: readonly ToolSpec[], options: SignatureOptions): string {
  const lines = tools.map((spec) => {
    const doc = docLine(spec.doc);
    const call = signature(spec, options);
    return doc === '' ? call : `${call}  -- ${doc}`;
  });
  return lines.join('\n');
}
