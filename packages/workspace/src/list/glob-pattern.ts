import { PatternError } from '../errors.ts';
import { escapePattern } from '../search/check-pattern.ts';

/** A parsed file pattern. */
export interface GlobPattern {
  /** The leading folders without special characters, `''` for none. */
  readonly base: string;
  /** Maximum depth of matches below the base; absent when there is no limit. */
  readonly depth?: number;
  /** Tests whether a path, relative to the base, matches the rest. Takes time in proportion to the path. */
  readonly matches: (path: string) => boolean;
}

const LONGEST = 1024;
/** Limits for the parts of a pattern that are expensive to match. */
const MOST = [
  { part: /\*+/g, most: 64, name: '*' },
  { part: /\{/g, most: 64, name: '{' },
  { part: /,/g, most: 256, name: ',' },
] as const;
const MAGIC = /[*?[\]{}\\]/;

/**
 * Parses a relative pattern without `..`: `**`, `*`, `?`, `{a,b}`, `[..]`; `\` escapes the next character. Names that
 * begin with a dot match like other names.
 */
export async function parseGlob(pattern: string): Promise<GlobPattern> {
  const size = Buffer.byteLength(pattern);
  if (size > LONGEST) throw new PatternError(`the pattern is ${size} bytes long; at most ${LONGEST}.`, ['<G:**/*.md>']);
  refuseHardWork(pattern);
  const parts = pattern.split('/');
  let spelt = 0;
  while (spelt < parts.length - 1 && !MAGIC.test(parts[spelt] as string)) spelt++;
  const rest = parts.slice(spelt).join('/');
  const expression = await compile(rest);
  // Most files of a folder differ in their endings, and comparing these takes a tenth of the time.
  const [ending] = /[^*?[\]{}\\/]*$/.exec(rest)!;
  return {
    base: parts.slice(0, spelt).join('/'),
    ...(!rest.includes('**') && { depth: parts.length - spelt }),
    matches: (path) => path.endsWith(ending) && expression.test(path),
  };
}

function refuseHardWork(pattern: string): void {
  for (const { part, most, name } of MOST) {
    const count = pattern.match(part)?.length ?? 0;
    if (count <= most) continue;
    throw new PatternError(
      `the file pattern has ${count} times ${name}; at most ${most}. Search with several patterns.`,
      ['<G:**/*.md>'],
    );
  }
}

/**
 * Compiles a pattern with RE2 instead of the JavaScript engine, which a pattern such as `*a*a*a*a*b` can keep busy for
 * hours.
 */
async function compile(pattern: string): Promise<Pick<RegExp, 'test'>> {
  // Loaded on first use: the pattern engine takes longer to load than most commands take.
  const { RE2JS } = await import('re2js');
  try {
    return RE2JS.compile(`^(?:${translate(pattern, 0, pattern.length)})$`, RE2JS.DOTALL);
  } catch (error) {
    throw new PatternError(
      `the file pattern has an invalid character class. Write [a-z] or a plain name.`,
      ['<G:**/[a-c]*>'],
      error,
    );
  }
}

function translate(pattern: string, from: number, to: number): string {
  let expression = '';
  for (let index = from; index < to;) {
    const step = translateOne(pattern, index, to);
    expression += step.expression;
    index = step.next;
  }
  return expression;
}

interface Step {
  readonly expression: string;
  readonly next: number;
}

function translateOne(pattern: string, index: number, to: number): Step {
  const char = pattern[index] as string;
  if (char === '*') return translateStars(pattern, index, to);
  if (char === '?') return { expression: '[^/]', next: index + 1 };
  if (char === '\\' && index + 1 < to)
    return { expression: escapePattern(pattern[index + 1] as string), next: index + 2 };
  const group =
    char === '[' ? translateClass(pattern, index, to) : char === '{' ? translateBraces(pattern, index, to) : undefined;
  return group ?? { expression: escapePattern(char), next: index + 1 };
}

function translateStars(pattern: string, index: number, to: number): Step {
  let next = index;
  while (next < to && pattern[next] === '*') next++;
  const opens = index === 0 || '/{,'.includes(pattern[index - 1] as string);
  const closes = next === pattern.length || '/},'.includes(pattern[next] as string);
  if (!opens || !closes) return { expression: '[^/]*', next };
  if (next - index === 1) return { expression: '[^/]+', next };
  if (pattern[next] === '/') return { expression: '(?:[^/]+/)*', next: next + 1 };
  return { expression: '.+', next };
}

/** Translates `[a-z]` or `[!a]`; returns undefined when it is not closed. */
function translateClass(pattern: string, index: number, to: number): Step | undefined {
  const negated = pattern[index + 1] === '!' || pattern[index + 1] === '^';
  const first = index + (negated ? 2 : 1);
  const end = pattern.indexOf(']', first + 1);
  const set = pattern.slice(first, end);
  if (end === -1 || end >= to || set.includes('/')) return undefined;
  const escaped = set.replaceAll(/[\\[\]^&~]/g, String.raw`\$&`);
  return { expression: negated ? `[^/${escaped}]` : `[${escaped}]`, next: end + 1 };
}

/** Translates `{a,b}` with any nesting; returns undefined when it is not closed or has no comma. */
function translateBraces(pattern: string, index: number, to: number): Step | undefined {
  const cuts = [index];
  let depth = 0;
  for (let at = index; at < to; at++) {
    const char = pattern[at];
    if (char === '\\') at++;
    else if (char === '{') depth++;
    else if (char === ',' && depth === 1) cuts.push(at);
    else if (char === '}' && --depth === 0) {
      if (cuts.length === 1) return undefined;
      const ends = [...cuts.slice(1), at];
      const options = cuts.map((cut, option) => translate(pattern, cut + 1, ends[option] as number));
      return { expression: `(?:${options.join('|')})`, next: at + 1 };
    }
  }
  return undefined;
}
