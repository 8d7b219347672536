import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Fence } from './markdown.ts';

const TYPESCRIPT = new Set(['ts', 'typescript', 'tsx']);

/** True for a block that has to compile: TypeScript that does not say `no-check`. */
export function isChecked({ language, note }: Fence): boolean {
  return TYPESCRIPT.has(language) && !/\bno-check\b/.test(note);
}

/**
 * Compiles blocks of code, each as a module of its own, in one run of the compiler.
 *
 * A block that begins with `// name.ts` can be imported by the later blocks of its page as `./name.ts`.
 *
 * @param folder where the modules are written; it is emptied first. They find what the package of their page
 *   has installed, and then what is found from this folder
 * @param root what the paths of the pages are relative to
 * @returns errors at their place in the page, `docs/x.md:12 Cannot find name 'y'.`
 */
export function compileFences(fences: readonly Fence[], folder: string, root: string): readonly string[] {
  rmSync(folder, { recursive: true, force: true });
  if (fences.length === 0) return [];
  const modules = new Map<string, Fence>();
  for (const fence of fences) {
    const path = join(pageFolder(fence.path), fileName(fence));
    modules.set(path, fence);
    if (!existsSync(join(folder, dirname(path)))) {
      mkdirSync(join(folder, dirname(path)), { recursive: true });
      const installed = join(root, dirname(fence.path), 'node_modules');
      if (existsSync(installed)) symlinkSync(installed, join(folder, dirname(path), 'node_modules'));
    }
    // Blank lines in front, so that a line of the module is the same line of the page.
    writeFileSync(join(folder, path), `${'\n'.repeat(fence.line - 1)}${fence.code}\nexport {};\n`);
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
  return compile(folder).map((line) => atItsPlace(line, modules));
}

const settings = {
  extends: join(import.meta.dirname, '../../tsconfig.base.json'),
  compilerOptions: {
    noEmit: true,
    incremental: false,
    noUnusedLocals: false,
    noUnusedParameters: false,
    allowImportingTsExtensions: true,
    rewriteRelativeImportExtensions: false,
    jsx: 'react-jsx',
  },
  include: ['**/*.ts', '**/*.tsx'],
};

function pageFolder(path: string): string {
  return path.replace(/\.md$/, '').replaceAll('/', '__');
}

function fileName({ code, line, language }: Fence): string {
  const named = /^\/\/ ([\w-]+(?:\.[\w-]+)*\.tsx?)\s*$/m.exec(code.split('\n', 1)[0]!)?.[1];
  return named ?? `line-${line}.${language === 'tsx' ? 'tsx' : 'ts'}`;
}

function compile(folder: string): readonly string[] {
  const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');
  const { status, stdout, stderr } = spawnSync(process.execPath, [compiler, '-p', folder, '--pretty', 'false'], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (status === 0) return [];
  const lines = `${stdout}${stderr}`.split('\n').filter((line) => line.trim() !== '');
  return lines.length > 0 ? lines : [`the compiler ended with ${status}`];
}

function atItsPlace(line: string, modules: ReadonlyMap<string, Fence>): string {
  const found = /^(.+?)\((\d+),\d+\): error TS\d+: (.*)$/.exec(line);
  const fence = found === null ? undefined : modules.get(found[1]!);
  return fence === undefined ? line : `${fence.path}:${found![2]} ${found![3]}`;
}
