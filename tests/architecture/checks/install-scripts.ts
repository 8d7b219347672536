import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Violation } from '../source/violation.ts';

interface Manifest {
  readonly name: string;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

const ON_INSTALL = ['preinstall', 'install', 'postinstall'];

/**
 * Nothing that is installed with a package runs code while it is installed.
 *
 * @param folders package folders whose installed dependencies are followed, development ones left out
 */
export function checkInstallScripts(folders: readonly string[]): readonly Violation[] {
  const seen = new Set<string>();
  return folders.flatMap((folder) => followDependencies(realpathSync(folder), seen));
}

function followDependencies(folder: string, seen: Set<string>): readonly Violation[] {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  const { dependencies, optionalDependencies, peerDependencies } = manifest;
  const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
  const found = names.map((name) => installedFolder(folder, name)).filter((path) => path !== undefined);
  return found.flatMap((path) => {
    if (seen.has(path)) return [];
    seen.add(path);
    return [...scriptsOf(path), ...followDependencies(path, seen)];
  });
}

/** Where a package finds a dependency; undefined for an optional one of another platform. */
function installedFolder(from: string, name: string): string | undefined {
  for (let folder = from; dirname(folder) !== folder; folder = dirname(folder)) {
    const path = join(folder, 'node_modules', name);
    if (existsSync(join(path, 'package.json'))) return realpathSync(path);
  }
  return undefined;
}

function scriptsOf(folder: string): readonly Violation[] {
  const { name, scripts = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
  const reasons = ON_INSTALL.filter((script) => script in scripts).map((script) => `a ${script} script`);
  if (reasons.length === 0 && existsSync(join(folder, 'binding.gyp'))) reasons.push('a native build');
  return reasons.map((reason) => ({ path: folder, message: `${name} has ${reason}` }));
}
