import { ConfigurationError } from '../errors/setup-errors.ts';
import { nearestName } from '../nearest-name/nearest-name.ts';
import { firstUnits } from '../text-size/units.ts';

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

/** Longest pattern, in UTF-16 code units. */
const LONGEST = 1024;

/**
 * Checks rules that may come from a file.
 *
 * @throws ConfigurationError with a line for everything that is wrong: which field of which rule, what was
 *   expected and what came
 */
export function checkRules(rules: unknown): void {
  if (!Array.isArray(rules))
    throw new ConfigurationError(
      `rules: expected a list like [{"tool": "write", "decision": "allow"}]; got ${shown(rules)}.`,
    );
  const problems = rules.flatMap((rule, index) => problemsOf(rule, `rules[${index}]`));
  if (problems.length > 0) throw new ConfigurationError(problems.join('\n'));
}

function problemsOf(rule: unknown, at: string): readonly string[] {
  if (typeof rule !== 'object' || rule === null || Array.isArray(rule))
    return [`${at}: expected an object like {"tool": "write", "decision": "allow"}; got ${shown(rule)}.`];
  const fields = rule as Readonly<Record<string, unknown>>;
  const unknown = Object.keys(fields).filter((name) => !FIELDS.includes(name));
  return [
    ...unknown.map((name) => `${at}.${quoteName(name)}: no such field. ${suggestion(name)}`),
    ...FIELDS.flatMap((name) => {
      const expected = describeIssue(name, fields[name]);
      return expected === undefined
        ? []
        : [`${at}.${name}: expected ${expected}; got ${shown(fields[name])}.${meant(name, fields[name])}`];
    }),
  ];
}

/** What was expected in place of a value; undefined when the value will do. */
function describeIssue(name: string, value: unknown): string | undefined {
  const choices = CHOICES[name];
  if (value === undefined && name !== 'decision') return undefined;
  if (choices !== undefined) return choices.includes(value as string) ? undefined : quotedList(choices);
  return isPattern(value) ? undefined : PATTERNS[name];
}

function isPattern(value: unknown): boolean {
  if (typeof value !== 'string' || value === '' || value.length > LONGEST) return false;
  return !value.split('/').includes('..');
}

function meant(name: string, value: unknown): string {
  const nearest = typeof value === 'string' ? nearestName(value, CHOICES[name] ?? []) : undefined;
  return nearest === undefined ? '' : ` Did you mean "${nearest}"?`;
}

function suggestion(name: string): string {
  const nearest = nearestName(name, FIELDS);
  return nearest === undefined ? `There are ${FIELDS.join(', ')}.` : `Did you mean ${nearest}?`;
}

function quotedList(choices: readonly string[]): string {
  const quoted = choices.map((choice) => `"${choice}"`);
  return `${quoted.slice(0, -1).join(', ')} or ${quoted.at(-1)}`;
}

function quoteName(name: string): string {
  return /^[\w-]{1,40}$/.test(name) ? name : shown(name);
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value) ?? typeof value;
  const start = firstUnits(text, 60);
  return start === text ? text : `${start}…`;
}
