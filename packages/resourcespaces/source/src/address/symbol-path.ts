/**
 * The names of a symbol path: `A.#state` is `A` and `#state`, `A.[Symbol.iterator]` is `A` and `[Symbol.iterator]`.
 *
 * @returns undefined when one of the names is empty
 */
export function symbolPath(path: string): readonly string[] | undefined {
  const names: string[] = [];
  let name = '';
  let depth = 0;
  for (const char of path) {
    if (char === '[') depth++;
    if (char === ']') depth = Math.max(0, depth - 1);
    if (char === '.' && depth === 0) {
      names.push(name);
      name = '';
    } else {
      name += char;
    }
  }
  names.push(name);
  return names.includes('') ? undefined : names;
}
