const NAME_CHARACTER = /^[A-Za-z0-9_.-]$/;
const IS_NAME = Uint8Array.from({ length: 128 }, (_, code) => (NAME_CHARACTER.test(String.fromCharCode(code)) ? 1 : 0));

/** True for what may stand around a tag on its line: space, tab, a stray carriage return, a byte order mark. */
export function isBlank(code: number): boolean {
  return code === 32 || code === 9 || code === 13 || code === 0xfeff;
}

/** Index of the first character from `at` on that is not blank, or the end of the text. */
export function skipBlanks(text: string, at: number): number {
  let index = at;
  while (index < text.length && isBlank(text.charCodeAt(index))) index++;
  return index;
}

/** Index of the first character from `at` on that cannot be part of a dotted name. */
export function nameEnd(text: string, at: number): number {
  let index = at;
  // `NaN` behind the end of the text is no index of the table either.
  while (IS_NAME[text.charCodeAt(index)] === 1) index++;
  return index;
}
