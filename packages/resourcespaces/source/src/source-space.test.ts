import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Approver } from '@bae/core';
import { countUnits } from '@bae/core/pipeline';
import { WorkspaceRoot } from '@bae/workspace';
import { describe, expect, it } from 'vitest';
import { openSource } from '../test/open-source.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';
import { SourceSpace } from './source-space.ts';

const FILES = {
  'package.json': '{"workspaces":["packages/*"]}',
  'packages/a/package.json': '{"name":"a"}',
  'packages/a/index.ts': 'export const a = 1;\n',
  'packages/a/globals.d.ts': '',
};

describe('the source space', () => {
  it('says what the project is', async () => {
    const space = new SourceSpace(new WorkspaceRoot(temporaryFolder(FILES)));
    expect(await space.enter()).toMatch(/^Project bae-workspace-\w+: 1 package, 1 module\.$/);
    const single = new SourceSpace(new WorkspaceRoot(temporaryFolder({ 'a.js': '' })));
    expect(await single.enter()).toMatch(/: 1 module\.$/);
  });

  it('takes few tokens to enter', async () => {
    const { agent } = openSource(FILES);
    expect(countUnits(await agent.describe(['source']))).toBeLessThanOrEqual(1200);
    await agent.close();
  });

  it('undoes what it did, and nothing else', async () => {
    const { send, edit, content, change } = openSource(FILES);
    await edit('a#a', 'export const a = 2;');
    await edit('a#a', 'export const a = 3;');
    expect(await send('<undo:>')).toBe('Undid edit of a (1 line)');
    expect(content('packages/a/index.ts')).toBe('export const a = 2;\n');
    change('packages/a/index.ts', 'export const mine = 1;\n');
    expect(await send('<undo:>')).toContain('ConflictError');
    expect(content('packages/a/index.ts')).toBe('export const mine = 1;\n');
  });

  it('names the module of a change that it cannot undo, and how to read it', async () => {
    const asked: string[] = [];
    const watching: Approver = {
      approve: ({ tool }) => {
        asked.push(tool);
        return { allow: true };
      },
    };
    const { send, edit, change, remove } = openSource(FILES, watching);
    await edit('a#a', 'export const a = 2;');
    change('packages/a/index.ts', 'export const mine = 1;\n\n');
    const changed =
      'a changed after the edit that is to be undone (line count 1 -> 2). It was left unchanged. Read it, and change it back by an edit.';
    expect(await send('<undo:>')).toBe(`ConflictError: ${changed}\nTry: <R:a>`);
    expect(asked).toEqual(['edit']);
    expect(await send('<R:a>')).toContain('const mine = 1');
    remove('packages/a/index.ts');
    expect(await send('<undo:>')).toBe(
      'ConflictError: a is gone: somebody removed it after the edit. It was left so. Write it again if it is needed.\nTry: <W:a>…</W>',
    );
  });

  it('shows where a file that is not a module can be read', async () => {
    const { send, change } = openSource(FILES);
    await send('<source.config.E:package.workspaces>["libs/*"]</source.config.E>');
    change('package.json', '{}');
    expect(await send('<undo:>')).toMatch(
      /^ConflictError: package\.json changed after the edit of a setting .*\nTry: @home\(\)$/,
    );
  });

  it('starts a compiler when types are asked for, and ends it with the session', async () => {
    const compilers = () => {
      const { stdout } = spawnSync('pgrep', ['-P', String(process.pid), '-f', 'lsp'], { encoding: 'utf8' });
      return stdout.split('\n').filter((id) => !others.has(id));
    };
    // Those of sessions that other tests have not closed.
    const others = new Set<string>();
    for (const id of compilers()) others.add(id);
    const { send, agent } = openSource(FILES);
    await send('<R:a>');
    expect(compilers()).toEqual([]);
    await send('<diagnostics:a>');
    expect(compilers()).not.toEqual([]);
    await agent.close();
    expect(compilers()).toEqual([]);
  });

  it('loads no parser and no compiler before code is looked into', () => {
    const loaded = new Set<string>();
    const load = (file: string): void => {
      if (loaded.has(file)) return;
      loaded.add(file);
      if (!file.startsWith('/')) return;
      for (const [, specifier = ''] of readFileSync(file, 'utf8').matchAll(
        /^(?:import|export) (?!type )[^;]*? from '([^']+)';/gm,
      )) {
        load(specifier.startsWith('.') ? join(dirname(file), specifier) : specifier);
      }
    };
    load(join(import.meta.dirname, 'source-space.ts'));
    expect([...loaded].filter((name) => !/^(?:\/|node:)/.test(name)).toSorted()).toEqual([
      '@bae/core',
      '@bae/core/pipeline',
      '@bae/project',
      '@bae/workspace',
      'zod',
    ]);
  });
});
