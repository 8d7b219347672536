import { join } from 'node:path';
import { writeManifest } from '../src/manifest/write-manifest.ts';
import type { Trust } from '../src/load/resolve-mounts.ts';
import type { TrustState } from '../src/trust/trust-store.ts';
import { put } from './scratch.ts';

const CORE = JSON.stringify(import.meta.resolve('@bae/core'));
const ZOD = JSON.stringify(import.meta.resolve('zod'));

/** What the modules below begin with. */
export const IMPORTS = `import { defineResourcespace, tool, resourcespace } from ${CORE};\nimport { z } from ${ZOD};\n`;

/** A module with one space of one tool. */
export function spaceModule(name: string, more = ''): string {
  return `${IMPORTS}
export const ${name} = defineResourcespace({
  name: '${name}', description: 'The ${name}.', enter: () => 'all is well in ${name}',
  tools: { read: tool('One of them.', { id: z.int().optional().describe('Which one.') }, ({ id }) => 'read ' + id) ${more} },
});
`;
}

/** A package as a test writes it. */
export interface SamplePackage {
  readonly name: string;
  readonly version?: string;
  readonly api?: unknown;
  /** The module of its spaces. */
  readonly code: string;
  readonly keywords?: readonly string[];
}

/** Writes a package into a folder, without a manifest. */
export function putPackage(folder: string, sample: SamplePackage): string {
  const { name, version = '1.0.0', api = '^1', code, keywords = ['bae-resourcespace'] } = sample;
  const bae = { api, spaces: './dist/index.js', manifest: './dist/bae.manifest.json' };
  put(folder, {
    'package.json': JSON.stringify({ name, version, type: 'module', keywords, bae }),
    'dist/index.js': code,
  });
  return folder;
}

/** Writes a package with its manifest into `node_modules` of a project. Returns its folder. */
export async function install(project: string, sample: SamplePackage): Promise<string> {
  const folder = putPackage(join(project, 'node_modules', sample.name), { ...sample, api: '^1' });
  await writeManifest(folder, []);
  return putPackage(folder, sample);
}

/** A user who has decided the same about everything, and whose decisions are not kept. */
export function trustOf(state: TrustState): Trust {
  return {
    stateOf: () => state,
    addWantedTo: (subject) => subject,
    loadsOf: () => undefined,
    addLoads: () => undefined,
    addWanted: () => undefined,
  };
}
