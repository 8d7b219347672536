import type { WorkspaceRoot, WrittenFile } from '@bae/workspace';
import { EditError } from '@bae/workspace';
import type { RenamedModule } from './plan-renaming.ts';

type Written = readonly [module: RenamedModule, now: WrittenFile];

/**
 * Writes modules, all of them or none.
 *
 * @throws what writing one fails with; those before it are then as they were
 */
export async function writeAll(
  root: WorkspaceRoot,
  modules: readonly RenamedModule[],
  session: string,
): Promise<readonly Written[]> {
  const written: Written[] = [];
  try {
    for (const one of modules) {
      const { source, after, places } = one;
      const options = { expected: source.hash, session, action: 'rename', lines: [places, places] } as const;
      written.push([one, await root.write(source.module.path, after, options)]);
    }
    return written;
  } catch (error) {
    await takeBack(root, written, session);
    throw error;
  }
}

/** @throws EditError when something else stands in the way of that */
async function takeBack(root: WorkspaceRoot, written: readonly Written[], session: string): Promise<void> {
  if (written.length === 0) return;
  const { undone, problem } = await root.undo({ steps: written.length, session });
  const back = new Set(undone.map(({ path }) => path));
  const left = written.map(([{ source }]) => source.module).filter(({ path }) => !back.has(path));
  if (left.length === 0) return;
  const names = left.map(({ name }) => name).join(', ');
  throw new EditError(`the renaming failed halfway, and could not be taken back in ${names}.`, ['<undo:>'], problem);
}
