import type { SpacePath, SpaceTree } from '../protocol/space-path.ts';
import { VERBS } from '../protocol/verbs.ts';

/** Spaces visited at most: a space that lists itself below itself would otherwise be endless. */
const MOST_SPACES = 10_000;

/** Every space below home and its path: level by level, each level in alphabetical order. */
export function* walkSpaces(tree: SpaceTree) {
  const ahead: SpacePath[] = [[]];
  let visited = 0;
  for (const parent of ahead) {
    for (const space of tree.below(parent)) {
      if (++visited > MOST_SPACES) return;
      const path = [...parent, space.name];
      yield { path, space };
      ahead.push(path);
    }
  }
}

/** The names of a source that is read only as far as needed, and never twice. */
export class LazyNames implements Iterable<string> {
  readonly #source: Iterator<string>;
  readonly #names = new Set<string>();

  constructor(source: Iterator<string>) {
    this.#source = source;
  }

  has(name: string): boolean {
    return this.#names.has(name) || this.#readThrough(name);
  }

  [Symbol.iterator](): Iterator<string> {
    this.#readThrough();
    return this.#names.values();
  }

  /** Reads the source up to a name, or all of it. */
  #readThrough(name?: string): boolean {
    for (let next = this.#source.next(); next.done !== true; next = this.#source.next()) {
      this.#names.add(next.value);
      if (next.value === name) return true;
    }
    return false;
  }
}

/** `help`, and the tools of every space that are no verbs; spaces nearer to home first. */
export function* listCustomTools(tree: SpaceTree): Generator<string> {
  const verbs: ReadonlySet<string> = new Set(VERBS);
  const custom = (tools: object) => Object.keys(tools).filter((name) => !verbs.has(name));
  yield 'help';
  yield* custom(tree.home.tools);
  for (const { space } of walkSpaces(tree)) yield* custom(space.tools);
}
