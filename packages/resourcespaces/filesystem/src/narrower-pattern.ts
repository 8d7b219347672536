const MAGIC = /[*?[\]{}\\]/;

/**
 * A file pattern that names fewer of the files found: the folder with the most of them and their commonest
 * ending; where all lie in one folder, the commonest ending or first letter.
 *
 * @param paths files that the pattern found, at least one
 */
export function narrowerPattern(pattern: string, paths: readonly string[]): string {
  const base = speltOut(pattern);
  const prefix = base === '' ? '' : `${base}/`;
  const below = paths.map((path) => path.slice(prefix.length));
  const folder = commonest(below.filter((path) => path.includes('/')).map((path) => path.slice(0, path.indexOf('/'))));
  if (folder !== undefined) {
    const inside = below.filter((path) => path.startsWith(`${folder}/`));
    return `${prefix}${folder}/**/*${commonest(inside.map(ending)) ?? ''}`;
  }
  const endings = below.map(ending);
  const end = commonest(endings) ?? '';
  if (endings.some((other) => other !== end)) return `${prefix}*${end}`;
  return `${prefix}${commonest(below.map((path) => Array.from(path)[0] ?? '')) ?? ''}*${end}`;
}

/** The leading folders of a pattern that have nothing to expand. */
function speltOut(pattern: string): string {
  const folders = pattern.split('/').slice(0, -1);
  const end = folders.findIndex((part) => MAGIC.test(part));
  return (end === -1 ? folders : folders.slice(0, end)).join('/');
}

/** `.ts` of `a.test.ts`, nothing for a name without a dot inside. */
function ending(path: string): string {
  return /[^/](\.[^./]+)$/.exec(path)?.[1] ?? '';
}

function commonest(values: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  let best: string | undefined;
  for (const [value, count] of counts) if (best === undefined || count > (counts.get(best) as number)) best = value;
  return best;
}
