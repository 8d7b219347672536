import type { Node } from 'oxc-parser';
import { isConfig, isTest } from '../source/file-kind.ts';
import { modulesOf, type Module } from '../source/module.ts';
import type { Repository } from '../source/repository.ts';
import type { Violation } from '../source/violation.ts';
import { walk } from '../source/walk.ts';

/** Syntax that hides something: what a value is, where a name comes from, what is left to do. */
export function checkForbiddenSyntax(repository: Repository): readonly Violation[] {
  return modulesOf(repository).flatMap((module) => [...syntax(module), ...comments(module)]);
}

function syntax(module: Module): readonly Violation[] {
  const found: Violation[] = [];
  walk(module.program, (node) => {
    const message = reasonAgainst(node, module.path);
    if (message !== undefined) found.push({ path: module.path, line: module.lineAt(node.start), message });
  });
  return found;
}

function reasonAgainst(node: Node, path: string): string | undefined {
  switch (node.type) {
    case 'TSAnyKeyword':
      return 'says any; say unknown and narrow it';
    case 'ExportDefaultDeclaration':
      return isConfig(path) ? undefined : 'has a default export; export it by name';
    case 'ExportAllDeclaration':
      return 'has export *; name what is exported';
    case 'TSModuleDeclaration':
      return node.declare ? undefined : 'has a namespace; use a file';
    default:
      return undefined;
  }
}

function comments(module: Module): readonly Violation[] {
  return module.comments.flatMap(({ value, start }) => {
    const message = reasonAgainstComment(value, module.path);
    return message === undefined ? [] : [{ path: module.path, line: module.lineAt(start), message }];
  });
}

function reasonAgainstComment(text: string, path: string): string | undefined {
  if (/@ts-(ignore|nocheck)\b/.test(text)) return 'turns the type checker off';
  if (/@ts-expect-error\b/.test(text) && !isTest(path)) return 'expects a type error outside a test';
  if (/(^|\n)[\s*]*(TODO|FIXME|XXX|HACK)\b|\b(TODO|FIXME)[:(]/.test(text))
    return 'leaves something to do; do it or open an issue';
  return undefined;
}
