const ESCAPE = String.fromCharCode(27);
const COLOUR_CODE = new RegExp(String.raw`${ESCAPE}\[[0-?]*[ -/]*[@-~]`, 'g');

/** A text without colour codes, line breaks and other control characters: descriptions may come from anywhere. */
export function plainLine(text: string): string {
  return text.replace(COLOUR_CODE, '').replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, ' ');
}
