import type { ToolContext, ToolOutput } from '@bae/core';
import { carryOut, SeenFiles, showPath, type WorkspaceRoot } from '@bae/workspace';
import { planEdit, type EditRequest } from './plan-edit.ts';
import { renderChange } from './render-change.ts';

/**
 * Changes a part of a text file and nothing else in it.
 *
 * @throws what planning it throws
 */
export function editFile(root: WorkspaceRoot, request: EditRequest, context: ToolContext): Promise<ToolOutput> {
  const plan = () => planEdit(root, request, context);
  return root.exclusively(request.path, () =>
    carryOut(plan, async ({ path, before, change }) => {
      const { removed, added } = change;
      const now = await root.write(request.path, change.text, {
        expected: before.hash,
        session: context.session.id,
        action: 'edit',
        lines: [removed, added],
      });
      new SeenFiles(context).edited(path, now, change.patches);
      const hint = `${removed} -> ${added} lines`;
      const shown = showPath(request.path);
      const tagOf = (lines: string) => context.tag(`<R:${shown}:${lines}>`);
      return { text: renderChange(change, { path: shown, tagOf }), format: 'code', hint };
    }),
  );
}
