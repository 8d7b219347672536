import { ParameterError } from '@bae/core';
import { maskKeys } from '@bae/core/pipeline';
import { formatPath, type WorkspaceRoot } from '@bae/workspace';

/** Matches a text with upper and lower case letters and digits in several places, without spaces. */
const KEY = /(?=[\w+=-]*[a-z])(?=[\w+=-]*[A-Z])(?=[A-Za-z_+=-]*\d+[A-Za-z_+=-]+\d)[\w+=-]{24,}/;
const KEY_FILE = /-BEGIN [A-Z ]*PRIVATE KEY/;
const LOGIN_IN_URL = /:\/\/[^\s/:@]+:[^\s@]+@/;
/** Matches what is said of a password: its value, or where it is. */
const SAID =
  /(?:password|passwd|secret|token|api[ _-]?key|passphrase|pwd)["']?\s*(?:[=:]|\bis\b)\s*(?<value>\S{6,})(?<more>\s+\p{L})?/giu;
/** Matches words that are said of a password and are not one. */
const WORDS =
  /^["'`]?(?:\p{Ll}+ed|missing|optional|invalid|unknown|string|number|boolean|undefined|process\.env\b.*|env\..*|[$<{].*|‹masked.*)["'`]?[.,;:)\]]*$/u;
const PLAIN_WORD = /^\p{Ll}+$/u;

/** Tests whether a text contains something that looks like a key or a password. */
export function looksSecret(text: string): boolean {
  return [KEY, KEY_FILE, LOGIN_IN_URL].some((one) => one.test(text)) || saysPassword(text) || maskKeys(text) !== text;
}

function saysPassword(text: string): boolean {
  return Array.from(text.matchAll(SAID)).some(({ groups }) => {
    const { value = '', more } = groups ?? {};
    // `The password is kept in the vault`: a word inside a sentence.
    return !WORDS.test(value) && !(PLAIN_WORD.test(value) && more !== undefined);
  });
}

/** Files up to three folders below the root; deeper ones take too long to find. */
const FILES = '{*,*/*,*/*/*,*/*/*/*}';
/** Time limit for finding the files, in milliseconds; then only those in the root folder are read. */
const LIMIT_MS = 500;
/** Maximum size of a file to read, in bytes, and maximum number of values. */
const LARGEST = 200_000;
const MOST_VALUES = 1000;
/** Matches a name and its value. */
const ASSIGNMENT =
  /(?<name>[\w.-]+)["']?\s*[=:]\s*(?:"(?<double>[^"\n]{6,})"|'(?<single>[^'\n]{6,})'|(?<plain>[^\s"'#,;}]{6,}))/g;
/** Matches a login as in `.netrc`. */
const LOGIN = /\b(?<name>password)\s+(?<plain>\S{6,})/g;
const KEY_LINE = /^[\w+/=-]{16,}$/gm;
const SECRET_NAME = /pass|pwd|secret|token|key|auth|cred|private|salt|cookie/i;
/** Matches values that say nothing secret, unless their name does: words, numbers, addresses and paths. */
const ORDINARY =
  /^(?:\p{L}+|[\d.:_-]+|(?:\w+:\/\/)?(?:localhost|[\w-]+(?:\.[\w-]+)+)(?::\d+)?(?:\/[^\s@]*)?|[.~]{0,2}\/[\w./-]*)$/u;
/** Matches a character that is in no key. */
const BETWEEN = /[\s"'`<>(){}[\],;]/;
/** Maximum length of a key without such characters, and minimum length of the part of a value that is masked. */
const LONGEST_KEY = 4096;
const SHORTEST_PART = 3;
const MASK = '‹masked value›';
/** Minimum length of a value that is also found inside a word. */
const LONG = 12;

/** The values in the files of a workspace that may hold passwords and keys. */
export class WorkspaceSecrets {
  readonly #values: readonly { readonly value: string; readonly path: string; readonly pattern: RegExp }[];

  private constructor(values: ReadonlyMap<string, string>) {
    // A value may contain another one.
    const longest = Array.from(values).toSorted(([a], [b]) => b.length - a.length);
    this.#values = longest.map(([value, path]) => ({ value, path, pattern: createPattern(value) }));
  }

  /** Reads the values of the files as they are now. */
  static async load(root: WorkspaceRoot): Promise<WorkspaceSecrets> {
    const values = new Map<string, string>();
    for (const path of await listSecretFiles(root))
      for (const value of await readValues(root, path)) if (values.size < MOST_VALUES) values.set(value, path);
    return new WorkspaceSecrets(values);
  }

  /** Replaces the values, and everything that looks like a key. */
  mask(text: string): string {
    const held = this.#values.filter(({ value }) => text.includes(value));
    return maskKeys(held.reduce((rest, { pattern }) => rest.replaceAll(pattern, MASK), text));
  }

  /**
   * Masks the beginning of a text, of which the rest was not kept. The word at its end is left out, because it may be the
   * beginning of a key, and what is left of a value there is masked.
   */
  maskBeginning(text: string): string {
    const whole = text.slice(0, findLastWord(text));
    const parts = this.#values.map(({ value }) => measureOverlap(whole, value));
    const end = whole.length - Math.max(0, ...parts);
    return `${this.mask(whole.slice(0, end))}${end < whole.length ? MASK : ''}…`;
  }

  /** Returns the path of the file from which a text has a value; undefined if it has none. */
  findSource(text: string): string | undefined {
    return this.#values.find(({ value, pattern }) => text.includes(value) && text.search(pattern) !== -1)?.path;
  }
}

/**
 * Refuses arguments that hold a key, a password, or a value of a file that may hold passwords.
 *
 * @throws ParameterError that names the argument
 */
export async function refuseSecrets(root: WorkspaceRoot, args: Readonly<Record<string, string>>): Promise<void> {
  const secrets = await WorkspaceSecrets.load(root);
  for (const [name, text] of Object.entries(args)) {
    const source = secrets.findSource(text);
    if (looksSecret(text))
      throw new ParameterError(
        `${name}: it looks like it holds a key or a password, which memory never keeps. Say where it is instead.`,
      );
    if (source !== undefined)
      throw new ParameterError(
        `${name}: it holds a value of ${formatPath(source)}, which may hold passwords. Say where it is instead.`,
      );
  }
}

async function listSecretFiles(root: WorkspaceRoot): Promise<readonly string[]> {
  try {
    return await root.secretFiles({ pattern: FILES, all: true, signal: AbortSignal.timeout(LIMIT_MS) });
  } catch {
    return root.secretFiles({ pattern: '*', all: true });
  }
}

async function readValues(root: WorkspaceRoot, path: string): Promise<readonly string[]> {
  try {
    if ((await root.info(path)).size > LARGEST) return [];
    const { text } = await root.readText(path, { secrets: true });
    const named = [...text.matchAll(ASSIGNMENT), ...text.matchAll(LOGIN)].flatMap(({ groups }) => {
      const { name = '', double, single, plain } = groups ?? {};
      const value = (double ?? single ?? plain ?? '').trim();
      return SECRET_NAME.test(name) || looksSecret(value) || !ORDINARY.test(value) ? [value] : [];
    });
    return [...named, ...Array.from(text.matchAll(KEY_LINE), ([line]) => line)];
  } catch {
    return [];
  }
}

/** Finds the position at which the last word of a text begins: no key goes on beyond it. */
function findLastWord(text: string): number {
  let start = text.length;
  while (start > 0 && text.length - start < LONGEST_KEY && !BETWEEN.test(text[start - 1]!)) start--;
  return start;
}

/** Returns the length of the longest beginning of a value with which a text ends; 0 if that is too short to say much. */
function measureOverlap(text: string, value: string): number {
  for (let length = value.length - 1; length >= SHORTEST_PART; length--)
    if (text.endsWith(value.slice(0, length))) return length;
  return 0;
}

function createPattern(value: string): RegExp {
  const text = value.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  return value.length >= LONG
    ? new RegExp(text, 'gu')
    : new RegExp(String.raw`(?<![\p{L}\p{N}])${text}(?![\p{L}\p{N}])`, 'gu');
}
