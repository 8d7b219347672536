import { fileURLToPath } from 'node:url';
import { readTextFile } from './config/disk.ts';

/** Folder of the package of this program, which is the parent of both `src` and `dist`. */
export const PACKAGE_FOLDER = fileURLToPath(new URL('..', import.meta.url));

export function readVersion(): string {
  return (JSON.parse(readTextFile(`${PACKAGE_FOLDER}package.json`)) as { readonly version: string }).version;
}
