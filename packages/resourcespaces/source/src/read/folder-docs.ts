import { BaeError } from '@bae/core';
import type { WorkspaceRoot } from '@bae/workspace';
import { docSentence } from '../language/doc-sentence.ts';
import type { CodeFolder } from '../modules/code-folder.ts';
import type { ModuleIndex } from '../modules/module-index.ts';

/** What reading about a folder takes. */
export interface FolderSources {
  readonly root: WorkspaceRoot;
  readonly index: ModuleIndex;
  readonly signal: AbortSignal;
}

/**
 * What folders are for: what the manifest of a package says, or else its README, or else the first comment of the
 * index.
 */
export async function folderDocs(
  folders: readonly CodeFolder[],
  { root, index, signal }: FolderSources,
): Promise<ReadonlyMap<CodeFolder, string>> {
  const outlines = await index.outlines(
    folders.flatMap((folder) => folder.index ?? []),
    signal,
  );
  const docs = new Map<CodeFolder, string>();
  for (const folder of folders) {
    const written = folder.package === undefined ? '' : await packageDoc(folder.package, root);
    const own = folder.index === undefined ? '' : (outlines.get(folder.index)?.doc ?? '');
    docs.set(folder, written === '' ? own : written);
  }
  return docs;
}

async function packageDoc(
  { description, folder }: NonNullable<CodeFolder['package']>,
  root: WorkspaceRoot,
): Promise<string> {
  if (description !== '' || folder === '') return docSentence(description);
  try {
    const { text } = await root.readText(`${folder}/README.md`);
    // The first line of prose: no heading, badge, quotation or markup.
    return docSentence(text.split('\n').find((line) => /^\s*[\p{L}\p{N}`*_]/u.test(line)) ?? '');
  } catch (error) {
    if (BaeError.is(error)) return '';
    throw error;
  }
}
