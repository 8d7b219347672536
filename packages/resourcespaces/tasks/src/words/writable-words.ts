/** The words of a search as they can stand in a tag. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, ' ');
}

/** A pattern as it can stand in a tag: what cannot is any one character to a pattern. */
export function writablePattern(pattern: string): string {
  return pattern.replaceAll(/[<>]|\s/gu, (character) => (character === ' ' ? ' ' : '?'));
}
