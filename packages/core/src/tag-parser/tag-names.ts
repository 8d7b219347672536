import { nearestName } from '../nearest-name/nearest-name.ts';
import { NEAR_MISS_MIN } from '../protocol/limits.ts';
import { TAG_NAMES, VERBS } from '../protocol/verbs.ts';
import type { ParseOptions } from './parse-options.ts';

/** What the name of a tag stands for. */
export interface TagName {
  /** One of the five verbs or a custom tool. Tags of one verb share their closing tags. */
  readonly verb: string;
  /** Dotted space of a qualified name. */
  readonly space: string | undefined;
}

/** Unknown names compared with the known ones per text: more of them are markup, not misspelt calls. */
const MOST_LOOKUPS = 64;

const LONGEST_NAME = 256;

const NAVIGATION = new Set(['home', 'back', 'up', 'nav']);

/** Answers what a name in a text means; remembers every answer for as long as the text lasts. */
export class TagNames {
  readonly #options: ParseOptions;
  readonly #resolved = new Map<string, TagName | undefined>();
  readonly #nearMisses = new Map<string, string | undefined>();

  constructor(options: ParseOptions) {
    this.#options = options;
  }

  /** The verb or tool a name stands for: `W`, `Done`, `source.read`; undefined when it stands for none. */
  resolve(written: string): TagName | undefined {
    if (written.length > LONGEST_NAME) return undefined;
    const known = this.#resolved.get(written);
    if (known !== undefined || this.#resolved.has(written)) return known;
    const name = this.#qualified(written) ?? this.#verb(written);
    this.#resolved.set(written, name);
    return name;
  }

  /** The known name that an unknown one was probably meant to be. */
  nearMiss(written: string): string | undefined {
    return this.#lookedUp(written, () => {
      const dot = written.lastIndexOf('.');
      return dot === -1 || this.#isSpacePath(written.slice(0, dot))
        ? this.#nearToolName(written, dot + 1)
        : this.#nearSpaceName(written, dot);
    });
  }

  /** True when `@name()` was probably meant to be a move. */
  isNearPlace(dotted: string): boolean {
    return this.#lookedUp(`@${dotted}`, () => this.#nearSpacePath(dotted, NAVIGATION)) !== undefined;
  }

  /** True when a name was met before and found to be a near miss. */
  wasNearMiss(written: string): boolean {
    return this.#nearMisses.get(written) !== undefined;
  }

  /** True when `@name()` is a move: the first part of the dotted name is a root space, or home, back, up, nav. */
  isPlace(dotted: string): boolean {
    return isDotted(dotted) && (NAVIGATION.has(firstPart(dotted)) || this.#isSpacePath(dotted));
  }

  #lookedUp(written: string, nearestTo: () => string | undefined): string | undefined {
    if (written.length > LONGEST_NAME) return undefined;
    const known = this.#nearMisses.get(written);
    if (known !== undefined || this.#nearMisses.has(written)) return known;
    if (this.#nearMisses.size >= MOST_LOOKUPS) return undefined;
    const nearest = nearestTo();
    this.#nearMisses.set(written, nearest);
    return nearest;
  }

  #verb(written: string): TagName | undefined {
    const lower = written.toLowerCase();
    if (Object.hasOwn(TAG_NAMES, lower)) return { verb: TAG_NAMES[lower]!, space: undefined };
    const { tools } = this.#options;
    if (tools === undefined) return undefined;
    if (tools.has(written)) return { verb: written, space: undefined };
    const uncapitalised = written.charAt(0).toLowerCase() + written.slice(1);
    return uncapitalised !== written && tools.has(uncapitalised)
      ? { verb: uncapitalised, space: undefined }
      : undefined;
  }

  #qualified(written: string): TagName | undefined {
    const dot = written.lastIndexOf('.');
    const space = written.slice(0, Math.max(dot, 0));
    if (!this.#isSpacePath(space)) return undefined;
    const name = this.#verb(written.slice(dot + 1));
    return name && { verb: name.verb, space };
  }

  #isSpacePath(dotted: string): boolean {
    return isDotted(dotted) && this.#options.spaces?.has(firstPart(dotted)) === true;
  }

  #nearToolName(written: string, start: number): string | undefined {
    const names = [...VERBS, ...(this.#options.tools ?? [])];
    const nearest = nearestName(written.slice(start), names, NEAR_MISS_MIN);
    return nearest === undefined ? undefined : written.slice(0, start) + nearest;
  }

  /** The name with another space in front of the same tool: `source.R` for `sorce.R`. */
  #nearSpaceName(written: string, dot: number): string | undefined {
    const nearest = this.#verb(written.slice(dot + 1)) && this.#nearSpacePath(written.slice(0, dot));
    return nearest && nearest + written.slice(dot);
  }

  #nearSpacePath(path: string, others: Iterable<string> = []): string | undefined {
    const { misspeltSpaces, spaces = [] } = this.#options;
    if (misspeltSpaces !== 'problem' || !isDotted(path)) return undefined;
    const first = firstPart(path);
    const nearest = nearestName(first, [...spaces, ...others], NEAR_MISS_MIN);
    return nearest && nearest + path.slice(first.length);
  }
}

function firstPart(dotted: string): string {
  const dot = dotted.indexOf('.');
  return dot === -1 ? dotted : dotted.slice(0, dot);
}

function isDotted(dotted: string): boolean {
  return dotted !== '' && !dotted.startsWith('.') && !dotted.endsWith('.') && !dotted.includes('..');
}
