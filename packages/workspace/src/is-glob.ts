/** True when a text has any of the characters that make a file pattern. */
export function isGlob(text: string): boolean {
  return /[*?[{]/.test(text);
}
