import { pageLength } from '@bae/core';

/** The lines of a text, each with the line feed that ends it; the last may have none. */
export function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+/g) ?? [];
}

/** How many lines, from an index on, fit one page; 0 when the first alone does not. */
export function linesOnPage(lines: readonly string[], from: number): number {
  let characters = 0;
  let count = 0;
  for (; from + count < lines.length; count++) {
    const line = lines[from + count] as string;
    // The line feed of the last line is not shown, so it may hang over the edge.
    if (characters + withoutFeed(line).length > pageLength()) break;
    characters += line.length;
  }
  return count;
}

/** A line without the line feed that ends it. */
export function withoutFeed(line: string): string {
  return line.endsWith('\n') ? line.slice(0, -1) : line;
}
