/** The number of an operation in its journal. */
export function numberOf(id: string): number {
  return Number(id.slice(id.lastIndexOf('/') + 1));
}

/** The name of the journal that an operation is in. */
export function journalOf(id: string): string {
  return id.slice(0, id.lastIndexOf('/'));
}

/** The name of an operation among all of the workspace. */
export function idOf(journal: string, number: number): string {
  return `${journal}/${number}`;
}
