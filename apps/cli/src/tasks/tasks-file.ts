import { join } from 'node:path';

/** Where the tasks of a folder are kept. */
export function tasksFile(root: string): string {
  return join(root, '.bae', 'tasks.db');
}
