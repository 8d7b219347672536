import type { Plugin } from '../package/plugin.ts';
import type { SpaceManifest, ToolManifest } from '../manifest/plugin-manifest.ts';
import { folderDigest } from './folder-digest.ts';
import { codeDigest } from './reached-files.ts';

/** Something that a person may trust or not: nothing of it runs before that. */
export interface TrustSubject {
  readonly kind: 'configuration' | 'plugin';
  /** `bae.config.ts`, `bae-resourcespace-tickets`. */
  readonly name: string;
  /** Where it is: a file or a folder, absolute and without links. */
  readonly path: string;
  /** SHA-256 of everything that belongs to it. */
  readonly digest: string;
  /** What a person should know of it, line by line. */
  readonly about: readonly string[];
}

const EFFECTS: Readonly<Record<ToolManifest['effect'], string>> = {
  read: 'reads',
  write: 'writes',
  external: 'leaves this machine or costs money',
};

/** A package as a person is asked about it: what it says that its tools do. */
export function pluginSubject({ name, version, folder, entry, manifest }: Plugin): TrustSubject {
  const about = [
    `version ${version}`,
    ...manifest.spaces.flatMap((space) => aboutSpace(space, '')),
    ...(codeDigest(entry) === manifest.code
      ? []
      : ['its code was changed after this was written down: it may do something else']),
  ];
  return { kind: 'plugin', name, path: folder, digest: folderDigest(folder), about };
}

function aboutSpace({ name, description, tools, children }: SpaceManifest, above: string): readonly string[] {
  const path = `${above}${name}`;
  const effects = Object.entries(EFFECTS).flatMap(([effect, words]) => {
    const names = tools.filter((tool) => tool.effect === effect).map((tool) => tool.name);
    return names.length === 0 ? [] : [`  ${words}: ${names.join(', ')}`];
  });
  return [`${path}() -- ${description}`, ...effects, ...children.flatMap((child) => aboutSpace(child, `${path}.`))];
}
