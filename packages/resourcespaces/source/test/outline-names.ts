import type { SymbolOutline } from '../src/language/outline.ts';
import { typescriptOutline } from '../src/language/typescript-outline.ts';

/** The symbols of a text as `kind name`, members indented; what is exported has a plus. */
export function outlineNames(text: string, path = 'a.ts', inner = false): readonly string[] {
  return rows(typescriptOutline.outline({ text, path, inner }).symbols, '');
}

function rows(symbols: readonly SymbolOutline[], indent: string): readonly string[] {
  return symbols.flatMap(({ name, kind, exported, members }) => [
    `${indent}${kind} ${name}${exported && indent === '' ? ' +' : ''}`,
    ...rows(members, `${indent}  `),
  ]);
}
