/** Longest text that is searched whole, in UTF-16 code units. */
const LONGEST = 10_000;

/** A text as it is searched and shown in lists. */
export interface SearchableText {
  readonly content: string;
  /** Says that the content is cut, and how long it was. */
  readonly meta: { readonly truncated?: true; readonly original_length?: number };
}

/** The beginning of a text, at most 10,000 characters, readable for SQLite. */
export function searchableText(text: string): SearchableText {
  if (text.length <= LONGEST) return { content: plainText(text), meta: {} };
  return { content: plainText(text.slice(0, endOfCut(text))), meta: { truncated: true, original_length: text.length } };
}

/** A text without what SQLite takes for its end, and without halves of characters. */
export function plainText(text: string): string {
  return text.replaceAll('\0', '\ufffd').toWellFormed();
}

function endOfCut(text: string): number {
  const point = text.codePointAt(LONGEST - 1) ?? 0;
  return point > 0xffff ? LONGEST - 1 : LONGEST;
}
