import { HISTORY_CAP } from '../protocol/limits.ts';
import { type Move, formatSpacePath, parsePath, type SpacePath, type SpaceTree } from '../protocol/space-path.ts';
import { findNearestAncestor, resolveSpace } from './find-spaces.ts';

/** Current location of one session, and its earlier ones. */
export class Navigation {
  readonly #tree: SpaceTree;
  #location: SpacePath;
  #history: readonly SpacePath[];

  constructor(tree: SpaceTree, location: SpacePath = [], history: readonly SpacePath[] = []) {
    this.#tree = tree;
    this.#location = location;
    this.#history = history;
  }

  /** Places to which `back` returns, most recent last. */
  get history(): readonly SpacePath[] {
    return this.#history;
  }

  /** The current location; empty at home. */
  get location(): SpacePath {
    return this.#location;
  }

  /**
   * Moves to a space by its dotted name, or to `home`, `back` or `up`. A move to the current location changes nothing,
   * and neither does a failure.
   *
   * @throws ResourceError if there is no such space
   */
  go(target: string): Move {
    const [name, ...rest] = parsePath(target);
    if (rest.length === 0 && name === 'back') return this.#back();
    if (rest.length === 0 && name === 'up')
      return this.#enter(findNearestAncestor(this.#tree, this.#location.slice(0, -1)));
    return this.#enter(resolveSpace(this.#tree, this.#location, target));
  }

  /**
   * Leaves a space that has disappeared for its nearest existing ancestor.
   *
   * @returns a sentence about what happened; undefined if the location still exists
   */
  settle(): string | undefined {
    const previous = this.#location;
    this.#location = findNearestAncestor(this.#tree, previous);
    if (this.#location.length === previous.length) return undefined;
    return `${formatSpacePath(previous)} no longer exists; you are in ${formatSpacePath(this.#location)} now. See what there is: nav()`;
  }

  #enter(to: SpacePath): Move {
    const from = this.#location;
    if (formatSpacePath(from) === formatSpacePath(to)) return { from, to, moved: false };
    this.#history = [...this.#history, from, ...listLevelsBetween(from, to)].slice(-HISTORY_CAP);
    this.#location = to;
    return { from, to, moved: true };
  }

  /** Remembered places may have disappeared, so that several of them may now be the same place. */
  #back(): Move {
    const from = this.#location;
    while (this.#history.length > 0) {
      const to = findNearestAncestor(this.#tree, this.#history.at(-1)!);
      this.#history = this.#history.slice(0, -1);
      if (formatSpacePath(to) === formatSpacePath(from)) continue;
      this.#location = to;
      return { from, to, moved: true };
    }
    return { from, to: from, moved: false };
  }
}

/**
 * Lists the levels between the common beginning of two paths and the second path, as if the session had moved through
 * each of them.
 */
function listLevelsBetween(from: SpacePath, to: SpacePath): readonly SpacePath[] {
  let common = 0;
  while (common < to.length && from[common] === to[common]) common++;
  return to.slice(common, -1).map((_, index) => to.slice(0, common + index + 1));
}
