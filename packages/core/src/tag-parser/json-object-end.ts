/**
 * Index behind the JSON object or array that begins at an index; -1 when it does not end.
 *
 * Only balances brackets and strings. Stops at a `<` outside a string, which JSON does not allow, so that
 * the next tag ends the search.
 */
export function jsonObjectEnd(text: string, from: number): number {
  let depth = 0;
  for (let index = from; index < text.length; index++) {
    switch (text.charAt(index)) {
      case '"':
        index = stringEnd(text, index + 1);
        if (index === -1) return -1;
        break;
      case '{':
      case '[':
        depth++;
        break;
      case '}':
      case ']':
        if (--depth === 0) return index + 1;
        break;
      case '<':
        return -1;
      default:
        if (depth === 0) return -1;
    }
  }
  return -1;
}

/** Index of the quote that ends a string. */
function stringEnd(text: string, from: number): number {
  for (let index = from; index < text.length; index++) {
    const character = text.charAt(index);
    if (character === '"') return index;
    if (character === '\\') index++;
  }
  return -1;
}
