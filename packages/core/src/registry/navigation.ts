import { HISTORY_CAP } from '../protocol/limits.ts';
import { type Move, formatSpacePath, parsePath, type SpacePath, type SpaceTree } from '../protocol/space-path.ts';
import { resolveSpace } from './resolve-space.ts';

/** Where one session stands, and where it was before. */
export class Navigation {
  /**
   * @param at where to stand at first; home by default
   * @param past places to go back to, the latest last
   */
  constructor(
    private readonly tree: SpaceTree,
    private at: SpacePath = [],
    private past: readonly SpacePath[] = [],
  ) {}

  /** Places that `back` returns to, the latest last. */
  get history(): readonly SpacePath[] {
    return this.past;
  }

  /** Where the session stands; empty at home. */
  get location(): SpacePath {
    return this.at;
  }

  /**
   * Goes to a space by its dotted name, or to `home`, `back` or `up`. Going where one already is
   * changes nothing, and neither does a failure.
   *
   * @throws ResourceError when there is no such space
   */
  go(target: string): Move {
    const [name, ...rest] = parsePath(target);
    if (rest.length === 0 && name === 'back') return this.back();
    if (rest.length === 0 && name === 'up') return this.enter(this.nearestLiving(this.at.slice(0, -1)));
    return this.enter(resolveSpace(this.tree, this.at, target));
  }

  /**
   * Leaves a space that has disappeared for the nearest one above it that is still there.
   *
   * @returns what happened, as a sentence; undefined when the location is still there
   */
  settle(): string | undefined {
    const gone = this.at;
    this.at = this.nearestLiving(gone);
    if (this.at.length === gone.length) return undefined;
    return `${formatSpacePath(gone)} is not there any more; you are in ${formatSpacePath(this.at)} now. See what there is: nav()`;
  }

  private enter(to: SpacePath): Move {
    const from = this.at;
    if (formatSpacePath(from) === formatSpacePath(to)) return { from, to, moved: false };
    this.past = [...this.past, from, ...implied(from, to)].slice(-HISTORY_CAP);
    this.at = to;
    return { from, to, moved: true };
  }

  /** Remembered places may have disappeared, so that several of them can be the same place now. */
  private back(): Move {
    const from = this.at;
    while (this.past.length > 0) {
      const to = this.nearestLiving(this.past.at(-1)!);
      this.past = this.past.slice(0, -1);
      if (formatSpacePath(to) === formatSpacePath(from)) continue;
      this.at = to;
      return { from, to, moved: true };
    }
    return { from, to: from, moved: false };
  }

  private nearestLiving(path: SpacePath): SpacePath {
    let living = path;
    while (living.length > 0 && this.tree.at(living) === undefined) living = living.slice(0, -1);
    return living;
  }
}

/** The levels between the common beginning of two paths and the second one, as if they had been walked. */
function implied(from: SpacePath, to: SpacePath): readonly SpacePath[] {
  let common = 0;
  while (common < to.length && from[common] === to[common]) common++;
  return to.slice(common, -1).map((_, index) => to.slice(0, common + index + 1));
}
