import { locatePackages, findPackagedNode, type PackageFile } from './bae-copy.ts';
import { readLayers, type ScaffoldFiles, type ScaffoldNames } from './scaffold.ts';

type Dependencies = Readonly<Record<string, string>>;
type Links = ReadonlyMap<string, PackageFile>;

export interface PackagePlan {
  readonly package: string;
  readonly names: ScaffoldNames;
  /** Template folders; a file in a later one replaces that in an earlier one. */
  readonly layers: readonly string[];
  /** True to link the packages of this copy of bae, false to use the registry. */
  readonly linked: boolean;
}

export function createPackage({ package: name, names, layers, linked }: PackagePlan): ScaffoldFiles {
  const files = fillTemplates(readLayers(layers), names);
  const manifest = addNode({ ...(JSON.parse(files.get('package.json')!) as Manifest), name });
  if (!linked) return new Map([...files, ['package.json', formatJson(manifest)]]);
  const links = locatePackages(Object.keys({ ...manifest.dependencies, ...manifest.devDependencies }));
  return new Map([
    ...files,
    ['package.json', formatJson(linkPackages(manifest, links))],
    ['pnpm-workspace.yaml', renderPnpmSettings(links)],
  ]);
}

export function formatJson(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

/** Templates with other names, because npm excludes these files from a package or interprets them itself. */
const RENAMED: Readonly<Record<string, string>> = { gitignore: '.gitignore', 'package.template.json': 'package.json' };

/** Replaces `template` with the name in paths and texts, preserving letter case. */
export function fillTemplates(files: ScaffoldFiles, names: ScaffoldNames): ScaffoldFiles {
  return new Map([...files].map(([path, text]) => [RENAMED[path] ?? fillNames(path, names), fillNames(text, names)]));
}

function fillNames(text: string, { name, identifier, camel, pascal }: ScaffoldNames): string {
  return text
    .replaceAll('Template', pascal)
    .replaceAll(/\btemplate(?=[A-Z])/g, camel)
    .replaceAll(/(?<=-)template\b|\btemplate(?=-)/g, name)
    .replaceAll(/\btemplate\b/g, identifier);
}

export interface Manifest {
  readonly name: string;
  readonly dependencies?: Dependencies;
  readonly devDependencies?: Dependencies;
}

/** Adds the Node of bae to the package if that of the shell is too old. */
function addNode(manifest: Manifest): Manifest {
  const node = findPackagedNode();
  if (node === undefined) return manifest;
  return { ...manifest, devDependencies: { ...manifest.devDependencies, [node]: process.versions.node } };
}

/** Links dependencies to files. Peer dependencies keep their versions, which are meant for users of the package. */
export function linkPackages(manifest: Manifest, links: Links): Manifest {
  const link = (dependencies: Dependencies): Dependencies =>
    Object.fromEntries(Object.entries(dependencies).map(([name, version]) => [name, links.get(name) ?? version]));
  const { dependencies, devDependencies } = manifest;
  const direct = { ...dependencies, ...devDependencies };
  // Indirect dependencies, whose versions are in no registry.
  const overrides = Object.fromEntries([...links].filter(([name]) => !Object.hasOwn(direct, name)));
  return {
    ...manifest,
    ...(dependencies !== undefined && { dependencies: link(dependencies) }),
    ...(devDependencies !== undefined && { devDependencies: link(devDependencies) }),
    ...(Object.keys(overrides).length > 0 && { overrides }),
  };
}

/** Renders the same links for pnpm. It uses `link:`, because pnpm copies a `file:` folder with all its dependencies. */
export function renderPnpmSettings(links: Links): string {
  const rows = [...links].map(([name, file]) => {
    const link = file.endsWith('.tgz') ? file : file.replace(/^file:/, 'link:');
    return `  '${name}': ${JSON.stringify(link)}`;
  });
  return ['# For pnpm; npm reads package.json alone.', 'overrides:', ...rows, ''].join('\n');
}
