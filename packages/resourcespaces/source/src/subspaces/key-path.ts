import { ParameterError } from '@bae/core';

/**
 * The parts of a dotted key: `scripts.test`, and with quotes where a part has dots of its own:
 * `exports."./pipeline".types`. A number is the place in a list, from 0.
 *
 * @throws ParameterError when a part is empty or a quote is open
 */
export function readKeyPath(key: string): readonly string[] {
  if (key === '') return [];
  const parts: string[] = [];
  const pattern = /(?:"((?:[^"\\]|\\.)*)"|([^."]+))(\.|$)/gy;
  let ended = false;
  for (const [, quoted, plain, end] of key.matchAll(pattern)) {
    parts.push(quoted === undefined ? (plain ?? '') : quoted.replaceAll(/\\(.)/g, '$1'));
    ended = end === '';
  }
  if (!ended) throw badKey(key);
  return parts;
}

/** A key as it is written, with quotes where they are needed. */
export function showKeyPath(parts: readonly string[]): string {
  return parts
    .map((part) => (/^[^."]+$/.test(part) ? part : `"${part.replaceAll(/["\\]/g, String.raw`\$&`)}"`))
    .join('.');
}

function badKey(key: string): ParameterError {
  const fact = `'${key.slice(0, 80)}' is no key: its parts are separated by single dots.`;
  return new ParameterError(`${fact} A part that has dots itself stands in quotes.`, [
    '<R:package.scripts.test>',
    '<R:package.exports."./index">',
  ]);
}
