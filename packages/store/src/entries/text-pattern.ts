/**
 * Creates a pattern that finds a text regardless of case, in all alphabets, and of whether letters with marks are stored
 * as one character or as several: `Straße` also finds `STRASSE`.
 */
export function createTextPattern(text: string): RegExp {
  const parts = text.normalize('NFC').match(/ss|./gisu) ?? [];
  return new RegExp(parts.map(createPart).join(''), 'giu');
}

/** Creates a function that tests whether a text contains another one, literally or as encoded in JSON. */
export function createTextTest(text: string): (content: string) => boolean {
  const patterns = [text, JSON.stringify(text).slice(1, -1)].map(createTextPattern);
  return (content) => patterns.some((pattern) => content.search(pattern) !== -1);
}

function createPart(part: string): string {
  const cases = [part, part.toLowerCase(), part.toUpperCase()];
  // The capitals of this letter are two ordinary letters.
  if (/^ss$/i.test(part)) cases.push('ß');
  const forms = new Set(cases.flatMap((one) => [one.normalize('NFC'), one.normalize('NFD')]));
  return `(?:${Array.from(forms, quoteForPattern).join('|')})`;
}

function quoteForPattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
