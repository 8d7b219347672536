import type { WorkspaceRoot } from '@bae/workspace';
import { join } from 'node:path';
import { PackageError } from './package-error.ts';
import { managerArguments, MANAGER_ENVIRONMENT, type PackageManager, type PackageOrder } from './package-manager.ts';
import { runProgram, type ProgramResult } from './run-program.ts';

/** An order, and the package of the project that it is for. */
export interface PlacedOrder extends PackageOrder {
  /** Folder of the package, below the root; empty for the root. */
  readonly folder: string;
}

/** Characters of the package manager's words that are passed on. */
const LONGEST_CAUSE = 1200;

/**
 * Lets the project's package manager add or remove a package.
 *
 * @throws PackageError when it is not installed or says no; the signal's reason
 */
export async function changeDependencies(
  root: WorkspaceRoot,
  { manager, order }: { readonly manager: PackageManager; readonly order: PlacedOrder },
  signal: AbortSignal,
): Promise<void> {
  const args = managerArguments(manager, order);
  const folder = join(root.folder, order.folder);
  const result = await start(manager, { args, folder }, signal);
  if (result.code === 0) return;
  const what = `${manager.name} ${args.join(' ')}`;
  const ended = result.code === null ? 'was killed' : `ended with code ${result.code}`;
  throw new PackageError(`${what} ${ended}.\n${causeOf(result)}`, ['<R:>']);
}

async function start(
  { name, version }: PackageManager,
  { args, folder }: { readonly args: readonly string[]; readonly folder: string },
  signal: AbortSignal,
): Promise<ProgramResult> {
  const program = { folder, environment: MANAGER_ENVIRONMENT };
  try {
    return await runProgram({ ...program, command: name, args }, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    if (name === 'npm') throw notInstalled(name, error);
  }
  try {
    // npm can fetch another package manager, in the version that the project names.
    const fetched = `${name}@${version ?? 'latest'}`;
    return await runProgram({ ...program, command: 'npx', args: ['--yes', fetched, ...args] }, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw notInstalled(name, error);
  }
}

function notInstalled(name: string, cause: unknown): PackageError {
  const fact = `${name} is not installed, and the project uses it.`;
  return new PackageError(`${fact} Ask the user to install it; packages cannot be changed without.`, ['<R:>'], cause);
}

/** The part of what was said that tells the reason. */
function causeOf({ output, errors }: ProgramResult): string {
  const lines = `${output}\n${errors}`.split('\n').filter((line) => /\S/.test(line));
  const telling = lines.filter((line) => !/^npm (notice|warn)|A complete log of this run|^\s*\/.*debug-\d/i.test(line));
  const text = (telling.length > 0 ? telling : lines).join('\n').trim();
  return text.length > LONGEST_CAUSE ? `…${text.slice(-LONGEST_CAUSE)}` : text || 'It gave no reason.';
}
