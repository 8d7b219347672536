/** True for what leads out of code mode, or says what there is, even where code is open. */
export function isWayOut(line: string): boolean {
  return /^\/(?:code|exit|quit|help(?: [\w.-]+)?)\s*$/.test(line);
}
