import type { Provision } from '@bae/core';
import { z } from 'zod';
import { readBytes, swapFile } from '../disk.ts';
import { importPlugin, type PluginModule } from '../load/import-plugin.ts';
import { type CodeOptions, DATA_FOLDER, makeSpaces } from '../load/lazy-space.ts';
import { describeHooks, makeHooks } from '../load/package-hooks.ts';
import { readPackageManifest, type PackageManifest } from '../package/read-plugin.ts';
import { summarizeError, PluginError } from '../plugin-error.ts';
import { codeDigest } from '../trust/trust-subject.ts';
import { compareManifests, describeTree } from './describe-spaces.ts';
import { MANIFEST_FORMAT, type PluginManifest, type SpaceManifest } from './plugin-manifest.ts';

type Made = Pick<CodeOptions, 'options' | 'provide'>;

/** Manifest that has been written. */
export interface WrittenManifest {
  readonly manifest: PluginManifest;
  readonly file: string;
  /** True if the content of the file has changed. */
  readonly changed: boolean;
}

/**
 * Writes the manifest of a package by running its code.
 *
 * @param folder of the package, absolute and without links
 * @param provide values for making its spaces
 * @throws PluginError when it is not a package of resourcespaces, its code cannot be used, or the file cannot be
 * written
 */
export async function writeManifest(folder: string, provide: readonly Provision[]): Promise<WrittenManifest> {
  const described = readPackageManifest(folder);
  const { manifestFile: file } = described;
  const manifest = await describePackage(described, provide);
  const text = `${JSON.stringify(manifest, undefined, 2)}\n`;
  const changed = String(readBytes(file) ?? '') !== text;
  try {
    if (changed) swapFile(file, text, 'everybody');
  } catch (error) {
    const { message } = error as Error;
    throw new PluginError(`${file} cannot be written: ${message}. Make its folder writable.`, [], error);
  }
  return { manifest, file, changed };
}

async function describePackage(described: PackageManifest, provide: readonly Provision[]): Promise<PluginManifest> {
  const { name, version, entry } = described;
  const code = codeDigest(entry);
  const module = await importPlugin(described, { version: `bae-manifest=${code}` });
  const made = { options: findExampleOptions(name, module), provide };
  const hooks = describeHooks(makeHooks(name, module, made));
  const { tree, dispose } = makeSpaces(name, module, made);
  try {
    const spaces = describeTree(tree);
    if (spaces.length === 0) throw new PluginError(`${name} has no spaces: spaces(options) returned none.`);
    const options = convertOptions(name, module);
    const mayMove = described.isolate !== false && hooks.length === 0;
    const isStandalone = mayMove && (await needsNothing(name, module, { made, spaces }));
    const more = {
      ...(options !== undefined && { options }),
      ...(isStandalone && { standalone: true as const }),
      ...(hooks.length > 0 && { hooks }),
    };
    return { manifest: MANIFEST_FORMAT, name, version, code, ...more, spaces };
  } finally {
    await dispose();
  }
}

/** Tests whether the same spaces are made with what a process of their own would give them: a data folder. */
async function needsNothing(
  name: string,
  module: PluginModule,
  { made, spaces }: { readonly made: Made; readonly spaces: readonly SpaceManifest[] },
): Promise<boolean> {
  const provide = made.provide.filter(({ token }) => token === DATA_FOLDER);
  let opened;
  try {
    opened = makeSpaces(name, module, { ...made, provide });
  } catch {
    return false;
  }
  try {
    return compareManifests(spaces, describeTree(opened.tree)).length === 0;
  } finally {
    await opened.dispose();
  }
}

/** Returns options for making the spaces: none if that is valid, otherwise the author's example. */
function findExampleOptions(name: string, { options }: PluginModule): unknown {
  if (options === undefined || options.safeParse({}).success) return {};
  const [example] = (options.meta()?.['examples'] as readonly unknown[] | undefined) ?? [];
  if (example !== undefined) return example;
  throw new PluginError(
    `${name}: its options have no example, and without any its spaces cannot be made. Write one: options = z.strictObject({ … }).meta({ examples: [{ … }] }).`,
  );
}

function convertOptions(name: string, { options }: PluginModule): Readonly<Record<string, unknown>> | undefined {
  if (options === undefined) return undefined;
  try {
    const { $schema: _, ...schema } = z.toJSONSchema(options, { io: 'input' });
    // An option not declared by the author is a mistake in the configuration.
    return { additionalProperties: false, ...schema };
  } catch (error) {
    const reason = summarizeError(error);
    throw new PluginError(`${name}: its options cannot be written as JSON Schema: ${reason}.`, [], error);
  }
}
