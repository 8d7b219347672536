/** Maximum number of tools in one place: more do not fit on one screen. */
const MOST_TOOLS = 30;
/** Minimum number of tools in a separate place. */
const LEAST_TOOLS = 4;
/** Maximum number of places that a screen names, besides those for resources and prompts. */
const MOST_PLACES = 10;
/** Maximum number of words of a name that are looked at. */
const MOST_WORDS = 12;
/** Share of all names above which a word is too common to be a subject. */
const USUAL_SHARE = 0.6;

/** Words that name an action instead of a subject: no place is named after them. */
const VERBS: ReadonlySet<string> = new Set(
  `add all apply approve archive assign by call cancel check clear close configure confirm connect convert copy count
  create delete deploy describe disable download edit enable execute export fetch find for from generate get import in
  insert install list load lock mark merge move my of on open or patch post publish pull push put query read remove
  rename replace reset resolve restore resume retrieve run save search select send set show start stop submit sync test
  to toggle tool trigger uninstall unlock update upload upsert use validate verify view wait with write`.split(/\s+/),
);

/** Tools by the name of their subspace; the key '' has the tools that stay in the server's own space. */
export type ToolGroups = ReadonlyMap<string, readonly string[]>;

/**
 * Groups the tools of a server by the subject of their names, so that no place has more tools than fit on one screen.
 * Servers with few tools are not divided.
 */
export function groupTools(names: readonly string[]): ToolGroups {
  if (names.length <= MOST_TOOLS) return new Map([['', names]]);
  const groups = new Map<string, readonly string[]>();
  const all = names.map((name) => ({ name, nouns: listNouns(name) }));
  // A word that is in nearly every name, such as the name of the product, does not distinguish them.
  const usual = countEach(all.map(({ nouns }) => nouns));
  let left = all.map(({ name, nouns }) => ({
    name,
    nouns: nouns.filter((noun) => usual.get(noun)! < names.length * USUAL_SHARE),
  }));
  for (;;) {
    const noun = findNoun(left.map(({ nouns }) => nouns));
    if (noun === undefined) break;
    const isAbout = ({ nouns }: { readonly nouns: readonly string[] }): boolean => nouns.includes(noun);
    addGroup(groups, noun, left.filter(isAbout));
    left = left.filter((one) => !isAbout(one));
  }
  const own = left.map(({ name }) => name);
  for (const [noun, some] of [...groups].toSorted(([, a], [, b]) => a.length - b.length)) {
    if (groups.size <= MOST_PLACES || own.length + some.length > MOST_TOOLS) break;
    groups.delete(noun);
    own.push(...some);
  }
  if (own.length > MOST_TOOLS) addGroup(groups, 'more', left);
  else groups.set('', own);
  return groups;
}

/** Adds a place, or several numbered places when one would have too many tools. */
function addGroup(
  groups: Map<string, readonly string[]>,
  noun: string,
  tools: readonly { readonly name: string }[],
): void {
  const names = tools.map(({ name }) => name);
  const parts = Math.ceil(names.length / MOST_TOOLS);
  const size = Math.ceil(names.length / parts);
  for (let part = 0; part < parts; part++)
    groups.set(parts === 1 ? noun : `${noun}_${part + 1}`, names.slice(part * size, (part + 1) * size));
}

/**
 * Finds the most common subject among those whose tools fit in one place, otherwise the most common of all. Returns
 * undefined when no subject has enough tools.
 */
function findNoun(all: readonly (readonly string[])[]): string | undefined {
  // On a tie, prefer the more exact subject: merge_request, not merge or request.
  const ranked = [...countEach(all)]
    .filter(([, count]) => count >= LEAST_TOOLS)
    .toSorted(([a, many], [b, more]) => more - many || b.length - a.length || (a < b ? -1 : 1));
  return (ranked.find(([, count]) => count <= MOST_TOOLS) ?? ranked[0])?.[0];
}

function countEach(all: readonly (readonly string[])[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const nouns of all) {
    for (const noun of nouns) counts.set(noun, (counts.get(noun) ?? 0) + 1);
  }
  return counts;
}

/** Lists the words of a name that are not verbs, and pairs of words that end with such a word, all in the singular. */
function listNouns(name: string): readonly string[] {
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z\d]+/, MOST_WORDS)
    .map(toSingular);
  const pairs = words.flatMap((word, index) => {
    const next = words[index + 1];
    // A verb can be the first half of a noun: merge_request.
    return index > 0 && isNoun(next) && word.length > 1 && !/^\d/.test(word) ? [`${word}_${next}`] : [];
  });
  return [...new Set([...words.filter(isNoun), ...pairs])];
}

function isNoun(word: string | undefined): word is string {
  return word !== undefined && word.length > 1 && !VERBS.has(word) && !/^\d/.test(word);
}

function toSingular(word: string): string {
  if (word.length <= 3 || !/[^su]s$/.test(word)) return word;
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return word.slice(0, /(?:[cs]h|x|ss)es$/.test(word) ? -2 : -1);
}
