import { isTest } from '../source/file-kind.ts';
import { importsOf, packageNameOf, targetOf, type Import } from '../source/imports.ts';
import { modulesOf, type Module } from '../source/module.ts';
import type { Repository } from '../source/repository.ts';
import { packageFolder, roleOf, type Role } from '../source/roles.ts';
import type { Violation } from '../source/violation.ts';

/** Which of our packages each part may import; `own` third-party dependencies are everybody's own affair but core's. */
const MAY_IMPORT: Readonly<Record<Role, readonly Role[]>> = {
  core: [],
  testing: ['core'],
  models: ['core'],
  plugins: ['core'],
  sandbox: ['core'],
  store: ['core'],
  'store-postgres': ['core', 'store'],
  workspace: ['core', 'store'],
  project: ['core', 'workspace'],
  resourcespace: ['core', 'project', 'store', 'workspace'],
  // A language of the source space.
  'source-python': ['core', 'resourcespace'],
  // The tools of all places are found by the package that searches places.
  'mcp-server': ['core', 'resourcespace'],
  // What both ends of the wire speak of.
  client: ['core'],
  server: ['core', 'client', 'project', 'store'],
  telemetry: ['core'],
  app: [
    'client',
    'mcp-server',
    'server',
    'telemetry',
    'source-python',
    'store-postgres',
    'core',
    'testing',
    'models',
    'plugins',
    'project',
    'sandbox',
    'store',
    'workspace',
    'resourcespace',
  ],
  tests: [
    'client',
    'mcp-server',
    'server',
    'telemetry',
    'source-python',
    'store-postgres',
    'core',
    'testing',
    'models',
    'plugins',
    'project',
    'sandbox',
    'store',
    'workspace',
    'resourcespace',
    'app',
  ],
  examples: [
    'client',
    'core',
    'testing',
    'models',
    'plugins',
    'project',
    'sandbox',
    'store',
    'workspace',
    'resourcespace',
  ],
  root: [],
};

/** Core's whole outside world. */
export const CORE_DEPENDENCIES: readonly string[] = ['reflect-metadata', 'tsyringe', 'zod'];

/** Packages import one another by name, from their public entries, and only downwards. */
export function checkPackageImports(repository: Repository): readonly Violation[] {
  const roles = rolesByName(repository);
  return modulesOf(repository).flatMap((module) =>
    importsOf(module).flatMap((one) => {
      const reason = reasonAgainst(module, one, roles);
      return reason === undefined
        ? []
        : [{ path: module.path, line: one.line, message: `imports ${one.specifier}: ${reason}` }];
    }),
  );
}

function reasonAgainst(module: Module, { specifier }: Import, roles: ReadonlyMap<string, Role>): string | undefined {
  const target = targetOf(module, specifier);
  if (target !== undefined) return reasonAgainstPath(module.path, target);
  const name = packageNameOf(specifier);
  const to = roles.get(name);
  const from = roleOf(module.path);
  if (to === undefined) return from === 'core' ? reasonAgainstOutsider(module.path, name) : undefined;
  if (/\/(src|dist)(\/|$)/.test(specifier)) return `use the public entry ${name}`;
  const allowed = isTest(module.path)
    ? [...MAY_IMPORT[from], 'testing', 'store', 'store-postgres', 'workspace']
    : MAY_IMPORT[from];
  return allowed.includes(to) ? undefined : `${from} does not import ${to}`;
}

function reasonAgainstPath(from: string, to: string): string | undefined {
  const folder = packageFolder(from);
  // Settings files share what is in the root.
  if (packageFolder(to) === folder || packageFolder(to) === '') return undefined;
  return `it is in another package; import that by its name`;
}

function reasonAgainstOutsider(path: string, name: string): string | undefined {
  if (isTest(path) || path.endsWith('.config.ts') || CORE_DEPENDENCIES.includes(name)) return undefined;
  return `core imports nothing but ${CORE_DEPENDENCIES.join(', ')}`;
}

function rolesByName(repository: Repository): ReadonlyMap<string, Role> {
  const manifests = repository.files.filter(({ path }) => path.endsWith('/package.json'));
  return new Map(manifests.map(({ path, text }) => [(JSON.parse(text) as { name: string }).name, roleOf(path)]));
}
