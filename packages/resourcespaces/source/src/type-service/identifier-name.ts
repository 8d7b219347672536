import { escapePattern } from '@bae/workspace';

const IDENTIFIER = /^#?[\p{ID_Start}$_][\p{ID_Continue}$\u200C\u200D]*$/u;
const PART = String.raw`[\p{ID_Continue}$\u200C\u200D#]`;

const RESERVED: ReadonlySet<string> = new Set(
  (
    'arguments await break case catch class const continue debugger default delete do else enum eval export extends ' +
    'false finally for function if implements import in instanceof interface let new null package private protected ' +
    'public return static super switch this throw true try typeof var void while with yield'
  ).split(' '),
);

/** Returns true for an identifier, including a private one. */
export function isIdentifier(name: string): boolean {
  return IDENTIFIER.test(name);
}

/** Explains why a name cannot replace another; returns undefined when it can. */
export function checkName(newName: string, oldName: string): string | undefined {
  if (!isIdentifier(newName)) return `'${newName}' is not an identifier`;
  if (RESERVED.has(newName)) return `'${newName}' is a reserved word`;
  if (newName === oldName) return `it is called ${newName} already`;
  if (newName.startsWith('#') !== oldName.startsWith('#')) return `'${newName}' and '${oldName}' are not both private`;
  return undefined;
}

/** Finds the occurrences of an identifier as a separate word, as offsets; also in comments and strings. */
export function findOccurrences(name: string, text: string): readonly number[] {
  return Array.from(text.matchAll(makeNamePattern(name)), ({ index }) => index);
}

/** Returns the pattern of an identifier as a separate word. */
export function makeNamePattern(name: string): RegExp {
  return new RegExp(`(?<!${PART})${name.replaceAll('$', String.raw`\$`)}(?!${PART})`, 'gu');
}

/** Returns the name at an offset, or ending there; undefined when there is none. */
export function findNameAt(
  text: string,
  offset: number,
): { readonly name: string; readonly start: number } | undefined {
  for (const { index, 0: name } of text.matchAll(/#?[\p{ID_Start}$_][\p{ID_Continue}$\u200C\u200D]*/gu)) {
    if (index > offset) return undefined;
    if (index + name.length >= offset) return { name, start: index };
  }
  return undefined;
}

/** Returns the pattern of a whole name. */
export function makeWordPattern(name: string): string {
  return /^\w+$/.test(name) ? String.raw`\b${name}\b` : escapePattern(name);
}

/**
 * Returns the patterns of a mention of a name, and of one that certainly is the name. A name that may be a word of prose
 * is that only where it is written as code: called, quoted, or behind a dot. Paths mention nothing.
 */
export function makeMentionPatterns(name: string): { readonly mention: RegExp; readonly code: RegExp } {
  const escaped = escapePattern(name);
  const end = String.raw`(?![\w$]|\.[cm]?[jt]sx?\b)`;
  const mention = new RegExp(String.raw`(?<![\w$#/])${escaped}${end}`);
  if (!/^[a-z]+$/.test(name)) return { mention, code: mention };
  const forms = [
    String.raw`(?<=[\w$)\]][.#])${escaped}${end}`,
    String.raw`(?<![\w$#./-])${escaped}(?=\()`,
    `(?<=[\`'"])${escaped}(?=[\`'"])`,
  ];
  return { mention, code: new RegExp(forms.join('|')) };
}
