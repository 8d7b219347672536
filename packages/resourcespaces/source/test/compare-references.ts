import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { WorkspaceRoot } from '@bae/workspace';
import ts from 'typescript-5';
import { onTestFinished } from 'vitest';
import { resolveAddress } from '../src/address/resolve-address.ts';
import { CodeBase, ModuleIndex } from '../src/modules/module-index.ts';
import { findSymbolOffset } from '../src/type-queries/query-types.ts';
import { ModuleFiles } from '../src/type-service/module-files.ts';
import { QueriedTypes } from './queried-types.ts';
import { toolContext } from './tool-context.ts';

const { definition } = toolContext('read');

/** What the references found here are compared with those of the TypeScript API. */
export interface ReferenceGaps {
  readonly symbols: number;
  /** Lines by the TypeScript API. */
  readonly lines: number;
  /** Lines that are missing here, each behind the symbol: `lib.queue#add: test/queue.js:12`. */
  readonly missing: readonly string[];
  /** Lines that are only found here. */
  readonly others: readonly string[];
}

/** Modules that use others, and are used by none. */
const ASIDE = /(?:^|\/)(?:tests?|__tests__|specs?|examples?|bench(?:marks?)?)\/|\.(?:test|spec|config)\./;

/** Compares the references of the symbols of a project of JavaScript, but for its tests, with the TypeScript API. */
export async function compareReferences(folder: string): Promise<ReferenceGaps> {
  using root = new WorkspaceRoot(folder);
  const index = new ModuleIndex(root);
  const base = new CodeBase(root, index);
  const types = new QueriedTypes(new ModuleFiles(root, index));
  onTestFinished(() => types[Symbol.asyncDispose]());
  const { modules } = await base.catalog();
  const scripts = modules.filter(({ path }) => /\.c?jsx?$/.test(path));
  const service = createLanguageService(scripts.map(({ path }) => `${folder}/${path}`));
  const missing: string[] = [];
  const others: string[] = [];
  let [symbols, lines] = [0, 0];
  for (const module of scripts.filter(({ path }) => !ASIDE.test(path))) {
    const { outline } = await index.load(module);
    const names = outline.symbols.flatMap(({ name, members }) => [
      name,
      ...members.map((one) => `${name}.${one.name}`),
    ]);
    for (const name of names) {
      const address = `${module.name}#${name}`;
      const target = await resolveAddress(base, { address, definition }).catch(() => undefined);
      if (target?.kind !== 'symbol' || target.source.module !== module) continue;
      const offset = offsetOf(target);
      if (offset === undefined) continue;
      const file = `${folder}/${module.path}`;
      const found = await types.references({ file, offset });
      const own = new Set(found.map((one) => `${relative(folder, one.file)}:${one.line}`));
      const expected = listLines(service, file, offset).map((place) => relative(folder, place));
      symbols++;
      lines += expected.length;
      missing.push(...expected.filter((place) => !own.has(place)).map((place) => `${address}: ${place}`));
      others.push(...[...own].filter((place) => !expected.includes(place)).map((place) => `${address}: ${place}`));
    }
  }
  return { symbols, lines, missing, others };
}

function offsetOf(target: Parameters<typeof findSymbolOffset>[0]): number | undefined {
  try {
    return findSymbolOffset(target);
  } catch {
    return undefined;
  }
}

function createLanguageService(files: readonly string[]): ts.LanguageService {
  return ts.createLanguageService({
    getCompilationSettings: () => ({
      allowJs: true,
      checkJs: false,
      noEmit: true,
      target: ts.ScriptTarget.ESNext,
      types: [],
    }),
    getScriptFileNames: () => [...files],
    getScriptVersion: () => '1',
    getScriptSnapshot: (file) =>
      ts.sys.fileExists(file) ? ts.ScriptSnapshot.fromString(readFileSync(file, 'utf8')) : undefined,
    getCurrentDirectory: () => '/',
    getDefaultLibFileName: (options) => ts.getDefaultLibFilePath(options),
    fileExists: (path) => ts.sys.fileExists(path),
    readFile: (path) => ts.sys.readFile(path),
    directoryExists: (path) => ts.sys.directoryExists(path),
  });
}

function listLines(service: ts.LanguageService, file: string, offset: number): readonly string[] {
  const references = service.findReferences(file, offset)?.flatMap((one) => one.references) ?? [];
  const program = service.getProgram()!;
  const lines = references.flatMap(({ fileName, textSpan }) => {
    if (fileName.includes('/node_modules/')) return [];
    const line = program.getSourceFile(fileName)!.getLineAndCharacterOfPosition(textSpan.start).line;
    return [`${fileName}:${line + 1}`];
  });
  return [...new Set(lines)];
}
