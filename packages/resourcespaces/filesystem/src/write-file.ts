import type { ToolContext, ToolOutput } from '@bae/core';
import { counted, carryOut, SeenFiles, showPath, type FileDigest, type WorkspaceRoot } from '@bae/workspace';
import { planWrite, type WriteRequest } from './plan-write.ts';

/**
 * Writes a whole file: a new one, or in place of the old one.
 *
 * @throws what planning it throws
 */
export function writeFile(root: WorkspaceRoot, request: WriteRequest, context: ToolContext): Promise<ToolOutput> {
  const plan = () => planWrite(root, request, context);
  return root.exclusively(request.path, () =>
    carryOut(plan, async ({ path, before, text: content }) => {
      const expected = before?.hash ?? null;
      const now = await root.write(request.path, content, { expected, session: context.session.id });
      new SeenFiles(context).written(path, now);
      const size = counted(Array.from(content).length, 'char');
      const fate = fateOf(before) + (now.undoable ? '' : '; too large to undo');
      return {
        text: `Wrote ${size} (${counted(now.lines, 'line')}) to ${showPath(request.path)} (${fate})`,
        hint: size,
      };
    }),
  );
}

function fateOf(old: FileDigest | undefined): string {
  return old === undefined ? 'new file' : `replaced ${counted(old.lines, 'line')}`;
}
