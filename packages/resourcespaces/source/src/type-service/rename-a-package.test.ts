import { spawnSync } from 'node:child_process';
import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { TemporaryProject } from '../../test/temporary-project.ts';
import { findCompiler } from './project-facts.ts';
import { applyEdits } from '../language/outline.ts';

const ROOT = join(import.meta.dirname, '../../../../..');
const CORE = join(ROOT, 'packages/core');
const RENAMED = 10;

describe('renameEdits in a real package', () => {
  it('renames exported symbols one after the other without a new type error', { tags: ['long'] }, async () => {
    const project = copyOfCore();
    const before = typecheck(project);
    const service = project.service();
    const names: string[] = [];
    for (const { path, name } of exportedSymbols(project)) {
      if (names.length === RENAMED) break;
      const marked = new RegExp(`export (?:abstract )?(?:class|function|interface|type|const) (?=${name}\\b)`);
      const { index, 0: head } = marked.exec(project.read(path)) as RegExpExecArray;
      const place = { file: project.path(path), offset: index + head.length };
      const plan = await service.renameEdits({ ...place, newName: `${name}Renamed` });
      if (plan.type !== 'edits') throw new Error(JSON.stringify(plan));
      expect(plan.oldName).toBe(name);
      for (const { file, edits } of plan.files) writeFileSync(file, applyEdits(readFileSync(file, 'utf8'), edits));
      names.push(name);
    }
    expect(names).toHaveLength(RENAMED);
    expect(typecheck(project)).toBe(before);
    // Every name went, also out of the public entry.
    const entries = project.read('src/index.ts') + project.read('src/pipeline.ts');
    const entry = entries.replaceAll(/from '[^']*'|\/\/.*/g, '');
    for (const name of names) expect(entry).not.toMatch(new RegExp(`\\b${name}\\b`));
  });
});

function copyOfCore(): TemporaryProject {
  const project = new TemporaryProject();
  const filter = (path: string): boolean => !path.endsWith('.test.ts');
  cpSync(join(CORE, 'src'), project.path('src'), { recursive: true, filter });
  for (const name of ['package.json', 'tsconfig.json']) cpSync(join(CORE, name), project.path(name));
  cpSync(join(ROOT, 'tsconfig.base.json'), project.path('tsconfig.base.json'));
  const settings = JSON.parse(project.read('tsconfig.json')) as { extends: string; include: readonly string[] };
  const own = { ...settings, extends: './tsconfig.base.json', include: ['src'] };
  project.write('tsconfig.json', JSON.stringify(own));
  project.link('node_modules', join(CORE, 'node_modules'));
  return project;
}

/** Every sixth file's first exported symbol. */
function exportedSymbols(project: TemporaryProject): readonly { readonly path: string; readonly name: string }[] {
  const paths = globSync('src/**/*.ts', { cwd: project.folder }).filter(
    (path) => !/\/(index|pipeline)\.ts$/.test(path),
  );
  return paths.toSorted().flatMap((path, index) => {
    const name = /^export (?:abstract )?(?:class|function|interface|type|const) (\w+)/m.exec(project.read(path))?.[1];
    return name === undefined || index % 6 !== 0 ? [] : [{ path, name }];
  });
}

/** What the compiler itself reports about the project. */
function typecheck(project: TemporaryProject): string {
  return spawnSync(findCompiler(), ['-p', '.', '--noEmit', '--pretty', 'false'], {
    cwd: project.folder,
    encoding: 'utf8',
  }).stdout;
}
