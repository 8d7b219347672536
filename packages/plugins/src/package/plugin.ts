import { PluginError } from '../errors/plugin-error.ts';
import { readBytes } from '../disk/read-files.ts';
import { checkManifest } from '../manifest/check-manifest.ts';
import type { PluginManifest } from '../manifest/plugin-manifest.ts';
import { readPackageManifest, type PackageManifest } from './package-manifest.ts';

/** A package of resourcespaces as it describes itself; nothing of it has run. */
export interface Plugin extends PackageManifest {
  readonly manifest: PluginManifest;
}

/**
 * Reads what a package says of itself.
 *
 * @param folder of the package, absolute and without links
 * @throws PluginError when it is no package of resourcespaces, is made for another bae, or has no good manifest
 */
export function readPlugin(folder: string): Plugin {
  const described = readPackageManifest(folder);
  const { name, manifestFile } = described;
  const bytes = readBytes(manifestFile);
  const hint = [`bae manifest ${folder}`];
  if (bytes === undefined)
    throw new PluginError(
      `${name} has no manifest: ${manifestFile} is not there. Its author writes it with bae manifest.`,
      hint,
    );
  const manifest = checkManifest(parsed(String(bytes)));
  if (typeof manifest === 'string')
    throw new PluginError(
      `${name}: its manifest cannot be used: ${manifest}. Its author writes it anew with bae manifest.`,
      hint,
    );
  if (manifest.name !== name)
    throw new PluginError(
      `${name}: its manifest is that of ${manifest.name}. Its author writes it anew with bae manifest.`,
      hint,
    );
  return { ...described, manifest };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
