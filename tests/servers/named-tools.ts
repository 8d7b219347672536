/** A first word and the rests of names that begin with it: `get_{issue label}`. */
const GROUP = /([\w-]+)\{([^{}]*)\}/g;

/** The names of tools on a screen; many of them may have their first words once. */
export function findNamedTools(screen: string): ReadonlySet<string> {
  const names = new Set(screen.match(/[\w-]+/g));
  for (const [, word = '', rests = ''] of screen.matchAll(GROUP)) {
    for (const rest of rests.split(' ')) names.add(word + rest);
  }
  return names;
}
