import { dirname, join } from 'node:path';
import { kindOfPath } from '../config/disk.ts';

/**
 * True when code in a folder finds all of these packages: in its `node_modules`, or in that of a folder above.
 *
 * @param folder absolute; it need not be there
 */
export function isInstalledFor(folder: string, names: readonly string[]): boolean {
  return names.every((name) => finds(folder, name));
}

function finds(folder: string, name: string): boolean {
  if (kindOfPath(join(folder, 'node_modules', name, 'package.json')) === 'file') return true;
  const above = dirname(folder);
  return above !== folder && finds(above, name);
}
