import type { ModuleExportName } from 'oxc-parser';
import { quotedName } from './key-name.ts';

/** A name between the braces of an import or export. */
export function exportedName(name: ModuleExportName): string {
  return name.type === 'Literal' ? quotedName(name.value) : name.name;
}
