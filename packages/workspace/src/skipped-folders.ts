import { OWN_FOLDER } from './path-protection.ts';

const SKIPPED = ['.git', 'node_modules', '.venv', '__pycache__', 'dist', OWN_FOLDER] as const;

/** Folders that a search leaves out, unless the path or pattern names them as one of its parts. */
export function skippedFolders(pattern: string): readonly string[] {
  const named = new Set(pattern.split(/[/{},]/));
  return SKIPPED.filter((name) => !named.has(name));
}
