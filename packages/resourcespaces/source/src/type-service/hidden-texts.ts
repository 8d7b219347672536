/** Stands for a module about which nothing is said: every import from it is of type `any`. */
const ANYTHING = 'declare const hidden: any;\nexport = hidden;\n';

/**
 * Returns what the compiler sees instead of files whose content is shown only with consent, because it names their keys
 * and types in its messages.
 *
 * @param files absolute paths
 */
export function makeHiddenTexts(files: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    files.flatMap((file): readonly (readonly [string, string])[] => {
      if (file.endsWith('.json'))
        return [
          [file, '{}'],
          // The declaration of a JSON file, which the compiler looks for before the file itself.
          [file.replace(/json$/, 'd.json.ts'), ANYTHING],
        ];
      if (/\.[cm]?jsx?$/.test(file)) return [[file, 'module.exports = /** @type {any} */ ({});\n']];
      return [[file, ANYTHING]];
    }),
  );
}

/** Tests for the message that such a declaration needs an option which the project does not set. */
export function isAboutHidden({ code, message }: { readonly code: number; readonly message: string }): boolean {
  return code === 6263 && message.includes('.d.json.ts');
}
