/** The first line of an answer as a sentence of its own, to be quoted in a complaint. */
export function firstLine(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return /[.!?:]$/.test(line) ? line : `${line}.`;
}
