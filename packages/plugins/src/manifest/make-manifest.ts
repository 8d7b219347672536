import type { Provision } from '@bae/core';
import { z } from 'zod';
import { importPlugin, type PluginModule } from '../code/plugin-module.ts';
import { openSpaces } from '../code/plugin-code.ts';
import { PluginError } from '../errors/plugin-error.ts';
import { errorText } from '../errors/error-text.ts';
import { readPackageManifest } from '../package/package-manifest.ts';
import { codeDigest } from '../trust/reached-files.ts';
import { describeTree } from './describe-space.ts';
import { MANIFEST_FORMAT, type PluginManifest } from './plugin-manifest.ts';

/** A manifest, and the file it belongs into. */
export interface MadeManifest {
  readonly manifest: PluginManifest;
  /** Absolute. */
  readonly file: string;
}

/**
 * Makes the manifest of a package from its code, which it runs.
 *
 * @param folder of the package, absolute and without links
 * @param provide values for what makes its spaces
 * @throws PluginError when it is no package of resourcespaces, or its code cannot be used
 */
export async function makeManifest(folder: string, provide: readonly Provision[]): Promise<MadeManifest> {
  const described = readPackageManifest(folder);
  const { name, version, entry, manifestFile: file } = described;
  const module = await importPlugin(described, `bae-manifest=${codeDigest(entry)}`);
  const agent = openSpaces(name, module, { options: exampleOf(name, module), provide });
  try {
    const spaces = describeTree(agent.tree);
    if (spaces.length === 0) throw new PluginError(`${name} has no spaces: spaces(options) returned none.`);
    const options = optionsSchema(name, module);
    const code = codeDigest(entry);
    return {
      file,
      manifest: { manifest: MANIFEST_FORMAT, name, version, code, ...(options !== undefined && { options }), spaces },
    };
  } finally {
    await agent.close();
  }
}

/** Options to make the spaces with: the author's example, where nothing is not enough. */
function exampleOf(name: string, { options }: PluginModule): unknown {
  if (options === undefined || options.safeParse({}).success) return {};
  const [example] = (options.meta()?.['examples'] as readonly unknown[] | undefined) ?? [];
  if (example !== undefined) return example;
  throw new PluginError(
    `${name}: its options have no example, and without any its spaces cannot be made. Write one: options = z.strictObject({ … }).meta({ examples: [{ … }] }).`,
  );
}

function optionsSchema(name: string, { options }: PluginModule): Readonly<Record<string, unknown>> | undefined {
  if (options === undefined) return undefined;
  try {
    const { $schema: _, ...schema } = z.toJSONSchema(options, { io: 'input' });
    // What the author did not name is a mistake of whoever writes it.
    return { additionalProperties: false, ...schema };
  } catch (error) {
    throw new PluginError(`${name}: its options cannot be written as JSON Schema: ${errorText(error)}.`, [], error);
  }
}
