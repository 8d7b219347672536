import { plainLine } from './plain-line.ts';

/** What a table says about a tool: the first line of its description that says anything. */
export function docLine(doc: string | undefined): string {
  for (const line of (doc ?? '').split('\n')) {
    const plain = plainLine(line).trim();
    if (plain !== '') return plain;
  }
  return '';
}
