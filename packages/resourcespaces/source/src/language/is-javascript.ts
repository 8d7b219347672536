/** True for a file that types can stand in only as comments. */
export function isJavaScript(path: string): boolean {
  return /\.[cm]?jsx?$/.test(path);
}
