import { posix } from 'node:path';
import type { ListFolder } from './complete-line.ts';

/**
 * Resolves the folder that `!cd` names, relative to the one before; empty for the folder of the project, where commands
 * run at first. Returns undefined for what is no folder of the project.
 */
export async function resolveCommandFolder(
  typed: string,
  { folder, listFolder }: { readonly folder: string; readonly listFolder: ListFolder },
): Promise<string | undefined> {
  const wanted = typed.replace(/^(["'])(.*)\1$/, '$2').replace(/^~$/, '');
  if (wanted === '') return '';
  const path = posix.join(folder, wanted).replace(/\/$/, '');
  if (path === '.' || path === '') return '';
  if (posix.isAbsolute(wanted) || path === '..' || path.startsWith('../')) return undefined;
  const names = await listFolder(posix.dirname(path));
  return names.includes(`${posix.basename(path)}/`) ? path : undefined;
}
