/** Characters that take two columns: East Asian wide and full-width ones, and emoji. */
const WIDE =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6\u{1F1E6}-\u{1F1FF}\u{1F300}-\u{1FAFF}\u{20000}-\u{3FFFD}]|\p{Emoji_Presentation}/u;
/** Characters that take none: marks on the one before, and what is not shown at all. */
const NARROW = /[\p{Mn}\p{Me}\p{Cf}\p{Cc}]/u;

/** Columns that a text takes in a terminal. */
export function textWidth(text: string): number {
  let width = 0;
  for (const character of text) width += columnsOf(character);
  return width;
}

/** The beginning of a text that fits into some columns, with `…` at the end when something is missing. */
export function fitted(text: string, columns: number): string {
  if (textWidth(text) <= columns) return text;
  let width = 0;
  let kept = '';
  for (const character of text) {
    width += columnsOf(character);
    if (width > columns - 1) break;
    kept += character;
  }
  return columns < 1 ? '' : `${kept}…`;
}

/** A text cut or filled up with blanks to exactly some columns. */
export function padded(text: string, columns: number): string {
  const cut = fitted(text, columns);
  return cut + ' '.repeat(Math.max(0, columns - textWidth(cut)));
}

function columnsOf(character: string): number {
  if (character < '\u007F') return character < ' ' ? 0 : 1;
  if (NARROW.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}
