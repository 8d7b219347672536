import type { ComponentScripts } from '../language/component-outline.ts';
import type { TextEdit } from '../language/outline.ts';
import { findOccurrences } from './identifier-name.ts';

/** Tests whether a component uses a name where the compiler cannot see it: in its template, or as a store of Svelte. */
export function isNamedOutside({ text, rest }: ComponentScripts, name: string): boolean {
  // The tag of a component of Vue, or its directive: `<my-card>`, `v-my-focus`.
  const tag = name.replaceAll(/(?<=[^A-Z])(?=[A-Z])/g, '-').toLowerCase();
  if (tag.includes('-') && rest.includes(tag)) return true;
  const store = `$${name}`;
  return [...findOccurrences(name, rest), ...findOccurrences(store, rest + text)].length > 0;
}

/** Names in the braces of an import. */
const IMPORTED = /\bimport\b[^;'"]*?\{([^{}]*)\}\s*from\b/dg;

/**
 * Turns the edits of a renaming into those that import the symbol under its old name, `{ fresh as old }`, so that the
 * rest of the module stays as it is; undefined when the module does not import it by its name.
 */
export function keepLocalName(
  text: string,
  oldName: string,
  edits: readonly TextEdit[],
): readonly TextEdit[] | undefined {
  const imported = Array.from(text.matchAll(IMPORTED), ({ indices }) => indices![1]!);
  const isImport = ({ start }: TextEdit): boolean => imported.some(([from, to]) => start >= from && start < to);
  const hasAlias = ({ end }: TextEdit): boolean => /^\s+as\b/.test(text.slice(end, end + 20));
  const isMember = ({ start }: TextEdit): boolean => /\.\s*$/.test(text.slice(Math.max(0, start - 20), start));
  if (!edits.some((edit) => isImport(edit) && !hasAlias(edit))) return undefined;
  return edits.flatMap((edit) => {
    if (!isImport(edit)) return isMember(edit) ? [edit] : [];
    return hasAlias(edit) ? [edit] : [{ ...edit, text: `${edit.text} as ${oldName}` }];
  });
}
