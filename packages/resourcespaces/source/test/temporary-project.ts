import { chmodSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { WorkspaceRoot } from '@bae/workspace';
import { onTestFinished } from 'vitest';
import { ModuleIndex } from '../src/modules/module-index.ts';
import { ModuleFiles } from '../src/type-service/module-files.ts';
import { QueriedTypes } from './queried-types.ts';
import { temporaryFolder, writeFile } from './temporary-folder.ts';

/** A project on disk that goes away with the test. */
export class TemporaryProject {
  readonly folder: string;

  constructor(files: Readonly<Record<string, string>> = {}) {
    this.folder = temporaryFolder(files);
  }

  path(path: string): string {
    return join(this.folder, path);
  }

  read(path: string): string {
    return readFileSync(this.path(path), 'utf8');
  }

  write(path: string, text: string): void {
    writeFile(this.path(path), text);
  }

  makeExecutable(path: string): void {
    chmodSync(this.path(path), 0o755);
  }

  /** Installs the vitest of this package. */
  useVitest(): void {
    const vitest = join(import.meta.dirname, '../node_modules/vitest');
    this.link('node_modules/vitest', vitest);
    this.write('node_modules/.bin/vitest', `#!/bin/sh\nexec "${process.execPath}" "${vitest}/vitest.mjs" "$@"\n`);
    this.makeExecutable('node_modules/.bin/vitest');
  }

  remove(path: string): void {
    rmSync(this.path(path));
  }

  link(path: string, target: string): void {
    mkdirSync(dirname(this.path(path)), { recursive: true });
    symlinkSync(target, this.path(path));
  }

  /** Offset of a text in a file; `|` marks the place in it. */
  find(path: string, marked: string): { readonly file: string; readonly offset: number } {
    const text = marked.replace('|', '');
    const start = this.read(path).indexOf(text);
    if (start < 0) throw new Error(`${path} does not contain ${text}`);
    return { file: this.path(path), offset: start + Math.max(0, marked.indexOf('|')) };
  }

  /** The files as the type service reads them. */
  get files(): ModuleFiles {
    const root = new WorkspaceRoot(this.folder);
    onTestFinished(() => root[Symbol.dispose]());
    return new ModuleFiles(root, new ModuleIndex(root));
  }

  /** A type service for the project, closed with the test. */
  service(limitMs?: number): QueriedTypes {
    const service = new QueriedTypes(this.files, limitMs);
    onTestFinished(() => service[Symbol.asyncDispose]());
    return service;
  }
}

/** Settings that need nothing installed, and few of the libraries, which are read at every start of a compiler. */
export const TSCONFIG = JSON.stringify({
  compilerOptions: {
    target: 'es2022',
    module: 'nodenext',
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    lib: ['es5', 'es2015.promise'],
    types: [],
  },
  include: ['src'],
});
