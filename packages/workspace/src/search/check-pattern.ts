import { PatternError } from '../errors.ts';

/** Maximum length of a pattern, in bytes. */
export const LONGEST_SEARCH = 1024;

/** Errors of engines about an invalid pattern, and our messages for them. The first match is used. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/unclosed character class|missing closing \]/, 'unterminated character class'],
  [/unclosed group|missing closing \)/, 'unterminated group'],
  [/unopened group|unexpected \)/, 'closing parenthesis without an opening one'],
  [/repetition operator missing|missing argument to repetition/, 'nothing to repeat'],
  [/incomplete escape|trailing backslash/, 'backslash at the end'],
  [/unclosed counted repetition|repetition count range|quantifier expects|invalid repeat count/, 'bad repeat count'],
  [/range, the start must be|invalid character class range/, 'bad range in a character class'],
  [/property not found|invalid Unicode/i, 'unknown Unicode class'],
  [/unrecognized escape|invalid escape/, 'unknown escape'],
  [/size limit|too large/, 'pattern too large'],
];

/**
 * Refuses a pattern that no linear-time engine supports, before it is passed to an engine.
 *
 * @param reading code that reads the only file that is searched, where code can look for such a pattern
 */
export function checkPattern(pattern: string, reading?: string): void {
  const size = Buffer.byteLength(pattern);
  if (pattern === '') throw new PatternError('the pattern is empty. Say what to search for.', ['<Grep:TODO>']);
  if (size > LONGEST_SEARCH) {
    throw new PatternError(`the pattern is ${size} bytes long; at most ${LONGEST_SEARCH}. Search for a part of it.`, [
      `<Grep:${plainPart(pattern.slice(0, LONGEST_SEARCH))}>`,
    ]);
  }
  if (/[\n\r\0]/.test(pattern)) {
    throw new PatternError('a search goes line by line: the pattern cannot have a line break or NUL in it.', [
      `<Grep:${plainPart(pattern)}>`,
    ]);
  }
  if (/(?<!\\)(?:\\\\)*\\$/.test(pattern)) throw createPatternError(pattern, 'trailing backslash', pattern.length - 1);
  refuseUnsupported(pattern, reading);
}

/** Creates the error for a pattern that an engine rejects, in our words; `at` is the index of the fault, if known. */
export function createPatternError(pattern: string, problem: string, at: number | undefined): PatternError {
  const reason = REASONS.find(([expression]) => expression.test(problem))?.[1] ?? problem.trim();
  const where = at === undefined ? '' : ` at ${at}`;
  return new PatternError(`${reason}${where}. Quote or escape it.`, [`<Grep:${escapePattern(pattern)}>`]);
}

/** Escapes a text, so that the pattern finds exactly this text. */
export function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
}

/** Tests whether an expression may be slow; text without repetition is fast in every engine. */
export function canBeSlow(pattern: string): boolean {
  return /[*+?{]/.test(pattern);
}

function refuseUnsupported(pattern: string, reading: string | undefined): void {
  const groups = /\\(?:[1-9]|k[<{'])|\\.|\(\?(?:<?[=!])|\(\?>/gs;
  for (const { 0: found, index } of pattern.matchAll(groups)) {
    const kind = found.startsWith('(')
      ? found === '(?>'
        ? 'an atomic group'
        : 'look-around'
      : found.length > 2 || /[1-9]/.test(found)
        ? 'a back-reference'
        : undefined;
    if (kind === undefined) continue;
    const fact = `${kind} at ${index} is not supported`;
    const inCode = reading === undefined ? undefined : writeSearchInCode(pattern, reading);
    if (inCode !== undefined) throw new PatternError(`${fact} by searches; code can do it:`, [inCode]);
    const wider = kind === 'look-around' ? widenPattern(pattern) : undefined;
    if (wider !== undefined) throw new PatternError(`${fact}. Search without it and look through the rows.`, [wider]);
    throw new PatternError(`${fact}. Search for a plain part and look through the rows.`, [
      suggestPlainSearch(pattern),
    ]);
  }
}

/** Class of characters that JavaScript would take for a set of letters. */
const POSIX_CLASS = /\[:\w+:\]/;

/** Writes the code that finds the lines of a file; undefined for a pattern that is not valid in JavaScript. */
function writeSearchInCode(pattern: string, reading: string): string | undefined {
  if (POSIX_CLASS.test(pattern)) return undefined;
  try {
    const lines = `(await ${reading}).split("\\n")`;
    const test = `/${new RegExp(pattern, 'u').source}/u.test(line)`;
    return `<run>${lines}.flatMap((line, at) => ${test} ? at + 1 + "|" + line : []).join("\\n")</run>`;
  } catch {
    return undefined;
  }
}

const LOOK_AROUND = /\(\?<?[=!](?:\\.|\[(?:\\.|[^\]\\])*\]|[^\\()[]|\((?:\\.|[^\\()])*\))*\)/gs;

/** Suggests the search without look-around, which finds more; undefined if that would find next to everything. */
function widenPattern(pattern: string): string | undefined {
  const wider = pattern.replaceAll(LOOK_AROUND, '');
  const hasWord = /[\p{L}\p{N}_]{3}/u.test(wider.replaceAll(/\\./gs, ' '));
  if (!hasWord || /[<>"]|\(\?(?:<?[=!]|>)|\\[1-9k]/.test(wider) || !isValid(wider)) return undefined;
  return `<Grep:${wider}>`;
}

function isValid(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u') instanceof RegExp;
  } catch {
    return false;
  }
}

/** Suggests a search for the longest word of a pattern; words that must not occur do not count. */
export function suggestPlainSearch(pattern: string): string {
  return `<Grep:${plainPart(pattern.replaceAll(/\(\?<?!(?:\\.|[^\\()]|\((?:\\.|[^\\()])*\))*\)/gs, ' '))}>`;
}

/** Finds the longest run of letters and digits, which is always a valid pattern. */
function plainPart(pattern: string): string {
  const words =
    pattern
      .replaceAll(/\[(?:\\.|\[:\w+:\]|[^\]\\])*\]|\\[pP]\{[^}]*\}|\{\d+,?\d*\}|\\./gs, ' ')
      .match(/[\p{L}\p{N}_]+/gu) ?? [];
  return words.toSorted((a, b) => b.length - a.length)[0]?.slice(0, 100) ?? 'TODO';
}
