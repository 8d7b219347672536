/** A text as lines, without line ends and without blank lines around it. */
export interface TextLines {
  readonly lines: readonly string[];
  /** What is lost at least when the text is put together from its lines again. */
  readonly lost: 'blank lines' | 'carriage returns';
}

/** Splits a text at line feeds; a carriage return before one belongs to it. */
export function textLines(text: string): TextLines {
  const all = text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  let start = 0;
  let end = all.length;
  while (start < end && isBlank(all[start]!)) start++;
  while (end > start && isBlank(all[end - 1]!)) end--;
  const lines = all.slice(start, end);
  // A single line feed at the end of the text is no blank line.
  const around = start > 0 || all.length - end > 1;
  return { lines, lost: around || lines.some(isBlank) ? 'blank lines' : 'carriage returns' };
}

function isBlank(line: string): boolean {
  return line.trim() === '';
}
