import { RE2JS } from 're2js';

/** Tests whether a text contains a match, in time that depends only on the length of the text. */
export type LinearPattern = (text: string) => boolean;

/** What `\s` and the dot mean in JavaScript, where RE2 knows fewer characters. */
const SPACES = String.raw`\t\n\v\f\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`;
const LINE_ENDS = String.raw`\n\r\x{2028}\x{2029}`;

/** Compiles the pattern of a schema; returns undefined for one that needs more than linear time, or is malformed. */
export function compilePattern(pattern: string): LinearPattern | undefined {
  try {
    const compiled = RE2JS.compile(RE2JS.translateRegExp(writeOut(pattern)));
    return (text) => compiled.test(text);
  } catch {
    return undefined;
  }
}

/** Writes out the classes that RE2 reads differently. */
function writeOut(pattern: string): string {
  let isInClass = false;
  return pattern.replaceAll(/\\[^]|[.[\]]/g, (token) => {
    if (token === '[' || token === ']') isInClass = token === '[';
    if (token === String.raw`\s`) return isInClass ? SPACES : `[${SPACES}]`;
    if (token === String.raw`\S` && !isInClass) return `[^${SPACES}]`;
    return token === '.' && !isInClass ? `[^${LINE_ENDS}]` : token;
  });
}
