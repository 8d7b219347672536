import { posix } from 'node:path';
import type { Node } from 'oxc-parser';
import type { Module } from './module.ts';
import { walk } from './walk.ts';

/** One import or re-export, static or dynamic. */
export interface Import {
  readonly specifier: string;
  readonly line: number;
  /** True when nothing of it is left at run time. */
  readonly typeOnly: boolean;
}

const found = new WeakMap<Module, readonly Import[]>();

/** Everything a module imports, in order. */
export function importsOf(module: Module): readonly Import[] {
  const known = found.get(module) ?? findImports(module);
  found.set(module, known);
  return known;
}

function findImports(module: Module): readonly Import[] {
  const imports: Import[] = [];
  walk(module.program, (node) => {
    const one = importIn(node);
    if (one !== undefined) imports.push({ ...one, line: module.lineAt(node.start) });
  });
  return imports;
}

/** Path of the file that a relative import of a module means; undefined for a package. */
export function targetOf(module: Module, specifier: string): string | undefined {
  if (!specifier.startsWith('./') && !specifier.startsWith('../')) return undefined;
  return posix.join(posix.dirname(module.path), specifier);
}

/** Name of the package of a bare import: `zod` of `zod/v4/core`, `@bae/core` of `@bae/core/x`. */
export function packageNameOf(specifier: string): string {
  const parts = specifier.split('/');
  return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : parts[0]!;
}

function importIn(node: Node): Omit<Import, 'line'> | undefined {
  switch (node.type) {
    case 'ImportDeclaration': {
      const { specifiers } = node;
      const typed = specifiers.every((part) => part.type === 'ImportSpecifier' && part.importKind === 'type');
      const typeOnly = node.importKind === 'type' || (specifiers.length > 0 && typed);
      return { specifier: node.source.value, typeOnly };
    }
    case 'ExportNamedDeclaration': {
      if (node.source === null) return undefined;
      const typeOnly = node.exportKind === 'type' || node.specifiers.every((part) => part.exportKind === 'type');
      return { specifier: node.source.value, typeOnly };
    }
    case 'ExportAllDeclaration':
      return { specifier: node.source.value, typeOnly: node.exportKind === 'type' };
    case 'ImportExpression':
      return node.source.type === 'Literal' ? { specifier: String(node.source.value), typeOnly: false } : undefined;
    case 'TSImportType':
      return { specifier: node.source.value, typeOnly: true };
    default:
      return undefined;
  }
}
