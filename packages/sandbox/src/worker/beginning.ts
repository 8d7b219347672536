/** The first so many characters of a text, without half a character at the end. */
export function beginning(text: string, length: number): string {
  if (text.length <= length) return text;
  const code = length > 0 ? text.charCodeAt(length - 1) : 0;
  return text.slice(0, code >= 0xd800 && code < 0xdc00 ? length - 1 : length);
}
