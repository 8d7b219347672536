import type { Node } from 'oxc-parser';
import { isProduct } from '../source/file-kind.ts';
import { importsOf } from '../source/imports.ts';
import { modulesOf, type Module } from '../source/module.ts';
import type { Repository } from '../source/repository.ts';
import { roleOf } from '../source/roles.ts';
import type { Violation } from '../source/violation.ts';
import { walk } from '../source/walk.ts';

/** The one file of core that knows the platform: it hands out clock, timers and randomness. */
const PLATFORM = 'packages/core/src/protocol/host.ts';

const OUTSIDE: ReadonlySet<string> = new Set(
  (
    'process console Date performance crypto fetch globalThis require Buffer ' +
    'setTimeout setInterval setImmediate clearTimeout clearInterval queueMicrotask'
  ).split(' '),
);

/** Core has no disk, network, clock, randomness or environment but what its host hands it. */
export function checkCoreSilence(repository: Repository): readonly Violation[] {
  return modulesOf(repository)
    .filter(({ path }) => roleOf(path) === 'core' && isProduct(path) && path !== PLATFORM)
    .flatMap((module) => [...imports(module), ...globals(module)]);
}

function imports(module: Module): readonly Violation[] {
  return importsOf(module).flatMap(({ specifier, typeOnly, line }) => {
    if (typeOnly) return [];
    if (specifier.startsWith('node:')) return [{ path: module.path, line, message: `imports ${specifier}` }];
    if (specifier !== 'zod') return [];
    return [{ path: module.path, line, message: 'imports zod at run time, which is slow to load; use zod/v4/core' }];
  });
}

function globals(module: Module): readonly Violation[] {
  const found: Violation[] = [];
  walk(module.program, (node, parent) => {
    const name = outsideName(node, parent);
    if (name === undefined) return;
    found.push({ path: module.path, line: module.lineAt(node.start), message: `uses ${name}; take it from the Host` });
  });
  return found;
}

function outsideName(node: Node, parent: Node | undefined): string | undefined {
  if (node.type === 'MemberExpression' && isRandom(node)) return 'Math.random';
  if (node.type !== 'Identifier' || !OUTSIDE.has(node.name) || parent === undefined) return undefined;
  return isJustAName(node, parent) ? undefined : node.name;
}

function isRandom(node: Node & { type: 'MemberExpression' }): boolean {
  const { object, property } = node;
  return object.type === 'Identifier' && object.name === 'Math' && 'name' in property && property.name === 'random';
}

/** True for the name of a property, a parameter in a signature, or a type: nothing that is read at run time. */
function isJustAName(node: Node, parent: Node): boolean {
  if (parent.type === 'MemberExpression') return parent.property === node && !parent.computed;
  if (parent.type === 'Property') return parent.key === node && parent.value !== node;
  return parent.type.startsWith('TS') || ('key' in parent && parent.key === node);
}
