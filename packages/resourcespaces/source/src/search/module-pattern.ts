import type { CodeModule } from '../modules/code-module.ts';
import { matchesSegments } from '../modules/segment-pattern.ts';

/** The modules that a dotted pattern names, sorted. */
export function modulesMatching(pattern: string, modules: readonly CodeModule[]): readonly CodeModule[] {
  const parts = pattern.split('.');
  return modules.filter(({ name, folder }) => {
    if (matchesSegments(parts, name.split('.'))) return true;
    // A file name may have dots itself and is one name all the same.
    const own = name === folder ? '' : name.slice(folder === '' ? 0 : folder.length + 1);
    return own.includes('.') && matchesSegments(parts, [...(folder === '' ? [] : folder.split('.')), own]);
  });
}
