/**
 * A file's name in the form in which every spelling that some file system takes for the same name is equal:
 * without case, composed or decomposed letters, characters that are not seen, and dots and blanks at the end.
 *
 * Names that no file system takes for equal may become equal too; it is for refusing, never for allowing.
 */
export function foldName(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/[\p{Default_Ignorable_Code_Point}\p{Cc}]/gu, '')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[.\s]+$/, '');
}
