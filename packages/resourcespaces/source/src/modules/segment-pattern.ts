/**
 * True when a list of names matches a pattern: `*` stands for any part of one name and `?` for one character, `**` for
 * any number of names. Takes time in proportion to the product of both lengths.
 */
export function matchesSegments(pattern: readonly string[], names: readonly string[]): boolean {
  // The numbers of names that the pattern so far can match.
  let reached = names.map(() => false);
  reached.unshift(true);
  for (const part of pattern) {
    const next = reached.map(() => false);
    for (let at = 0; at < reached.length; at++) {
      if (part === '**') next[at] = reached[at] === true || next[at - 1] === true;
      else if (at > 0) next[at] = reached[at - 1] === true && matchesName(part, names[at - 1] as string);
    }
    reached = next;
  }
  return reached.at(-1) === true;
}

function matchesName(pattern: string, name: string): boolean {
  let [at, index] = [0, 0];
  let [star, from] = [-1, 0];
  while (index < name.length) {
    if (pattern[at] === '*') {
      star = at++;
      from = index;
    } else if (pattern[at] === '?' || pattern[at] === name[index]) {
      at++;
      index++;
    } else if (star === -1) {
      return false;
    } else {
      // Backtrack: the last star matches one character more.
      at = star + 1;
      index = ++from;
    }
  }
  while (pattern[at] === '*') at++;
  return at === pattern.length;
}
