import type { Span } from './outline.ts';

/** The places of declarations; those that have nothing of their own between them are one. */
export function joinedDeclarations(text: string, declarations: readonly Span[]): readonly Span[] {
  const joined: { start: number; end: number }[] = [];
  for (const { start, end } of declarations) {
    const before = joined.at(-1);
    if (before !== undefined && start <= before.end) before.end = Math.max(before.end, end);
    else if (before !== undefined && isEmpty(text.slice(before.end, start))) before.end = end;
    else joined.push({ start, end });
  }
  return joined;
}

function isEmpty(between: string): boolean {
  // Commas and semicolons divide what stands in objects and classes.
  return /^[\s,;]*$/.test(between.replaceAll(/\/\/.*|\/\*[^]*?\*\//g, ''));
}

/** The blanks between the beginning of a line and an index; `''` when something else stands there. */
export function indentBefore(text: string, index: number): string {
  const indent = text.slice(text.lastIndexOf('\n', index - 1) + 1, index);
  return /^[^\S\n]*$/.test(indent) ? indent.replace('\uFEFF', '') : '';
}
