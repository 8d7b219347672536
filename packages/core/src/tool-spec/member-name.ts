const PLAIN = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;

/** A name as it stands in a type, after a dot or in brackets: any will do. */
export function memberName(name: string): string {
  return PLAIN.test(name) ? name : JSON.stringify(name);
}
