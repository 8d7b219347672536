import { join } from 'node:path';
import { readBytes } from '../disk/read-files.ts';
import { PLUGIN_KEYWORD } from './plugin-api.ts';
import { findPackage, foldersUp } from './find-package.ts';
import { isPluginName } from './package-name.ts';

const PATTERNS = ['bae-resourcespace-*', '@*/bae-resourcespace-*'];

/** Only the names, which are those of folders or of links to them: nothing is looked into. */
const AT_A_GLANCE = { onlyFiles: false, suppressErrors: true } as const;

/** An installed package by name, and where it is. */
export interface InstalledPackage {
  readonly name: string;
  /** Absolute, without links. */
  readonly folder: string;
}

/**
 * The packages of resourcespaces that are installed for a folder: named like one, and with the keyword. Of
 * two with one name, the nearer counts.
 *
 * @returns sorted by name
 */
export async function discoverPackages(from: string): Promise<readonly InstalledPackage[]> {
  const { default: glob } = await import('fast-glob');
  const cwds = foldersUp(from).map((folder) => join(folder, 'node_modules'));
  const found = await Promise.all(cwds.map((cwd) => glob(PATTERNS, { cwd, ...AT_A_GLANCE })));
  return [...new Set(found.flat())]
    .filter(isPluginName)
    .toSorted()
    .flatMap((name) => {
      const folder = findPackage(name, from);
      return folder !== undefined && hasKeyword(folder) ? [{ name, folder }] : [];
    });
}

function hasKeyword(folder: string): boolean {
  try {
    const { keywords } = JSON.parse(String(readBytes(join(folder, 'package.json')))) as { readonly keywords?: unknown };
    return Array.isArray(keywords) && keywords.includes(PLUGIN_KEYWORD);
  } catch {
    return false;
  }
}
