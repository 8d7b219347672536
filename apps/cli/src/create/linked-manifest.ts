import type { PackageFile } from './bae-copy.ts';

type Dependencies = Readonly<Record<string, string>>;
type Links = ReadonlyMap<string, PackageFile>;

/** What a package.json says about other packages. */
export interface Manifest {
  readonly name: string;
  readonly dependencies?: Dependencies;
  readonly devDependencies?: Dependencies;
}

/** A manifest whose packages come from files. Peers keep their versions: those are what users of the package have. */
export function withLinks(manifest: Manifest, links: Links): Manifest {
  const linked = (dependencies: Dependencies): Dependencies =>
    Object.fromEntries(Object.entries(dependencies).map(([name, version]) => [name, links.get(name) ?? version]));
  const { dependencies, devDependencies } = manifest;
  const direct = { ...dependencies, ...devDependencies };
  // What only others ask for, by a version that no registry has.
  const overrides = Object.fromEntries([...links].filter(([name]) => !Object.hasOwn(direct, name)));
  return {
    ...manifest,
    ...(dependencies !== undefined && { dependencies: linked(dependencies) }),
    ...(devDependencies !== undefined && { devDependencies: linked(devDependencies) }),
    ...(Object.keys(overrides).length > 0 && { overrides }),
  };
}

/** The same for pnpm: it copies a folder that `file:` names, with all its dependencies; a link stays where it is. */
export function pnpmSettings(links: Links): string {
  const rows = [...links].map(([name, file]) => {
    const link = file.endsWith('.tgz') ? file : file.replace(/^file:/, 'link:');
    return `  '${name}': ${JSON.stringify(link)}`;
  });
  return ['# For pnpm; npm reads package.json alone.', 'overrides:', ...rows, ''].join('\n');
}
