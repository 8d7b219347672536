import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WorkspaceRoot } from '@bae/workspace';
import { API, SymbolFlags, type Checker, type Project, type Symbol as CompilerSymbol } from 'typescript/unstable/sync';
import { describe, expect, it } from 'vitest';
import { toolContext } from '../test/tool-context.ts';
import { resolveAddress } from './address/resolve-address.ts';
import { CodeBase, ModuleIndex } from './modules/module-index.ts';
import { getSymbolText } from './read/read-symbol.ts';

const { definition } = toolContext('read');
const ROOT = fileURLToPath(new URL('../../../../', import.meta.url)).replace(/\/$/, '');

interface Exported {
  readonly path: string;
  readonly name: string;
  /** The text of its declaration with doc comment and decorators; undefined when that is not in one place here. */
  readonly text: string | undefined;
}

/** What the modules of a project export, by the compiler. */
function exportedSymbols(project: Project): readonly Exported[] {
  return project.rootFiles.flatMap((file) => {
    const source = project.program.getSourceFile(file);
    const module = source && project.checker.getSymbolAtLocation(source);
    if (module === undefined) return [];
    return project.checker.getExportsOfModule(module).map((symbol) => ({
      path: relative(ROOT, file),
      name: symbol.name,
      text: declarationText(target(symbol, project.checker), project),
    }));
  });
}

function target(symbol: CompilerSymbol, checker: Checker): CompilerSymbol {
  return (symbol.flags & SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol);
}

function declarationText({ declarations }: CompilerSymbol, project: Project): string | undefined {
  if (declarations.length !== 1) return undefined;
  const node = declarations[0]?.resolve(project);
  const source = node?.getSourceFile();
  if (node === undefined || source === undefined || !source.fileName.startsWith(`${ROOT}/packages/`)) return undefined;
  let whole = node;
  // A variable is declared by its statement.
  for (let above = node.parent; above !== undefined && above !== source; above = above.parent) whole = above;
  const text = source.text.slice(whole.getStart(source, true), whole.end);
  // Of several doc comments the last is that of the declaration.
  return text.replace(/^\/\*\*[^]*?\*\/\s*(?=\/\*\*)/, '');
}

describe('the exports that the compiler counts', () => {
  it('all have an address, and reading it gives the text of the declaration', { tags: ['long'] }, async () => {
    const root = new WorkspaceRoot(ROOT);
    const base = new CodeBase(root, new ModuleIndex(root));
    const catalog = await base.catalog();
    const config = `${ROOT}/packages/core/tsconfig.json`;
    const api = new API({ cwd: ROOT });
    try {
      const project = api.updateSnapshot({ openProjects: [config] }).getProject(config);
      const exported = exportedSymbols(project!);
      expect(exported.length).toBeGreaterThan(400);
      let compared = 0;
      for (const { path, name, text } of exported) {
        const address = `${catalog.moduleAt(path)?.name}#${name}`;
        const found = await resolveAddress(base, { address, definition });
        if (found.kind !== 'symbol') throw new Error(`${address} is a ${found.kind}`);
        if (text === undefined) continue;
        expect(getSymbolText(found.source.text, found.path.at(-1)!)).toBe(text);
        compared++;
      }
      expect(compared).toBeGreaterThan(400);
    } finally {
      api.close();
    }
  });
});
