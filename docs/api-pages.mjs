// Writes reference/api from the comments of the public names: one page for each entry of a published package.
// With --check nothing is written, and the program fails when a page would change.
import { existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Application } from 'typedoc';

const root = dirname(import.meta.dirname);
const pages = join(import.meta.dirname, 'reference/api');
const check = process.argv.includes('--check');
const target = check ? mkdtempSync(join(tmpdir(), 'bae-api-')) : pages;

/** What can be imported, `core` or `core-pipeline`, by the file that declares it. */
const entries = new Map(
  globSync('packages/{*,resourcespaces/*}/package.json', { cwd: root }).flatMap((path) => {
    const { name, exports } = JSON.parse(readFileSync(join(root, path), 'utf8'));
    return Object.entries(exports).map(([key, { types }]) => [
      join(root, dirname(path), types),
      (name + key.slice(1)).replace('@bae/', '').replace('/', '-'),
    ]);
  }),
);

const app = await Application.bootstrapWithPlugins({
  entryPoints: [...entries.keys()].toSorted((a, b) => a.localeCompare(b)),
  tsconfig: join(import.meta.dirname, 'tsconfig.json'),
  plugin: ['typedoc-plugin-markdown'],
  outputs: [{ name: 'markdown', path: target }],
  logLevel: 'Warn',
  // The declarations were checked when they were built, and validation would repeat what the tests of the pages say.
  skipErrorChecking: true,
  validation: false,
  readme: 'none',
  name: 'API',
  disableSources: true,
  excludeExternals: true,
  excludePrivate: true,
  excludeNotDocumented: true,
  excludeNotDocumentedKinds: ['Constructor'],
  outputFileStrategy: 'modules',
  entryFileName: 'README.md',
  pageTitleTemplates: { module: ({ name }) => `@bae/${name.replace('-', '/')}` },
  hidePageHeader: true,
  hideBreadcrumbs: true,
  useCodeBlocks: true,
  parametersFormat: 'table',
  classPropertiesFormat: 'table',
  interfacePropertiesFormat: 'table',
  typeAliasPropertiesFormat: 'table',
  typeDeclarationFormat: 'table',
  propertyMembersFormat: 'table',
  tableColumnSettings: { hideInherited: true, hideModifiers: true, hideOverrides: true },
});
const points = app.getEntryPoints() ?? [];
if (points.length < entries.size) throw new Error('Some packages are not built. Type: npx --yes pnpm@12.21.0 build');
const project = app.converter.convert(
  points.map((point) => ({ ...point, displayName: entries.get(point.sourceFile.fileName) })),
);
await app.generateOutputs(project);
const names = new Set([target, pages].flatMap((folder) => (existsSync(folder) ? readdirSync(folder) : [])));
const changed = [...names].filter((name) => read(target, name) !== read(pages, name));
if (check) rmSync(target, { recursive: true });
if (changed.length > 0) {
  console.error(`FAIL out of date in docs/reference/api: ${changed.toSorted((a, b) => a.localeCompare(b)).join(', ')}`);
  console.error('Type this and commit what it writes: npx --yes pnpm@12.21.0 --filter @bae/docs api');
  process.exitCode = 1;
}

function read(folder, name) {
  const path = join(folder, name);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
