import { basename } from 'node:path';
import { findRealPath } from '../disk.ts';
import type { SpaceManifest, ToolManifest } from '../manifest/plugin-manifest.ts';
import type { Plugin } from '../package/read-plugin.ts';
import { codeDigest, folderDigest } from './digests.ts';

/** Something that a person may trust or not: none of its code runs before that. */
export interface TrustSubject {
  readonly kind: 'configuration' | 'plugin';
  /** `bae.config.ts`, `bae-resourcespace-tickets`. */
  readonly name: string;
  /** The file or folder, absolute and without links. */
  readonly path: string;
  /** SHA-256 of everything that belongs to it. */
  readonly digest: string;
  /** What a person should know about it, line by line. */
  readonly about: readonly string[];
}

const EFFECTS: Readonly<Record<ToolManifest['effect'], string>> = {
  read: 'reads',
  write: 'writes',
  external: 'leaves this machine or costs money',
};

/** A package, described by what its manifest says that its tools do. */
export function pluginSubject({ name, version, folder, entry, manifest }: Plugin): TrustSubject {
  const isCurrent = codeDigest(entry) === manifest.code;
  const about = [
    `version ${version}`,
    ...manifest.spaces.flatMap((space) => describeEffects(space, '')),
    ...(isCurrent ? [] : ['its code was changed after this was written down: it may do something else']),
  ];
  return { kind: 'plugin', name, path: folder, digest: folderDigest(folder), about };
}

/**
 * A configuration file, with every file of the project that it imports.
 *
 * @param file absolute
 * @param about what is in it, line by line
 */
export function configurationSubject(file: string, about: readonly string[]): TrustSubject {
  const path = findRealPath(file) ?? file;
  return { kind: 'configuration', name: basename(file), path, digest: codeDigest(file), about };
}

function describeEffects({ name, description, tools, children }: SpaceManifest, above: string): readonly string[] {
  const path = `${above}${name}`;
  const effects = Object.entries(EFFECTS).flatMap(([effect, verb]) => {
    const names = tools.filter((tool) => tool.effect === effect).map((tool) => tool.name);
    return names.length === 0 ? [] : [`  ${verb}: ${names.join(', ')}`];
  });
  const below = children.flatMap((child) => describeEffects(child, `${path}.`));
  return [`${path}() -- ${description}`, ...effects, ...below];
}
