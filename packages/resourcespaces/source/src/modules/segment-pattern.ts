/**
 * True when a list of names matches a pattern: `*` stands for any part of one name and `?` for one character, `**` for
 * any number of names. Takes time in proportion to the product of both lengths.
 */
export function matchesSegments(pattern: readonly string[], names: readonly string[]): boolean {
  return matchesSequence(pattern, names, { any: '**', matchesItem: matchesName });
}

function matchesName(pattern: string, name: string): boolean {
  if (!/[*?]/.test(pattern)) return pattern === name;
  return matchesSequence(pattern.split(''), name.split(''), { any: '*', matchesItem: matchesCharacter });
}

function matchesCharacter(pattern: string, char: string): boolean {
  return pattern === '?' || pattern === char;
}

interface SequenceRules {
  /** The part of a pattern that matches any number of items. */
  readonly any: string;
  readonly matchesItem: (part: string, item: string) => boolean;
}

function matchesSequence(pattern: readonly string[], items: readonly string[], rules: SequenceRules): boolean {
  // The numbers of items that the pattern so far can match.
  let reached = [true, ...items.map(() => false)];
  for (const part of pattern) {
    const next: boolean[] = [];
    for (const [at, isReached] of reached.entries()) {
      if (part === rules.any) next.push(isReached || next.at(-1) === true);
      else next.push(reached[at - 1] === true && rules.matchesItem(part, items[at - 1] as string));
    }
    reached = next;
  }
  return reached.at(-1) === true;
}
