import { BaeError, type ToolContext, type ToolOutput } from '@bae/core';
import { formatQuantity, type WorkspaceRoot } from '@bae/workspace';
import { extractSentence } from '../language/doc-comments.ts';
import type { CodeBase } from '../modules/code-base.ts';
import type { CodeFolder, CodePackage, SourceModule } from '../modules/code-module.ts';
import { addWhole, renderRowsPage } from './paging.ts';
import { countBelow, listModulesIn, listSymbolRows, renderModuleLine } from './read-module.ts';

interface FolderPage {
  readonly folder: CodeFolder;
  /** The module that stands for the folder. */
  readonly index: SourceModule | undefined;
  /** True to show files that only declare types. */
  readonly all: boolean;
  readonly page: number;
}

/** What is in a folder or package, one line each: folders, then modules, then what its index exports. */
export async function readCodeFolder(
  base: CodeBase,
  { folder, index, all, page }: FolderPage,
  context: ToolContext,
): Promise<ToolOutput> {
  const { signal, tag } = context;
  const docs = await readFolderDocs(base, [folder, ...folder.folders], signal);
  const outlines = await base.index.outlines(folder.modules, signal);
  const lineOf = (one: CodeFolder) => {
    const doc = docs.get(one) ?? '';
    return `${one.name}${doc === '' ? '' : ` -- ${doc}`} (${countBelow(one, all)})`;
  };
  const listed = folder.modules.filter(({ declares }) => all || !declares);
  const modules = listed.filter(({ name }) => !name.endsWith('.test'));
  const rows = [
    ...folder.folders.filter((one) => listModulesIn(one, all).length > 0).map(lineOf),
    ...modules.map((module) => renderModuleLine(module, outlines.get(module))),
    ...listTests(folder, listed.length - modules.length, tag),
    ...(index === undefined ? [] : ['index:', ...listSymbolRows(index, false)]),
  ];
  const head = folder.name === '' ? [] : [lineOf(folder)];
  if (rows.length === 0) {
    return { text: [...head, '(no modules)'].join('\n'), format: 'plain', whole: () => head.join('\n') };
  }
  const text = renderRowsPage({ head, rows, page, call: `R:${folder.name}${all ? ' all=true' : ''}`, context });
  return addWhole({ text, format: 'plain', paged: true }, page, () => [...head, ...rows].join('\n'));
}

/** Tests are many and rarely wanted, so they are only counted. */
function listTests({ name }: CodeFolder, count: number, tag: ToolContext['tag']): readonly string[] {
  const all = tag(`<G:${name === '' ? '' : `${name}.`}*.test>`);
  return count === 0 ? [] : [`${formatQuantity(count, 'test module')}: ${all}`];
}

/** What folders are for: the description of a package, or its README, or else the first comment of the index. */
async function readFolderDocs(
  { root, index }: CodeBase,
  folders: readonly CodeFolder[],
  signal: AbortSignal,
): Promise<ReadonlyMap<CodeFolder, string>> {
  const indexes = folders.flatMap((folder) => folder.index ?? []);
  const outlines = await index.outlines(indexes, signal);
  const docs = new Map<CodeFolder, string>();
  for (const folder of folders) {
    const written = folder.package === undefined ? '' : await readPackageDoc(folder.package, root);
    const own = folder.index === undefined ? '' : (outlines.get(folder.index)?.doc ?? '');
    docs.set(folder, written === '' ? own : written);
  }
  return docs;
}

async function readPackageDoc({ description, folder }: CodePackage, root: WorkspaceRoot): Promise<string> {
  if (description !== '' || folder === '') return extractSentence(description);
  try {
    const { text } = await root.readText(`${folder}/README.md`);
    return extractSentence(removeMarkup(firstParagraph(text)));
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

/** Replaces links by their texts, and bold text by plain text. */
function removeMarkup(markdown: string): string {
  return markdown.replaceAll(/\[([^[\]]*)\]\([^()\s]*\)/g, '$1').replaceAll(/(\*\*|__)(?=\S)([^*_]*)\1/g, '$2');
}
