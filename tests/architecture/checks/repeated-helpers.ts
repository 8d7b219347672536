import { isProduct } from '../source/file-kind.ts';
import { modulesOf } from '../source/module.ts';
import type { Repository } from '../source/repository.ts';
import type { Violation } from '../source/violation.ts';

/** No two files have a function of the same name: either it is the same and is shared, or it needs another name. */
export function checkRepeatedHelpers(repository: Repository): readonly Violation[] {
  const first = new Map<string, string>();
  const violations: Violation[] = [];
  for (const { path, program } of modulesOf(repository)) {
    if (!isProduct(path)) continue;
    const names = new Set<string>();
    for (const statement of program.body) {
      const node = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
      if (node?.type === 'FunctionDeclaration' && node.id !== null) names.add(node.id.name);
    }
    for (const name of names) {
      const other = first.get(name);
      if (other === undefined) first.set(name, path);
      else violations.push({ path, message: `has a function ${name}, as ${other} has: share it or name it better` });
    }
  }
  return violations;
}
