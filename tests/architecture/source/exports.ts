import type { Node } from 'oxc-parser';
import type { Module } from './module.ts';

export type ExportKind = 'function' | 'class' | 'constant' | 'interface' | 'type' | 'enum' | 'namespace';

/** One name a module offers; `from` is the file or package it is passed on from. */
export interface Export {
  readonly name: string;
  /** Absent for a name that is passed on: only its own file knows. */
  readonly kind?: ExportKind;
  readonly from?: string;
  /** Name in the file it comes from. */
  readonly local: string;
}

/** The names a module offers, in order; overloads count once. */
export function exportsOf(module: Module): readonly Export[] {
  const all = module.program.body.flatMap((node) => exportsIn(node, module));
  return all.filter((one, index) => all.findIndex((other) => other.name === one.name) === index);
}

function exportsIn(node: Node, module: Module): readonly Export[] {
  if (node.type !== 'ExportNamedDeclaration') return [];
  if (node.declaration !== null) return declared(node.declaration);
  return node.specifiers.map(({ exported, local }) => {
    const name = { name: nameOf(exported), local: nameOf(local) };
    if (node.source !== null) return { ...name, from: node.source.value };
    const own = module.program.body.flatMap((other) => declared(other)).find((one) => one.name === name.local);
    return { ...own, ...name };
  });
}

/** The names a statement declares, exported or not. */
function declared(node: Node): readonly Export[] {
  if (node.type === 'VariableDeclaration') {
    return node.declarations.map(({ id, init }) => {
      const callable = init?.type === 'ArrowFunctionExpression' || init?.type === 'FunctionExpression';
      return named(nameOf(id), callable ? 'function' : 'constant');
    });
  }
  return 'id' in node && node.id ? [named(nameOf(node.id), KINDS[node.type])] : [];
}

const KINDS: Readonly<Record<string, ExportKind>> = {
  FunctionDeclaration: 'function',
  TSDeclareFunction: 'function',
  ClassDeclaration: 'class',
  TSInterfaceDeclaration: 'interface',
  TSTypeAliasDeclaration: 'type',
  TSEnumDeclaration: 'enum',
  TSModuleDeclaration: 'namespace',
};

function named(name: string, kind: ExportKind | undefined): Export {
  return { name, local: name, ...(kind !== undefined && { kind }) };
}

function nameOf(node: Node): string {
  if (node.type === 'Identifier') return node.name;
  return node.type === 'Literal' ? String(node.value) : '(pattern)';
}
