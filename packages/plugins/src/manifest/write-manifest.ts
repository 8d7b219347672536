import type { Provision } from '@bae/core';
import { readBytes } from '../disk/read-files.ts';
import { writeAtomically } from '../disk/write-atomically.ts';
import { PluginError } from '../errors/plugin-error.ts';
import { makeManifest, type MadeManifest } from './make-manifest.ts';

/** A manifest that was made, and whether the file had another one before. */
export interface WrittenManifest extends MadeManifest {
  readonly changed: boolean;
}

/**
 * Writes the manifest of a package, whose code it runs.
 *
 * @param folder of the package, absolute and without links
 * @throws PluginError when it cannot be made or written
 */
export async function writeManifest(folder: string, provide: readonly Provision[]): Promise<WrittenManifest> {
  const made = await makeManifest(folder, provide);
  const text = `${JSON.stringify(made.manifest, undefined, 2)}\n`;
  const changed = String(readBytes(made.file) ?? '') !== text;
  try {
    if (changed) writeAtomically(made.file, text, 'everybody');
  } catch (error) {
    throw new PluginError(
      `${made.file} cannot be written: ${(error as Error).message}. Make its folder writable.`,
      [],
      error,
    );
  }
  return { ...made, changed };
}
