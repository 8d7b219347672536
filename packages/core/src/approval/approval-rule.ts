import { ConfigurationError } from '../errors/bae-error.ts';
import { findNearestName } from '../nearest-name/nearest-name.ts';
import type { ApprovalRequest } from '../protocol/approver.ts';
import type { ToolEffect } from '../protocol/tool-definition.ts';
import { quoteJson, quoteName } from '../tool-router/quote-json.ts';

const CHOICES: Readonly<Record<string, readonly string[]>> = {
  decision: ['allow', 'ask', 'deny'],
  effect: ['read', 'write', 'external'],
};
const PATTERNS: Readonly<Record<string, string>> = {
  space: 'a dotted space like "home" or "source.**"',
  tool: 'the name of a tool like "write"',
  target: 'a path or pattern like "docs/**", without ".."',
};
const FIELDS = [...Object.keys(PATTERNS), 'effect', 'decision'];

/** Maximum length of a pattern, in UTF-16 code units. */
const LONGEST_PATTERN = 1024;
/** Maximum length of a target that is compared, in UTF-16 code units. */
const LONGEST_TARGET = 4096;

export type ApprovalDecision = 'allow' | 'ask' | 'deny';

/**
 * Rule about the calls that match its fields; an omitted field matches everything. `*` matches any text up to the next
 * dot of a space or slash of a target, `**` any number of names, including none: `source.**` is `source` and everything
 * below it, `docs/**` is everything in `docs`.
 */
export interface ApprovalRule {
  /** Dotted space: `home`, `source.**`. */
  readonly space?: string;
  readonly tool?: string;
  readonly effect?: ToolEffect;
  /**
   * Target of the call: for files the path below the working folder, without links; in a rule that asks or denies, a
   * folder stands for everything in it. A command is treated as one text, in which `*` matches anything: `command:git
   * log*`.
   */
  readonly target?: string;
  readonly decision: ApprovalDecision;
}

/**
 * Creates a function that tests whether a rule matches a request. A rule that allows is matched literally, and covers
 * calls for which a tool itself requests consent only if it names a target; for a planned change, the target must match
 * everything that is changed. A rule that asks or denies matches regardless of case and Unicode composition, applies if
 * any file that a change touches matches, and covers everything below a target that ends without a wildcard.
 */
export function makeRuleTest(rule: ApprovalRule): (request: ApprovalRequest) => boolean {
  const allows = rule.decision === 'allow';
  const spell = allows ? (text: string) => text : foldSpelling;
  const test = (pattern: string | undefined) =>
    pattern === undefined ? () => true : makeGlobTest(spell(pattern), '.');
  const space = test(rule.space);
  const tool = test(rule.tool);
  const target = rule.target === undefined ? undefined : makeTargetTest(rule.target, spell, allows);
  return (request) => {
    const { touches = [] } = request;
    if (!space(spell(request.space)) || !tool(spell(request.tool))) return false;
    if (rule.effect !== undefined && rule.effect !== request.effect) {
      // A command writes the files that it names, whatever its own effect is.
      const isWritten = !allows && rule.effect === 'write' && isCommandTarget(request.target);
      return isWritten && target !== undefined && touches.some((touch) => !isCommandTarget(touch) && target(touch));
    }
    if (target === undefined) return !allows || request.reason === undefined;
    if (!allows) return [request.target, ...touches].some(target);
    // A command touches only itself, under other names.
    if (touches.length === 0 || isCommandTarget(request.target)) return target(request.target);
    return touches.every(target);
  };
}

const COMMAND = 'command:';

/** Returns true for a target that is a command: one text, in which dots and slashes have no special meaning. */
export function isCommandTarget(target: string): boolean {
  return target.startsWith(COMMAND);
}

/** Creates a function that tests paths for a rule that asks or denies: in any spelling, with what is below them. */
export function makePathTest(pattern: string): (path: string) => boolean {
  return makeTargetTest(pattern, foldSpelling, false);
}

/** Creates a function that tests targets. A target that cannot be compared is never allowed, and always denied. */
function makeTargetTest(pattern: string, spell: (text: string) => string, allows: boolean): (text: string) => boolean {
  const isForCommands = isCommandTarget(spell(pattern));
  const path = spell(normalizeTarget(pattern));
  const testSelf = makeGlobTest(path, '/');
  const isFolder = !allows && !/[*?][^/]*$/.test(path);
  const testBelow = isFolder ? makeGlobTest(`${path}/**`, '/') : testSelf;
  const testPath = (text: string) => testSelf(text) || testBelow(text);
  const testCommand = makeGlobTest(spell(pattern), '\0');
  return (text) => {
    // A rule that allows files does not allow commands; one that denies everything also denies commands.
    if (!isForCommands && isCommandTarget(text)) return !allows && testPath(spell(text));
    if (!isForCommands) return isComparableTarget(text) ? testPath(spell(normalizeTarget(text))) : !allows;
    if (!isCommandTarget(text)) return false;
    return text.length <= LONGEST_TARGET ? testCommand(spell(text)) : !allows;
  };
}

/** Returns true if a target can be compared part by part: it is not too long and contains no `..`. */
export function isComparableTarget(target: string): boolean {
  return target.length <= LONGEST_TARGET && !target.split(/[\\/]/).includes('..');
}

/** Returns a target without redundant parts: `./a//b` becomes `a/b`. A leading slash is kept. */
export function normalizeTarget(target: string): string {
  const parts = target.split('/').filter((part) => part !== '' && part !== '.');
  return (target.startsWith('/') ? '/' : '') + parts.join('/');
}

/** Removes differences in spelling that many file systems ignore. */
export function foldSpelling(text: string): string {
  return text.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
}

/** @throws ConfigurationError with a line for each problem in rules, which may come from a file */
export function checkRules(rules: unknown): void {
  if (!Array.isArray(rules)) {
    const example = '[{"tool": "write", "decision": "allow"}]';
    throw new ConfigurationError(`rules: expected a list like ${example}; got ${describeValue(rules)}.`);
  }
  const problems = rules.flatMap((rule, index) => listRuleProblems(rule, `rules[${index}]`));
  if (problems.length > 0) throw new ConfigurationError(problems.join('\n'));
}

function listRuleProblems(rule: unknown, at: string): readonly string[] {
  if (typeof rule !== 'object' || rule === null || Array.isArray(rule))
    return [`${at}: expected an object like {"tool": "write", "decision": "allow"}; got ${describeValue(rule)}.`];
  const fields = rule as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(fields).filter((name) => !FIELDS.includes(name));
  return [
    ...unknown.map((name) => `${at}.${quoteName(name)}: no such field. ${suggestField(name)}`),
    ...FIELDS.flatMap((name) => {
      const value = fields[name];
      const expected = describeExpectedField(name, value);
      if (expected === undefined) return [];
      return [`${at}.${name}: expected ${expected}; got ${describeValue(value)}.${suggestChoice(name, value)}`];
    }),
  ];
}

function describeExpectedField(name: string, value: unknown): string | undefined {
  const choices = CHOICES[name];
  if (value === undefined && name !== 'decision') return undefined;
  if (choices === undefined) return isPattern(value) ? undefined : PATTERNS[name];
  if (choices.includes(value as string)) return undefined;
  const quoted = choices.map((choice) => `"${choice}"`);
  return `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`;
}

function isPattern(value: unknown): boolean {
  if (typeof value !== 'string' || value === '' || value.length > LONGEST_PATTERN) return false;
  return !value.split('/').includes('..');
}

function suggestChoice(name: string, value: unknown): string {
  const nearest = typeof value === 'string' ? findNearestName(value, CHOICES[name] ?? []) : undefined;
  return nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
}

function suggestField(name: string): string {
  const nearest = findNearestName(name, FIELDS);
  return nearest === undefined ? `There are ${FIELDS.join(', ')}.` : `Did you mean ${nearest}?`;
}

function describeValue(value: unknown): string {
  return value === undefined ? 'nothing' : quoteJson(value);
}

/**
 * Creates a function that tests whether a text matches a pattern of parts: `*` is any text within a part, `?` one
 * character, and a part `**` any number of parts, including none. A test takes at most time in proportion to the length
 * of the pattern times that of the text.
 */
export function makeGlobTest(pattern: string, separator: '/' | '.' | '\0'): (text: string) => boolean {
  const splitParts = (text: string) => text.split(separator).map((part) => Array.from(part));
  const parts = splitParts(pattern);
  return (text) => matchesParts(parts, splitParts(text));
}

const matchesPart = makeSequenceTest(
  (wanted: string) => wanted === '*',
  (wanted, character: string) => wanted === '?' || wanted === character,
);
const matchesParts = makeSequenceTest(
  (part: readonly string[]) => part.length === 2 && part.every((character) => character === '*'),
  matchesPart,
);

/** Compares items one by one. Only the last wildcard is tried again; the matches of earlier ones can stay. */
function makeSequenceTest<P, T>(isWildcard: (wanted: P) => boolean, matches: (wanted: P, item: T) => boolean) {
  return (pattern: readonly P[], items: readonly T[]): boolean => {
    let at = 0;
    let wildcard = -1;
    let tried = 0;
    for (let index = 0; index < items.length;) {
      const wanted = pattern[at];
      if (wanted !== undefined && isWildcard(wanted)) {
        wildcard = at++;
        tried = index;
      } else if (wanted !== undefined && matches(wanted, items[index] as T)) {
        at++;
        index++;
      } else if (wildcard === -1) {
        return false;
      } else {
        at = wildcard + 1;
        index = ++tried;
      }
    }
    return pattern.slice(at).every(isWildcard);
  };
}
