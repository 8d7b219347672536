/**
 * Makes a text from outside harmless to a terminal: what would move the cursor, change colours, open
 * links, reverse the reading direction or hide is shown as a visible sign. Line breaks and tabs stay.
 *
 * @returns `␛[31m` for a colour code, `<U+202E>` for a character without a picture of its own
 */
export function makeVisible(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(UNSAFE, visible);
}

/** The same for something that has to stay on one line. */
export function visibleLine(text: string): string {
  return makeVisible(text.replaceAll(/\r?\n/g, '⏎')).replaceAll('\t', ' ');
}

/**
 * Control characters; format characters, among them the bidi overrides, zero-width ones, the byte order
 * mark and invisible tags; separators of lines and paragraphs; fillers that show nothing; halves of
 * surrogate pairs.
 */
const UNSAFE = /\u034F|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u115F\u1160\u3164\uFFA0]|\u17B4|\u17B5/gu;

function visible(character: string): string {
  if (character === '\n' || character === '\t') return character;
  const point = character.codePointAt(0)!;
  if (point < 0x20) return String.fromCodePoint(0x2400 + point);
  if (point === 0x7f) return '␡';
  return `<U+${point.toString(16).toUpperCase().padStart(4, '0')}>`;
}
