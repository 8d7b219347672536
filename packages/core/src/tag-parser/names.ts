import { findNearestName } from '../nearest-name/nearest-name.ts';
import { NEAR_MISS_MIN } from '../protocol/limits.ts';
import { findVerb, VERBS } from '../protocol/verbs.ts';
import { unicodePattern } from '../tool-spec/plain-text.ts';

/**
 * Names that currently exist; a `Set` satisfies this. `has` is called often, the iterator only to explain a
 * misspelling.
 */
export interface KnownNames {
  has(name: string): boolean;
  [Symbol.iterator](): Iterator<string>;
}

/** Names that a text may use besides the five verbs. */
export interface ParseOptions {
  /** Root spaces: the first part of qualified names and of `@name()`. */
  readonly spaces?: KnownNames;
  /** Custom tools of any space. */
  readonly tools?: KnownNames;
  /** Treatment of `<sorce.R:math>` and `@sorce()`, whose space is similar to a known one. Default: prose. */
  readonly misspeltSpaces?: 'prose' | 'problem';
  /** Returns the dotted space that a tool has to be called in, if it is not of the current place. Default: it is. */
  readonly locate?: (tool: string) => string | undefined;
}

/** Meaning of the name of a tag. */
export interface TagName {
  /** One of the five verbs or a custom tool. Tags of one verb share their closing tags. */
  readonly verb: string;
  /** Dotted space of a qualified name. */
  readonly space: string | undefined;
}

/**
 * Maximum number of unknown names per text that are compared with the known ones: with more, they are markup, not
 * misspelt calls.
 */
const MOST_COMPARISONS = 64;

const LONGEST_NAME = 256;

const TAG_NAME = unicodePattern(String.raw`^<?([\p{L}\p{N}_-]+)(?=:|$)`);
const TOOL_NAME = /^[a-z][\w-]*$/i;

const NAVIGATION = new Set(['home', 'back', 'up', 'nav', 'where']);

/** Resolves the names in one text, and caches the results. */
export class TagNames {
  readonly #options: ParseOptions;
  readonly #resolved = new Map<string, TagName | undefined>();
  readonly #nearMisses = new Map<string, string | undefined>();
  readonly #places = new Map<string, boolean>();

  constructor(options: ParseOptions) {
    this.#options = options;
  }

  /** Returns the verb or tool of a name such as `W`, `Done` or `source.read`; undefined if it is unknown. */
  resolve(written: string): TagName | undefined {
    if (written.length > LONGEST_NAME) return undefined;
    if (this.#resolved.has(written)) return this.#resolved.get(written);
    const name = this.#resolveQualified(written) ?? this.#resolvePlain(written);
    this.#resolved.set(written, name);
    return name;
  }

  /** Finds the known name that was probably meant by an unknown one. */
  findNearMiss(written: string): string | undefined {
    return this.#cacheNearMiss(written, () => {
      const dot = written.lastIndexOf('.');
      return dot === -1 || this.#isSpacePath(written.slice(0, dot))
        ? this.#findNearTool(written, dot + 1)
        : this.#findNearSpace(written, dot);
    });
  }

  /** Adds the space of the tool to a tag that is suggested, `<exec:ls>`, or to its name, if it needs one. */
  qualify(tag: string): string {
    const [mark, name = ''] = TAG_NAME().exec(tag) ?? [];
    const verb = mark === undefined ? undefined : this.#resolvePlain(name)?.verb;
    const space = verb === undefined ? undefined : this.#options.locate?.(verb);
    return space === undefined ? tag : `${tag.slice(0, tag.indexOf(name))}${space}.${tag.slice(tag.indexOf(name))}`;
  }

  /** Returns true if `findNearMiss` has already found a known name for an unknown one. */
  wasNearMiss(written: string): boolean {
    return this.#nearMisses.get(written) !== undefined;
  }

  /** Returns true if `@name()` is a move: the dotted name begins with a root space, home, back, up, nav or where. */
  isPlace(dotted: string): boolean {
    const known = this.#places.get(dotted);
    if (known !== undefined) return known;
    const isPlace = isDotted(dotted) && (NAVIGATION.has(firstPart(dotted)) || this.#isSpacePath(dotted));
    if (dotted.length <= LONGEST_NAME) this.#places.set(dotted, isPlace);
    return isPlace;
  }

  /** Returns true if `@name()` is probably a misspelt move. */
  isNearPlace(dotted: string): boolean {
    return this.#cacheNearMiss(`@${dotted}`, () => this.#findNearPath(dotted, NAVIGATION)) !== undefined;
  }

  #cacheNearMiss(written: string, find: () => string | undefined): string | undefined {
    if (written.length > LONGEST_NAME) return undefined;
    if (this.#nearMisses.has(written)) return this.#nearMisses.get(written);
    if (this.#nearMisses.size >= MOST_COMPARISONS) return undefined;
    const nearest = find();
    this.#nearMisses.set(written, nearest);
    return nearest;
  }

  #resolvePlain(written: string): TagName | undefined {
    const spellings = [written, written.charAt(0).toLowerCase() + written.slice(1)];
    const verb = findVerb(written) ?? spellings.find((name) => this.#options.tools?.has(name) === true);
    return verb === undefined ? undefined : { verb, space: undefined };
  }

  #resolveQualified(written: string): TagName | undefined {
    const dot = written.lastIndexOf('.');
    const space = written.slice(0, Math.max(dot, 0));
    if (!this.#isSpacePath(space)) return undefined;
    const name = written.slice(dot + 1);
    const verb = this.#resolvePlain(name)?.verb;
    if (verb !== undefined) return { verb, space };
    // A tool that a known space does not have is answered with those that it has, unless another one is meant.
    return TOOL_NAME.test(name) && this.findNearMiss(written) === undefined ? { verb: name, space } : undefined;
  }

  #isSpacePath(dotted: string): boolean {
    return isDotted(dotted) && this.#options.spaces?.has(firstPart(dotted)) === true;
  }

  #findNearTool(written: string, start: number): string | undefined {
    const names = [...VERBS, ...(this.#options.tools ?? [])];
    const nearest = findNearestName(written.slice(start), names, NEAR_MISS_MIN);
    return nearest === undefined ? undefined : written.slice(0, start) + nearest;
  }

  /** Finds the same tool in a known space: `source.R` for `sorce.R`. */
  #findNearSpace(written: string, dot: number): string | undefined {
    const nearest = this.#resolvePlain(written.slice(dot + 1)) && this.#findNearPath(written.slice(0, dot));
    return nearest && nearest + written.slice(dot);
  }

  #findNearPath(path: string, others: Iterable<string> = []): string | undefined {
    const { misspeltSpaces, spaces = [] } = this.#options;
    if (misspeltSpaces !== 'problem' || !isDotted(path)) return undefined;
    const first = firstPart(path);
    const nearest = findNearestName(first, [...spaces, ...others], NEAR_MISS_MIN);
    return nearest && nearest + path.slice(first.length);
  }
}

function firstPart(dotted: string): string {
  return dotted.split('.', 1)[0]!;
}

function isDotted(dotted: string): boolean {
  return dotted !== '' && !dotted.startsWith('.') && !dotted.endsWith('.') && !dotted.includes('..');
}
