import { HISTORY_CAP } from '../protocol/limits.ts';
import { type Move, formatSpacePath, parsePath, type SpacePath, type SpaceTree } from '../protocol/space-path.ts';
import { findNearestAncestor, resolveSpace } from './find-spaces.ts';

/** The location of one session, and those before it. */
export class Navigation {
  readonly #tree: SpaceTree;
  #location: SpacePath;
  #history: readonly SpacePath[];

  constructor(tree: SpaceTree, location: SpacePath = [], history: readonly SpacePath[] = []) {
    this.#tree = tree;
    this.#location = location;
    this.#history = history;
  }

  /** Places that `back` returns to, the latest last. */
  get history(): readonly SpacePath[] {
    return this.#history;
  }

  /** The current location; empty at home. */
  get location(): SpacePath {
    return this.#location;
  }

  /**
   * Goes to a space by its dotted name, or to `home`, `back` or `up`. Going where one already is
   * changes nothing, and neither does a failure.
   *
   * @throws ResourceError when there is no such space
   */
  go(target: string): Move {
    const [name, ...rest] = parsePath(target);
    if (rest.length === 0 && name === 'back') return this.#back();
    if (rest.length === 0 && name === 'up')
      return this.#enter(findNearestAncestor(this.#tree, this.#location.slice(0, -1)));
    return this.#enter(resolveSpace(this.#tree, this.#location, target));
  }

  /**
   * Leaves a space that has disappeared for the nearest one above it that is still there.
   *
   * @returns what happened, as a sentence; undefined when the location is still there
   */
  settle(): string | undefined {
    const previous = this.#location;
    this.#location = findNearestAncestor(this.#tree, previous);
    if (this.#location.length === previous.length) return undefined;
    return `${formatSpacePath(previous)} is not there any more; you are in ${formatSpacePath(this.#location)} now. See what there is: nav()`;
  }

  #enter(to: SpacePath): Move {
    const from = this.#location;
    if (formatSpacePath(from) === formatSpacePath(to)) return { from, to, moved: false };
    this.#history = [...this.#history, from, ...listLevelsBetween(from, to)].slice(-HISTORY_CAP);
    this.#location = to;
    return { from, to, moved: true };
  }

  /** Remembered places may have disappeared, so that several of them can be the same place now. */
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

/** The levels between the common beginning of two paths and the second one, as if they had been walked. */
function listLevelsBetween(from: SpacePath, to: SpacePath): readonly SpacePath[] {
  let common = 0;
  while (common < to.length && from[common] === to[common]) common++;
  return to.slice(common, -1).map((_, index) => to.slice(0, common + index + 1));
}
