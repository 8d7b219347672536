import { ConfigurationError } from '../errors/setup-errors.ts';
import { findNearestName } from '../nearest-name/nearest-name.ts';
import type { ApprovalRequest } from '../protocol/approver.ts';
import type { ToolEffect } from '../protocol/tool-definition.ts';
import { quoteJson, quoteName } from '../tool-router/quote-json.ts';
import { makeGlobTest } from './glob.ts';

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

/** Longest pattern, and longest target that is compared, in UTF-16 code units. */
const LONGEST_PATTERN = 1024;
const LONGEST_TARGET = 4096;

export type ApprovalDecision = 'allow' | 'ask' | 'deny';

/**
 * Which calls a decision is for; a field that is left out matches all.
 *
 * `*` is any text up to the next dot of a space or slash of a target, `**` any number of names, also none:
 * `source.**` is `source` and everything below it, `docs/**` is everything in `docs`.
 */
export interface ApprovalRule {
  /** Dotted space: `home`, `source.**`. */
  readonly space?: string;
  readonly tool?: string;
  readonly effect?: ToolEffect;
  /**
   * What the call is about: for files the path below the folder worked in, without links. A command is one text, in
   * which `*` is anything: `command:git log*`.
   */
  readonly target?: string;
  readonly decision: ApprovalDecision;
}

/**
 * Makes the test whether a rule matches a request.
 *
 * A rule that allows is taken literally, and covers what a tool requests consent for by itself only when it names a
 * target: of a planned change, all that it touches. One that asks or denies holds in any case and composition, and for any
 * file that a change touches.
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
    if (rule.effect !== undefined && rule.effect !== request.effect) return false;
    if (!space(spell(request.space)) || !tool(spell(request.tool))) return false;
    if (target === undefined) return !allows || request.reason === undefined;
    const { touches = [] } = request;
    if (!allows) return [request.target, ...touches].some(target);
    // What a command touches is that command under its other names.
    if (touches.length === 0 || isCommandTarget(request.target)) return target(request.target);
    return touches.every(target);
  };
}

const COMMAND = 'command:';

/** True for a target that is a command: one text, in which dots and slashes mean nothing. */
export function isCommandTarget(target: string): boolean {
  return target.startsWith(COMMAND);
}

/** Tests targets. What cannot be compared is never allowed, and always denied. */
function makeTargetTest(pattern: string, spell: (text: string) => string, allows: boolean): (text: string) => boolean {
  const isForCommands = isCommandTarget(spell(pattern));
  const testPath = makeGlobTest(spell(normalizeTarget(pattern)), '/');
  const testCommand = makeGlobTest(spell(pattern), '\0');
  return (text) => {
    // A rule that allows files allows no commands; one that denies everything denies these too.
    if (!isForCommands && isCommandTarget(text)) return !allows && testPath(spell(text));
    if (!isForCommands) return isComparableTarget(text) ? testPath(spell(normalizeTarget(text))) : !allows;
    if (!isCommandTarget(text)) return false;
    return text.length <= LONGEST_TARGET ? testCommand(spell(text)) : !allows;
  };
}

/** True when a target can be compared part by part: it is not too long and does not lead back up. */
export function isComparableTarget(target: string): boolean {
  return target.length <= LONGEST_TARGET && !target.split(/[\\/]/).includes('..');
}

/** A target without redundant parts: `./a//b` is `a/b`. A slash at the beginning stays. */
export function normalizeTarget(target: string): string {
  const parts = target.split('/').filter((part) => part !== '' && part !== '.');
  return (target.startsWith('/') ? '/' : '') + parts.join('/');
}

/** The text without differences that many file systems do not see. */
function foldSpelling(text: string): string {
  return text.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
}

/** @throws ConfigurationError with a line for everything that is wrong with rules, which may come from a file */
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
