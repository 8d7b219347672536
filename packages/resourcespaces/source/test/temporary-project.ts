import {
  chmodSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { TypeService } from '../src/type-service/type-service.ts';
import type { WorkspaceFiles } from '../src/type-service/indexed-text.ts';

/** A project on disk that goes away with the test. */
export class TemporaryProject {
  readonly folder: string;

  constructor(files: Readonly<Record<string, string>> = {}) {
    this.folder = realpathSync(mkdtempSync(join(tmpdir(), 'bae-source-')));
    onTestFinished(() => rmSync(this.folder, { recursive: true, force: true }));
    for (const [path, text] of Object.entries(files)) this.write(path, text);
  }

  path(path: string): string {
    return join(this.folder, path);
  }

  read(path: string): string {
    return readFileSync(this.path(path), 'utf8');
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(this.path(path)), { recursive: true });
    writeFileSync(this.path(path), text);
  }

  makeExecutable(path: string): void {
    chmodSync(this.path(path), 0o755);
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

  /** The files as the type service reaches them. */
  get files(): WorkspaceFiles {
    const { folder } = this;
    const sources = (): string[] =>
      globSync('**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs}', {
        cwd: folder,
        exclude: (name) => /node_modules|dist/.test(name),
      })
        .filter((path) => !/\.d\.[cm]?ts$/.test(path))
        .map((path) => join(folder, path))
        .toSorted();
    return {
      read: async (file) => {
        try {
          return readFileSync(file, 'utf8');
        } catch {
          return undefined;
        }
      },
      sources: async () => sources(),
      mentioning: async (word) => sources().filter((file) => readFileSync(file, 'utf8').includes(word)),
    };
  }

  /** A type service for the project, closed with the test. */
  service(limitMs?: number): TypeService {
    const { folder, files } = this;
    const service = new TypeService({ folder, files, ...(limitMs === undefined ? {} : { limitMs }) });
    onTestFinished(() => service[Symbol.asyncDispose]());
    return service;
  }
}

/** Settings that need nothing installed. */
export const TSCONFIG = JSON.stringify({
  compilerOptions: {
    target: 'es2022',
    module: 'nodenext',
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
    lib: ['es2022'],
    types: [],
  },
  include: ['src'],
});
