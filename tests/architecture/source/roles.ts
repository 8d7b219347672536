/** Which part of the monorepo a package is; it decides what the package may import. */
export type Role =
  | 'core'
  | 'testing'
  | 'models'
  | 'plugins'
  | 'project'
  | 'sandbox'
  | 'store'
  | 'store-postgres'
  | 'workspace'
  | 'resourcespace'
  | 'client'
  | 'mcp-server'
  | 'server'
  | 'telemetry'
  | 'source-python'
  | 'app'
  | 'tests'
  | 'examples'
  | 'root';

const PACKAGE = /^(?:packages\/resourcespaces\/[^/]+|packages\/[^/]+|apps\/[^/]+|tests|examples)(?=\/)/;

/** Folder of the package a file belongs to; empty for the files of the root. */
export function packageFolder(path: string): string {
  return PACKAGE.exec(path)?.[0] ?? '';
}

/** Part of the monorepo a file belongs to. */
export function roleOf(path: string): Role {
  const folder = packageFolder(path);
  if (folder === '') return 'root';
  if (folder.startsWith('packages/resourcespaces/')) return 'resourcespace';
  if (folder.startsWith('apps/')) return 'app';
  return folder.split('/').at(-1) as Role;
}
