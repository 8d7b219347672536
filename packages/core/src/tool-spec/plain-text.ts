const ESCAPE = String.fromCharCode(27);
const COLOUR_CODE = new RegExp(String.raw`${ESCAPE}\[[0-?]*[ -/]*[@-~]`, 'g');

/** Removes colour codes, line breaks and other control characters, because descriptions may come from anywhere. */
export function stripControlCharacters(text: string): string {
  return text.replace(COLOUR_CODE, '').replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ');
}

/** Returns the first line of a tool's description that is not blank, for tables. */
export function getFirstDocLine(doc: string | undefined): string {
  for (const line of (doc ?? '').split('\n')) {
    const plain = stripControlCharacters(line).trim();
    if (plain !== '') return plain;
  }
  return '';
}

/** Returns the first sentence of that line, at most 200 characters. */
export function getFirstSentence(doc: string | undefined): string {
  const line = getFirstDocLine(doc);
  return /^.{1,200}?[.!?](?=\s|$)/u.exec(line)?.[0] ?? line.slice(0, 200);
}
