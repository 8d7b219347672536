import type { SpaceTree } from '../protocol/space-tree.ts';
import { VERBS } from '../protocol/verbs.ts';
import { walkSpaces } from './walk-spaces.ts';

/** Names that can be asked for and listed. */
export interface NameSet extends Iterable<string> {
  has(name: string): boolean;
}

/** Names out of a source that is only read as far as needed, and never twice. */
export class LazyNames implements NameSet {
  private readonly found = new Set<string>();

  constructor(private readonly source: Iterator<string>) {}

  has(name: string): boolean {
    if (this.found.has(name)) return true;
    for (let next = this.source.next(); next.done !== true; next = this.source.next()) {
      this.found.add(next.value);
      if (next.value === name) return true;
    }
    return false;
  }

  [Symbol.iterator](): Iterator<string> {
    for (let next = this.source.next(); next.done !== true; next = this.source.next()) this.found.add(next.value);
    return this.found.values();
  }
}

/** `help`, and the tools of every space that are no verbs; spaces nearer to home first. */
export function* customToolNames(tree: SpaceTree): Generator<string> {
  const verbs: ReadonlySet<string> = new Set(VERBS);
  const custom = (tools: object) => Object.keys(tools).filter((name) => !verbs.has(name));
  yield 'help';
  yield* custom(tree.home.tools);
  for (const { space } of walkSpaces(tree)) yield* custom(space.tools);
}
