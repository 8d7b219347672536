import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { writeManifest } from '@bae/plugins';
import { put, scratchFolder } from './scratch-folder.ts';

const CORE = JSON.stringify(import.meta.resolve('@bae/core'));
const ZOD = JSON.stringify(import.meta.resolve('zod'));

/** What modules of test packages begin with. */
export const IMPORTS = `import { defineResourcespace, tool } from ${CORE};\nimport { z } from ${ZOD};\n`;

/** A module with one space, which says in a file of the project that it ran. */
export function markingModule(
  project: string,
  name: string,
  tools = "read: tool('One of them.', {}, () => 'read it')",
): string {
  return `${IMPORTS}
import { appendFileSync } from 'node:fs';
appendFileSync(${JSON.stringify(join(project, 'ran'))}, '${name}\\n');
if (process.env.VITEST === undefined) console.log('printed by ${name}');
export const ${name} = defineResourcespace({ name: '${name}', description: 'The ${name}.', enter: () => 'all is well', tools: { ${tools} } });
`;
}

/** Installs a package that needs the process of bae, with its manifest, into a project. Returns its folder. */
export function install(project: string, name: string, code = markingModule(project, name)): Promise<string> {
  // A module that marks writes a file of the project, which a process of its own may not.
  return installPackage(project, { name, code, more: { isolate: false } });
}

/** Installs a package with its manifest into a project. Returns its folder. */
export async function installPackage(
  project: string,
  { name, code, more = {} }: { readonly name: string; readonly code: string; readonly more?: object },
): Promise<string> {
  const folder = join(project, 'node_modules', `bae-resourcespace-${name}`);
  // Elsewhere: a process runs the code of a path once, and the test may change it.
  const made = join(scratchFolder().path, name);
  const bae = { api: '^1', spaces: './dist/index.js', manifest: './dist/bae.manifest.json', ...more };
  const manifest = {
    name: `bae-resourcespace-${name}`,
    version: '1.2.0',
    type: 'module',
    keywords: ['bae-resourcespace'],
    bae,
  };
  put(made, 'package.json', manifest);
  put(made, 'dist/index.js', code);
  await writeManifest(made, []);
  mkdirSync(dirname(folder), { recursive: true });
  renameSync(made, folder);
  rmSync(join(project, 'ran'), { force: true });
  return folder;
}
