/** Names that are listed. */
const MOST = 12;

/** Names on one line: the first of them, and how many more there are. */
export function listedNames(names: readonly string[]): string {
  const more = names.length > MOST ? `, … ${names.length - MOST} more` : '';
  return names.slice(0, MOST).join(', ') + more;
}
