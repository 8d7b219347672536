import { BaeError } from '@bae/core';
import type { WorkspaceRoot } from '@bae/workspace';
import { docSentence } from '../language/doc-comments.ts';
import type { CodeFolder } from '../modules/code-module.ts';
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
    return docSentence(withoutMarkup(firstParagraph(text)));
  } catch (error) {
    if (BaeError.is(error)) return '';
    throw error;
  }
}

/** The first lines of prose: no heading, badge, quotation or markup. */
function firstParagraph(markdown: string): string {
  const lines = markdown.split(/\r?\n/);
  const first = lines.findIndex((line) => /^\s*[\p{L}\p{N}`*_]/u.test(line));
  if (first === -1) return '';
  const end = lines.findIndex((line, index) => index > first && line.trim() === '');
  return lines.slice(first, end === -1 ? undefined : end).join('\n');
}

/** Links as what they are called, and nothing in bold: what is to be clicked takes more room than it says. */
function withoutMarkup(markdown: string): string {
  return markdown.replaceAll(/\[([^[\]]*)\]\([^()\s]*\)/g, '$1').replaceAll(/(\*\*|__)(?=\S)([^*_]*)\1/g, '$2');
}
