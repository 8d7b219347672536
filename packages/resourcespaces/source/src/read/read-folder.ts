import type { ToolContext, ToolOutput } from '@bae/core';
import { counted } from '@bae/workspace';
import type { Outline } from '../language/outline.ts';
import type { CodeFolder, CodeModule, SourceModule } from '../modules/code-module.ts';
import { folderCounts, modulesIn } from './folder-counts.ts';
import { pageTag } from './page-tag.ts';
import { moduleLine, moduleRows } from './read-module.ts';
import { rowOutput } from './row-output.ts';

/** A folder, and what is known of what is directly in it. */
export interface FolderView {
  readonly folder: CodeFolder;
  /** What the folder is for, by its manifest, README or index; `''` when nothing says so. Of it and those in it. */
  readonly docs: ReadonlyMap<CodeFolder, string>;
  /** Of the modules that are shown. */
  readonly outlines: ReadonlyMap<CodeModule, Outline>;
  /** The module that stands for the folder. */
  readonly index?: SourceModule;
  /** True to show files that only declare types. */
  readonly all: boolean;
  readonly page: number;
  /** Words a tag for whoever reads. */
  readonly tag: ToolContext['tag'];
}

/** What is in a folder or package, one line each: folders, then modules, then what its index exports. */
export function renderFolder(view: FolderView): ToolOutput {
  const { folder, outlines, index, page, all, tag } = view;
  const shown = folder.modules.filter(({ declares }) => all || !declares);
  const modules = shown.filter(({ name }) => !isTest(name));
  const rows = [
    ...folder.folders.filter((one) => modulesIn(one, all).length > 0).map((one) => folderLine(one, view)),
    ...modules.map((module) => moduleLine({ module, outline: outlines.get(module) ?? UNREADABLE })),
    ...testRows(folder, shown.length - modules.length, tag),
    ...(index === undefined ? [] : ['index:', ...moduleRows(index, false)]),
  ];
  const head = folder.name === '' ? [] : [folderLine(folder, view)];
  if (rows.length === 0)
    return { text: [...head, '(no modules)'].join('\n'), format: 'plain', whole: () => head.join('\n') };
  return rowOutput({ head, rows, page, tagOf: pageTag(`R:${folder.name}${all ? ' all=true' : ''}`, { tag }) });
}

/** Tests are many and rarely asked for. */
function testRows({ name }: CodeFolder, count: number, tag: ToolContext['tag']): readonly string[] {
  const all = tag(`<G:${name === '' ? '' : `${name}.`}*.test>`);
  return count === 0 ? [] : [`${counted(count, 'test module')}: ${all}`];
}

function isTest(name: string): boolean {
  return name.endsWith('.test');
}

const UNREADABLE: Outline = { doc: '', symbols: [], stars: [] };

/** `core -- protocol and pipeline (9 folders, 48 modules)`. */
function folderLine(folder: CodeFolder, { docs, all }: FolderView): string {
  const doc = docs.get(folder) ?? '';
  return `${folder.name}${doc === '' ? '' : ` -- ${doc}`} (${folderCounts(folder, all)})`;
}
