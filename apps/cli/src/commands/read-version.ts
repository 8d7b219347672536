import { readTextFile } from '../config/disk.ts';

/** The version of this package. */
export function readVersion(): string {
  const manifest = new URL('../../package.json', import.meta.url);
  return (JSON.parse(readTextFile(manifest.pathname)) as { readonly version: string }).version;
}
