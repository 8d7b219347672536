import { codeName } from '@bae/core/pipeline';

const IDENTIFIER = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;

/** A place as code writes it, by its dotted name: `my_notes.old_ones` for `my-notes.old-ones`. */
export function codePath(place: string): string {
  const [root = '', ...below] = place.split('.');
  return codeName(root) + below.map(codeMember).join('');
}

/** What is found in a place, as it is written behind it: `.slow_one` for `slow-one`, and `.delete`. */
export function codeMember(name: string): string {
  const written = [name, codeName(name)].find((one) => IDENTIFIER.test(one));
  return written === undefined ? `[${JSON.stringify(name)}]` : `.${written}`;
}
