/** What no function can be called by, and what code could not do without if one were. */
const RESERVED = new Set(
  (
    'arguments async await break case catch class const continue debugger default delete do else enum eval export ' +
    'extends false finally for function globalThis if implements import in Infinity instanceof interface let NaN ' +
    'new null package private protected public return static super switch this throw true try typeof undefined ' +
    'var void while with yield console Array BigInt Boolean Date Error Function JSON Map Math Number Object Promise ' +
    'Proxy Reflect RegExp Set String Symbol'
  ).split(' '),
);

/** The name of a tool or place as code can write it: `my-tool` is `my_tool`, `delete` is `delete_`. */
export function codeName(name: string): string {
  const written = name.replaceAll(/[^\p{L}\p{N}_$]/gu, '_');
  return RESERVED.has(written) ? `${written}_` : written;
}
