import type { WorkspaceRoot } from '@bae/workspace';

/** What matters of a `package.json`. */
export interface Manifest {
  readonly name: string | undefined;
  readonly description: string;
  /** Patterns of the folders of its packages. */
  readonly workspaces: readonly string[];
}

/** Reads the `package.json` of a folder; one that makes no sense says nothing. */
export async function readManifest(root: WorkspaceRoot, path: string): Promise<Manifest> {
  const { name, description, workspaces } = await readObject(root, path);
  const patterns = Array.isArray(workspaces)
    ? workspaces
    : (workspaces as { packages?: unknown } | undefined)?.packages;
  return {
    name: typeof name === 'string' && name !== '' ? name : undefined,
    description: typeof description === 'string' ? description : '',
    workspaces: strings(patterns),
  };
}

/** The folder patterns of a `pnpm-workspace.yaml`; none when it makes no sense. */
export async function readPnpmPatterns(root: WorkspaceRoot, path: string): Promise<readonly string[]> {
  try {
    const { parse } = await import('yaml');
    return strings((parse((await root.readText(path)).text) as { packages?: unknown } | null)?.packages);
  } catch {
    return [];
  }
}

async function readObject(root: WorkspaceRoot, path: string): Promise<Readonly<Record<string, unknown>>> {
  try {
    const value: unknown = JSON.parse((await root.readText(path)).text.replace(/^\uFEFF/, ''));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}
