import { LineRangeError, type ToolContext, type ToolOutput } from '@bae/core';
import type { ProjectPackage } from '@bae/project';
import { formatPath, formatQuantity, renderRange, SeenFiles, type WorkspaceRoot } from '@bae/workspace';
import {
  AmbiguousAddressError,
  formatTargetAddress,
  type ModuleTarget,
  type SymbolTarget,
  type Target,
} from '../address/target.ts';
import { findTarget } from '../address/find-by-name.ts';
import { isSlip } from '../address/locate-name.ts';
import { resolveAddress } from '../address/resolve-address.ts';
import { MisspeltAddressError, readIfPossible } from '../errors.ts';
import { extractSentence } from '../language/comments.ts';
import type { Outline, SymbolOutline } from '../language/outline.ts';
import {
  type CodeFolder,
  type CodeModule,
  findFolderBeside,
  listFoldersBelow,
  listModulesBelow,
  type SourceModule,
} from '../modules/code-catalog.ts';
import type { CodeBase } from '../modules/module-index.ts';
import { listLanguages } from '../modules/other-code.ts';
import type { ArgsOf } from '../params.ts';
import { addWhole, fitsOnePage, outputRows, type PageRequest } from './paging.ts';
import {
  findTargetLines,
  getSymbolText,
  isOutlined,
  renderSymbol,
  renderSymbolRow,
  renderTargetLines,
  sliceTargetLines,
  TextLines,
} from './read-symbol.ts';

/**
 * Shows the project, a package or folder, the contents of a module, the source of a symbol, or lines of these. The
 * session remembers the files whose text was shown; a list of symbols does not count. Code gets the text of a symbol or
 * of lines exactly as it is in the file, and all rows of everything else.
 *
 * @throws ResourceError when nothing has the address; LineRangeError when none of the lines exists
 */
export async function readAddress(base: CodeBase, args: ArgsOf<'read'>, context: ToolContext): Promise<ToolOutput> {
  try {
    return await readExactly(base, args, context);
  } catch (error) {
    // Reading changes nothing: several possible targets are listed, and the only possible target is shown.
    if (error instanceof AmbiguousAddressError && !context.fromCode) return listMeanings(args, error, context);
    if (!(error instanceof MisspeltAddressError) || context.fromCode) throw error;
    if (!error.isCertain && !isSlip(args.target, error.nearest, await base.catalog())) throw error;
    const [, target = error.nearest, first, last] = /^(.+):(\d+)-(\d+)$/s.exec(error.nearest) ?? [];
    const range = first === undefined ? context.range : ([Number(first), Number(last)] as const);
    const output = await readExactly(base, { ...args, target }, { ...context, ...(range && { range }) });
    return {
      ...output,
      text: `nothing is named ${formatPath(args.target)}; this is ${error.nearest}:\n${output.text}`,
    };
  }
}

const MOST_MEANINGS = 12;

/** Lists the targets of an address, each with its first line and the tag that shows it. */
function listMeanings(
  { target: address, every }: ArgsOf<'read'>,
  { targets, addresses }: AmbiguousAddressError,
  { tag }: Pick<ToolContext, 'tag'>,
): ToolOutput {
  const rows = targets.slice(0, every ? targets.length : MOST_MEANINGS).map((target, index) => {
    const about =
      target.kind === 'symbol'
        ? renderSymbolRow(target.path.at(-1)!, target.source, new TextLines(target.source.text))
        : target.kind;
    return `  ${tag(`<R:${addresses[index]}>`)}  ${about}`;
  });
  const more = targets.length - rows.length;
  const head = `'${formatPath(address)}' is the name of ${targets.length} things:`;
  const rest = more > 0 ? [`  … ${more} more: ${tag(`<R:${formatPath(address)} every=true>`)}`] : [];
  return { text: [head, ...rows, ...rest].join('\n'), format: 'plain', rows: targets.length };
}

async function readExactly(base: CodeBase, args: ArgsOf<'read'>, context: ToolContext): Promise<ToolOutput> {
  const { definition, files, range } = context;
  const target = await resolveAddress(base, { address: args.target, definition, files, range });
  const output = await readResolved(base, { ...args, target }, context);
  return target.kind === 'symbol' ? { ...output, where: formatFileLines(target) } : output;
}

/** Formats the file and the lines of a symbol: `src/a.ts:9-18`. */
function formatFileLines(target: SymbolTarget): string {
  const { source } = target;
  return `${formatPath(source.module.path)}:${renderRange(...findTargetLines(target, new TextLines(source.text)))}`;
}

async function readResolved(
  base: CodeBase,
  { target, page, every }: Omit<ArgsOf<'read'>, 'target'> & { readonly target: Target },
  context: ToolContext,
): Promise<ToolOutput> {
  const code = target.kind === 'folder' ? await loadIndex(base, target.folder) : target;
  const range = context.range ?? (target.kind === 'module' ? target.lines : undefined);
  const seen = new SeenFiles(context);
  const remember = (how: 'outlined' | 'shown') => code && seen[how](code.source.module.path, code.source);
  if (range !== undefined) {
    if (code === undefined) {
      const name = formatTargetAddress(target) || 'the project';
      throw new LineRangeError(`${name} has no lines: it has no index.`, [`<R:${formatTargetAddress(target)}>`]);
    }
    remember('shown');
    const text = renderTargetLines(code, range, context);
    return { text, format: 'code', paged: true, whole: () => sliceTargetLines(code, range) };
  }
  if (target.kind === 'folder') {
    remember('outlined');
    return readCodeFolder(base, { folder: target.folder, index: code?.source, page, every }, context);
  }
  const { source } = target;
  if (target.kind === 'module') {
    // A list of symbols does not show whether their text changed.
    remember(source.text === '' ? 'shown' : 'outlined');
    return renderModule(source, { page, context, folder: findFolderBeside(source.module, await base.catalog()) });
  }
  const symbol = target.path.at(-1) as SymbolOutline;
  remember(isOutlined(source.text, symbol, context) ? 'outlined' : 'shown');
  const output = { text: renderSymbol(target, { page, every, context }), format: 'code', paged: true } as const;
  return addWhole(output, page, () => {
    // The text may be an outline; code gets the source.
    remember('shown');
    return getSymbolText(source.text, symbol);
  });
}

/** Returns the whole text of a module or a symbol; undefined when nothing has exactly this address. */
export async function readCode(base: CodeBase, address: string): Promise<string | undefined> {
  const target = await findTarget(base, address);
  if (target?.kind === 'module') return target.source.text;
  return target?.kind === 'symbol' ? getSymbolText(target.source.text, target.path.at(-1)!) : undefined;
}

/** Loads the index of a folder; returns undefined when it has none. */
export async function loadIndex(base: CodeBase, { index }: CodeFolder): Promise<ModuleTarget | undefined> {
  return index && { kind: 'module', source: await base.index.load(index), path: [] };
}

interface FolderPage extends Omit<ArgsOf<'read'>, 'target'> {
  readonly folder: CodeFolder;
  readonly index: SourceModule | undefined;
}

/** Lists the contents of a folder or package, one line each: folders, then modules, then the exports of its index. */
async function readCodeFolder(
  base: CodeBase,
  { folder, index, every: all, page }: FolderPage,
  context: ToolContext,
): Promise<ToolOutput> {
  const { name } = folder;
  const folders = folder.folders.filter((one) => listModulesIn(one, all).length > 0);
  const indexes = [folder, ...folders].flatMap((one) => one.index ?? []);
  const outlines = await base.index.outlines([...indexes, ...folder.modules], context.signal);
  // Describes a folder: by the description of a package, or its README, or else the first comment of the index.
  const lineOf = async (one: CodeFolder) => {
    const written = one.package === undefined ? '' : await readPackageDoc(one.package, base.root);
    const doc = written === '' && one.index !== undefined ? (outlines.get(one.index)?.doc ?? '') : written;
    return `${one.name}${doc === '' ? '' : ` -- ${doc}`} (${countBelow(one, all)})`;
  };
  const listed = folder.modules.filter(({ declares }) => all || !declares);
  const modules = listed.filter((module) => !module.name.endsWith('.test'));
  // There are many tests, which are rarely wanted, so they are only counted.
  const tests = listed.length - modules.length;
  const testTag = context.tag(`<G:${name === '' ? '' : `${name}.`}*.test>`);
  const rows = [
    ...(await Promise.all(folders.map(lineOf))),
    ...modules.map((module) => renderModuleLine(module, outlines.get(module))),
    ...(tests === 0 ? [] : [`${formatQuantity(tests, 'test module')}: ${testTag}`]),
    ...(index === undefined ? [] : ['index:', ...listSymbolRows(index, false)]),
  ];
  const head = name === '' ? [] : [await lineOf(folder)];
  if (rows.length === 0)
    return {
      text: [...head, `(no modules of ${listLanguages(base.index)}; files are at home: <home.R:>)`].join('\n'),
      format: 'plain',
      whole: () => head.join('\n'),
    };
  return outputRows({ head, rows, page, call: `R:${name}${all ? ' every=true' : ''}`, context });
}

async function readPackageDoc({ description, folder }: ProjectPackage, root: WorkspaceRoot): Promise<string> {
  if (description !== '' || folder === '') return extractSentence(description);
  const readme = await readIfPossible(root.readText(`${folder}/README.md`));
  return extractSentence(removeMarkup(firstParagraph(readme?.text ?? '')));
}

/** Returns the first paragraph of prose: no heading, badge, quotation or markup. */
function firstParagraph(markdown: string): string {
  const lines = markdown.split(/\r?\n/);
  const first = lines.findIndex((line) => /^\s*[\p{L}\p{N}`*_]/u.test(line));
  if (first === -1) return '';
  const end = lines.findIndex((line, index) => index > first && line.trim() === '');
  return lines.slice(first, end === -1 ? undefined : end).join('\n');
}

function removeMarkup(markdown: string): string {
  return markdown.replaceAll(/\[([^[\]]*)\]\([^()\s]*\)/g, '$1').replaceAll(/(\*\*|__)(?=\S)([^*_]*)\1/g, '$2');
}

/** Lists the contents of a module: a row for every symbol, and for members if there is room. Code gets all rows. */
function renderModule(
  source: SourceModule,
  { page, context, folder }: Pick<PageRequest, 'page' | 'context'> & { readonly folder: CodeFolder | undefined },
): ToolOutput {
  const { module, outline } = source;
  const { problem } = outline;
  const head = [renderModuleLine(module, outline)];
  if (folder !== undefined)
    head.push(`also a folder (${countBelow(folder, false)}): ${context.tag(`<G:${folder.name}.**>`)}`);
  if (problem !== undefined) head.push(`syntax error in line ${problem.line}: ${problem.message}`);
  const full = listSymbolRows(source, true);
  const rows = page === 1 && fitsOnePage([...head, ...full], context) ? full : listSymbolRows(source, false);
  return outputRows({ head, rows, all: full, page, call: `R:${module.name}`, context });
}

/** Renders a module with its doc and contents: `core.tool-router -- Dispatch of calls (1 class, 5 functions)`. */
export function renderModuleLine({ name }: CodeModule, outline: Outline | undefined): string {
  if (outline === undefined) return name;
  const doc = outline.doc === '' ? '' : ` -- ${outline.doc}`;
  const kinds = countKinds(outline);
  return `${name}${doc}${kinds === '' ? '' : ` (${kinds})`}`;
}

/** Lists a row for every symbol of a module, exported ones first. */
function listSymbolRows(source: SourceModule, withMembers: boolean): readonly string[] {
  const lines = new TextLines(source.text);
  const { symbols, stars } = source.outline;
  const rowsOf = (some: readonly SymbolOutline[]) =>
    some.flatMap((symbol) => [
      renderSymbolRow(symbol, source, lines),
      ...(withMembers ? symbol.members.map((member) => `  ${renderSymbolRow(member, source, lines)}`) : []),
    ]);
  const imports = rowsOf(symbols.filter(({ kind }) => kind === 'imports'));
  // Names that one statement re-exports share a row.
  const exported = rowsOf(symbols.filter(({ exported }) => exported)).filter((row, at, all) => row !== all[at - 1]);
  const own = rowsOf(symbols.filter(({ exported, kind }) => !exported && kind !== 'imports'));
  const divider = own.length > 0 && exported.length > 0 ? ['not exported:'] : [];
  return [...imports, ...exported, ...stars.map((star) => `export * from ${star}`), ...divider, ...own];
}

/** Counts the symbols of a module by kind: `1 class, 5 functions`; `''` when it has none. */
export function countKinds({ symbols }: Outline): string {
  const byKind = Map.groupBy(symbols, ({ kind }) => kind);
  byKind.delete('imports');
  return [...byKind]
    .map(([kind, { length }]) => (kind === 'class' && length > 1 ? `${length} classes` : formatQuantity(length, kind)))
    .join(', ');
}

/** Lists the modules in a folder, at any depth; with `all`, also those that only declare types. */
export function listModulesIn(folder: CodeFolder, all: boolean): readonly CodeModule[] {
  return listModulesBelow(folder).filter(({ declares }) => all || !declares);
}

function countBelow(folder: CodeFolder, all: boolean): string {
  const folders = listFoldersBelow(folder).length;
  return `${folders === 0 ? '' : `${formatQuantity(folders, 'folder')}, `}${formatQuantity(listModulesIn(folder, all).length, 'module')}`;
}
