import { fileURLToPath } from 'node:url';
import { readTextFile } from './config/disk.ts';

/** The folder of the package that this program is: above `src` as above `dist`. */
export const PACKAGE_FOLDER = fileURLToPath(new URL('..', import.meta.url));

export function readVersion(): string {
  return (JSON.parse(readTextFile(`${PACKAGE_FOLDER}package.json`)) as { readonly version: string }).version;
}
