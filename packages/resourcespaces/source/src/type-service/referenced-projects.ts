import { dirname, resolve } from 'node:path';
import type { WorkspaceFiles } from './workspace-files.ts';

/**
 * The projects whose sources a project sees in place of what was built of them: those that its settings reference,
 * and what these reference.
 *
 * @param config absolute path of its tsconfig.json
 * @returns absolute paths of their settings
 */
export async function referencedProjects(config: string, files: WorkspaceFiles): Promise<ReadonlySet<string>> {
  const { parse } = await import('jsonc-parser');
  const found = new Set<string>();
  const queue = [config];
  for (const one of queue) {
    const settings: unknown = parse((await files.read(one)) ?? '');
    for (const path of pathsIn(settings)) {
      const referenced = resolve(dirname(one), path.endsWith('.json') ? path : `${path}/tsconfig.json`);
      if (!found.has(referenced)) queue.push(referenced);
      found.add(referenced);
    }
  }
  return found;
}

function pathsIn(settings: unknown): readonly string[] {
  const { references } = (settings ?? {}) as { readonly references?: unknown };
  if (!Array.isArray(references)) return [];
  return references.flatMap((one: { readonly path?: unknown } | null) => {
    return typeof one?.path === 'string' ? [one.path] : [];
  });
}
