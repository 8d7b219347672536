import type { Provision, ToolContext } from '@bae/core';
import { WorkspaceFile, type FileAccess } from '../file/workspace-file.ts';
import { removeEmptyFolders } from '../write/change-file.ts';
import { DraftFiles, removeAbandonedDrafts } from './draft-files.ts';

/** The changes of a run block before the user is asked about them. */
export type Draft = ReturnType<NonNullable<Provision['createDraft']>>;

type DraftChange = NonNullable<Awaited<ReturnType<Draft['plan']>>>;

let hasCleaned = false;

/** Begins a draft: its changes are written only when the draft is applied. The first call removes abandoned drafts. */
export function createDraft(access: FileAccess): Draft {
  if (!hasCleaned) removeAbandonedDrafts();
  hasCleaned = true;
  const { root } = access;
  const files = new DraftFiles();
  async function plan(): Promise<DraftChange | undefined> {
    const changed = files.changed();
    if (changed.length === 0) return undefined;
    const drafts = changed.map(({ path, ...draft }) => {
      // A name may start with `~`, like the home folder.
      const given = path.startsWith('~') ? `./${path}` : path;
      return { ...draft, file: new WorkspaceFile(given, access, { toChange: true }) };
    });
    const planned = await WorkspaceFile.planParts(drafts, access);
    const apply = async (context: Pick<ToolContext, 'session' | 'signal'>, only?: ReadonlySet<string>) => {
      await planned.apply(context, only);
      await removeEmptyFolders(files.removedFolders, root);
    };
    return { files: planned.files, apply: (context, only) => root.inDraft(undefined, () => apply(context, only)) };
  }
  return {
    run: (work) => root.inDraft(files, work),
    plan: () => root.inDraft(undefined, plan),
    dispose: async () => files.close(),
  };
}
