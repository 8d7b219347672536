import { filesOfCopy, packagedNode } from './bae-copy.ts';
import { pnpmSettings, withLinks, type Manifest } from './linked-manifest.ts';
import { named } from './scaffold-files.ts';
import { readLayers, type ScaffoldFiles } from './scaffold-folder.ts';
import type { ScaffoldRequest } from './scaffold-request.ts';

/** Version of a Node that comes as a package. */
const NODE = process.versions.node;

/** All files of a new package. */
export function newPackage({ package: name, names, layers, linked }: ScaffoldRequest): ScaffoldFiles {
  const files = named(readLayers(layers), names);
  const manifest = withNode({ ...(JSON.parse(files.get('package.json')!) as Manifest), name });
  if (!linked) return new Map([...files, ['package.json', json(manifest)]]);
  const links = filesOfCopy(Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }));
  return new Map([
    ...files,
    ['package.json', json(withLinks(manifest, links))],
    ['pnpm-workspace.yaml', pnpmSettings(links)],
  ]);
}

/** Where the Node of the shell is too old for bae, scripts run on the one that bae runs on. */
function withNode(manifest: Manifest): Manifest {
  const node = packagedNode();
  return node === undefined
    ? manifest
    : { ...manifest, devDependencies: { ...manifest.devDependencies, [node]: NODE } };
}

function json(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
