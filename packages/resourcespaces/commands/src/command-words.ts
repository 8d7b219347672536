import { ParameterError } from '@bae/core';

/** Matches an operator that a shell would interpret outside quotes. */
const OPERATOR = /^(?:&&|\|\||>>|<<|\$\(|[|&;<>()`$\n\r])/;

/** Matches blanks between words, and a part of a word: a plain character, a quoted part or an escaped character. */
const BLANKS = /^[ \t]+/;
const PART = /^(?:'[^']*'|"(?:[^"\\]|\\[^])*"|\\[^]|[^\s'"\\|&;<>()`$])/;
/** The same on Windows, where a backslash belongs to a path unless it stands before a quote. */
const WINDOWS_PART = /^(?:'[^']*'|"(?:[^"\\]|\\"?)*"|\\["']|[^\s'"|&;<>()`$])/;

/**
 * Splits a command into words as a shell does. Only quotes and backslashes have a special meaning.
 *
 * @param remedy text to type if a shell is needed
 * @param isWindows true where backslashes stand in paths
 * @throws ParameterError for a shell operator, an unclosed quote, or an empty command
 */
export function splitCommand(text: string, remedy: string, isWindows = false): readonly string[] {
  if (text.includes('\0')) throw new ParameterError('a command cannot contain NUL characters.', [remedy]);
  const words: string[] = [];
  let word: string | undefined;
  for (let rest = text.trim(); rest !== '';) {
    const blanks = BLANKS.exec(rest)?.[0] ?? '';
    if (blanks !== '' && word !== undefined) words.push(word);
    if (blanks !== '') word = undefined;
    rest = rest.slice(blanks.length);
    const part = (isWindows ? WINDOWS_PART : PART).exec(rest)?.[0];
    if (part === undefined) throw explainCharacter(rest, remedy);
    word = `${word ?? ''}${isWindows ? readWindowsPart(part) : readPart(part)}`;
    rest = rest.slice(part.length);
  }
  return word === undefined ? words : [...words, word];
}

function explainCharacter(rest: string, remedy: string): ParameterError {
  const [first = ''] = rest;
  if (first === '"' || first === "'")
    return new ParameterError(`the quote ${first} has no end: ${rest.slice(0, 40)}`, [remedy]);
  if (first === '\\') return new ParameterError('a backslash has nothing after it.', [remedy]);
  const found = OPERATOR.exec(rest)?.[0] ?? first;
  const name = /^[\n\r]/.test(found) ? 'a new line' : found;
  const fact = `${name} means something only to a shell, and there is none here.`;
  return new ParameterError(`${fact} Quote it if it is text; otherwise pass the whole command to a shell.`, [remedy]);
}

function readPart(part: string): string {
  if (part.startsWith("'")) return part.slice(1, -1);
  if (part.startsWith('"'))
    return part
      .slice(1, -1)
      .replaceAll(/\\([\\"$`])/g, '$1')
      .replaceAll('\\\n', '');
  return part.startsWith('\\') ? part.slice(1).replace('\n', '') : part;
}

function readWindowsPart(part: string): string {
  if (part.startsWith("'")) return part.slice(1, -1);
  if (part.startsWith('"')) return part.slice(1, -1).replaceAll('\\"', '"');
  return part.length > 1 ? part.slice(1) : part;
}

/** Joins words to the text in which rules and people see a command; `splitCommand` returns the same words. */
export function quoteCommand(words: readonly string[]): string {
  return words.map((word) => (/^[\w@%+=:,./^~-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(' ');
}

/**
 * Returns the target of a command for rules: `command:npm test`. What may use the network in spite of limits is another
 * command, so that a rule for one does not allow the other: `command:network=true npm install`.
 */
export function makeCommandTarget(words: readonly string[], network = false): string {
  return `command:${network ? 'network=true ' : ''}${quoteCommand(words)}`;
}

/** Line of a question about a command that may use the network in spite of limits. */
export const WITH_NETWORK = 'with the network of this machine';
