import { posix } from 'node:path';
import { ResourceError, type ToolContext } from '@bae/core';
import { EditError, formatLineChange, formatPath, formatQuantity, splitLines, startsAsProgram } from '@bae/workspace';
import { type AddressUse, createAddressError, findAddressProblem } from '../address/resolve-address.ts';
import { findByName, findTarget } from '../address/find-by-name.ts';
import {
  formatAddress,
  formatSymbolPath,
  nameNewModule,
  splitAddress,
  type SymbolTarget,
  translatePath,
} from '../address/target.ts';
import { findNewSymbolPlace, planAddition } from './place-symbol.ts';
import { planEdit } from './edit-symbol.ts';
import { type ModuleChange, planModules, refuseStaleModule } from './module-change.ts';
import { ParseError } from '../errors.ts';
import { isJavaScript, type Outline } from '../language/outline.ts';
import {
  type CodeCatalog,
  type CodeModule,
  formatModulePath,
  nameFolder,
  type SourceModule,
} from '../modules/code-catalog.ts';
import type { CodeBase } from '../modules/module-index.ts';
import type { ArgsOf } from '../params.ts';
import { isIdentifier } from '../type-service/identifier-name.ts';

type WriteRequest = Omit<ArgsOf<'write'>, 'test'>;

/** Returns the file that a write creates or changes, relative to the root and with links resolved. */
export async function findWrittenPath(
  base: CodeBase,
  request: Pick<WriteRequest, 'target' | 'as'>,
  context: ToolContext,
): Promise<string> {
  const place = await locateWrite(base, request, context);
  const path = place.kind === 'module' ? place.path : place.source.module.path;
  return (await base.root.info(path)).path;
}

/** Locates the target of a write: a module, an existing symbol, or a new symbol of a module or symbol. */
async function locateWrite(base: CodeBase, { target, as }: Pick<WriteRequest, 'target' | 'as'>, context: ToolContext) {
  const address = target.trim();
  const symbol = as === 'module' ? undefined : await locateWrittenSymbol(base, address);
  if (symbol !== undefined) return symbol;
  const module = await locateModule(base, { address, definition: context.definition }, as === 'module');
  return { kind: 'module', ...module } as const;
}

async function locateWrittenSymbol(base: CodeBase, given: string) {
  const catalog = await base.catalog();
  const isFileName = catalog.languages.splitFileName(given) !== undefined || DATA.test(given);
  // `src/a.ts#Name` is a symbol, with the path of its module.
  const address = /[/\\]|[#:]/.test(given) && !isFileName ? (translatePath(given, catalog) ?? given) : given;
  if (isFileName || /[/\\]/.test(address) || catalog.findModule(address) !== undefined) return undefined;
  const known = (await findTarget(base, address)) ?? (await findSpoken(base, address));
  if (known?.kind === 'symbol') return { ...known, kind: 'symbol' } as const;
  const place = known === undefined ? await findNewSymbolPlace(base, address) : undefined;
  if (place === undefined || (place.owner.path.length === 0 && SUFFIXES.has(place.name))) return undefined;
  return { kind: 'member', ...place, source: place.owner.source } as const;
}

/** Finds the only symbol of code with exactly these names; one that differs in case leaves the name to a new module. */
async function findSpoken(base: CodeBase, address: string): Promise<SymbolTarget | undefined> {
  const [found, ...others] = await findByName(base, address);
  if (found?.kind !== 'symbol' || others.length > 0) return undefined;
  const isSame = formatSymbolPath(found.path) === address.replaceAll(/(?<=[\w$])#/g, '.');
  return isSame ? found : undefined;
}

async function locateModule(base: CodeBase, use: AddressUse, isModule: boolean) {
  const { address } = use;
  const catalog = await base.catalog();
  const known = catalog.findModule(address) ?? catalog.findModule(translatePath(address, catalog) ?? '');
  if (known !== undefined) return { address: known.name, known, path: known.path };
  const given = readModulePath(use, catalog);
  if (given !== undefined) return { ...given, known };
  refuseModuleName(use, catalog, isModule);
  return { address, known, path: chooseModulePath(use, catalog) };
}

/** Returns the new module that a path refers to; undefined for an address. */
function readModulePath(use: AddressUse, catalog: CodeCatalog) {
  const path = use.address.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '');
  const file = catalog.languages.splitFileName(path);
  if (!path.includes('/') && (file === undefined || file.stem.includes('.'))) return undefined;
  const isInside = !/^\/|(?:^|\/)\.\.?(?:\/|$)|\/$/.test(path);
  const ending = posix.extname(path);
  if (!isInside || (file === undefined && ending !== '')) {
    const fact = `'${formatPath(use.address)}' ${isInside ? `ends in ${ending}, and write makes modules` : 'is not a path in the project'}`;
    throw createAddressError(use, fact, {
      expected: 'a new module',
      tags: [isInside ? `<home.W:${formatPath(path)}>…</home.W>` : '<R:>'],
    });
  }
  const whole = file === undefined ? `${path}.${findCommonestEnding(catalog.modules) ?? 'ts'}` : path;
  return { address: nameNewModule(whole, catalog), path: whole };
}

/**
 * Plans to write a whole module, either new or in place of the existing one.
 *
 * @throws ResourceError when the module exists and must not be replaced, or the address cannot be one; ParseError when
 *   the text is not well formed; ConflictError when the session has read the old one and it has changed since
 */
export async function planWrite(base: CodeBase, request: WriteRequest, context: ToolContext): Promise<ModuleChange> {
  const { index } = base;
  const { content, strict, overwrite } = request;
  const place = await locateWrite(base, request, context);
  if (place.kind === 'member') return planAddition(base, { ...place, content, strict }, context);
  if (place.kind === 'symbol') {
    const target = formatAddress(place);
    if (overwrite) return planEdit(base, { target, content, strict, rename: false, delete: false }, context);
    throw new ResourceError(`${target} exists. Use edit, or overwrite=true.`, [`<R:${target}>`, `<E:${target}>…</E>`]);
  }
  const { address, known, path } = place;
  const before = known && (await index.load(known));
  if (before !== undefined && !overwrite) {
    const { name } = before.module;
    const fact = `${name} exists (${formatQuantity(before.lines, 'line')}). Use edit, or overwrite=true.`;
    throw new ResourceError(fact, [`<R:${name}>`, `<W:${name} overwrite=true>`]);
  }
  if (before !== undefined) refuseStaleModule({ source: before, path: [] }, context);
  const text = completeText(content, context, before);
  const outline = (await index.languages.readerOf(path)).outline({ text, path });
  if (outline.problem !== undefined) {
    const { line, column, message } = outline.problem;
    const fact = `the text of ${address} does not parse: line ${line}, column ${column}: ${message}.`;
    throw new ParseError(`${fact} Nothing was written.`, [`<W:${address}>`]);
  }
  const name = before?.module.name ?? address;
  const exported = request.export ? await planExport(base, { name, path }, outline) : undefined;
  const lines = splitLines(text).length;
  const done =
    before === undefined
      ? `Created module ${name} (${formatQuantity(lines, 'line')}${startsAsProgram(text) ? ', executable' : ''})`
      : `Replaced module ${name} (${formatLineChange(before.lines, lines)})`;
  const module = { name, path, before: before?.text, after: text, expected: before?.hash ?? null };
  return planModules({
    base,
    files: exported === undefined ? [module] : [module, exported.file],
    how: { strict, instead: before === undefined ? `<W:${name}>` : `<R:${name}>` },
    output: {
      text: exported === undefined ? done : `${done}\n${exported.done}`,
      hint: formatQuantity(lines, 'line'),
    },
  });
}

/** Completes new text; it keeps the line breaks and the byte order mark of the old module. */
function completeText(content: string, { block }: ToolContext, before: SourceModule | undefined): string {
  const ended = !block || content === '' || content.endsWith('\n') ? content : `${content}\n`;
  if (before === undefined) return ended;
  const mark = before.text.startsWith('\uFEFF') && !ended.startsWith('\uFEFF') ? '\uFEFF' : '';
  const isCrlf = /\r\n/.test(before.text) && !/[^\r]\n/.test(before.text);
  return mark + (isCrlf ? ended.replaceAll(/\r?\n/g, '\r\n') : ended);
}

async function planExport(base: CodeBase, module: { readonly name: string; readonly path: string }, outline: Outline) {
  const { dir: folder, base: beside } = posix.parse(module.path);
  const tags = [`<W:${module.name}>`];
  const found = (await base.catalog()).modules.find(({ path }) => {
    return posix.dirname(path) === (folder || '.') && posix.basename(path).startsWith('index.');
  });
  if (found === undefined || found.path === module.path)
    throw new EditError(`there is no index beside ${module.name} that could export it. Leave out export=true.`, tags);
  const source = await base.index.load(found);
  const names = listSpecifiers(outline, found.path);
  if (names.length === 0) throw new EditError(`${module.name} exports nothing by name. Leave out export=true.`, tags);
  const [quote, ending] = detectStyle(source.text);
  const specifier = `./${ending === undefined ? beside : beside.replace(/\.[^.]+$/, ending)}`;
  const line = `export { ${names.join(', ')} } from ${quote}${specifier}${quote};`;
  const lineBreak = source.text.includes('\r\n') ? '\r\n' : '\n';
  const gap = source.text === '' || source.text.endsWith('\n') ? '' : lineBreak;
  const after = `${source.text}${gap}${line}${lineBreak}`;
  const draft = { path: found.path, before: source.text, after, expected: source.hash } as const;
  return {
    file: { ...draft, action: 'edit', lines: [0, 1] },
    done: `Exported it from ${found.name}: ${line}`,
  } as const;
}

/**
 * Lists the specifiers that an index exports. A JavaScript index cannot re-export types, which exist only in comments.
 */
function listSpecifiers({ symbols }: Outline, index: string): readonly string[] {
  return symbols.flatMap(({ exported, name, kind }) => {
    if (!exported || !isIdentifier(name) || name === 'default') return [];
    if (kind !== 'interface' && kind !== 'type') return [name];
    return isJavaScript(index) ? [] : [`type ${name}`];
  });
}

function detectStyle(text: string): readonly [quote: string, ending: string | undefined] {
  const found = /from\s+(['"])\.[^'"]*?(\.[cm]?[jt]sx?)?\1/.exec(text);
  return [found?.[1] ?? "'", found === null ? undefined : (found[2] ?? '')];
}

/** Last names that belong to the name of a file, not to a folder: `test` of `router.test`. */
const SUFFIXES = new Set(['test', 'spec', 'config', 'bench', 'stories', 'd']);

/**
 * Chooses the path of a new module: in the folder that its address begins with if it exists; otherwise in its package,
 * below `src` if other modules of the package are there. It gets the most common extension of that package.
 */
export function chooseModulePath(use: AddressUse, catalog: CodeCatalog): string {
  const { label, folder, names } = splitPackage(use, catalog);
  const siblings = catalog.modules.filter((module) => module.package.folder === folder && !module.declares);
  const ending =
    findCommonestEnding(siblings) ?? findCommonestEnding(catalog.modules.filter(({ declares }) => !declares)) ?? 'ts';
  const last = names.at(-1) ?? '';
  const parts = names.length > 1 && SUFFIXES.has(last) ? [...names.slice(0, -2), `${names.at(-2)}.${last}`] : names;
  const known = findFolder({ label, folder, names: parts }, siblings);
  if (known !== undefined) return `${posix.join(folder, ...known)}.${ending}`;
  const hasSource = siblings.some(({ path }) => path.startsWith(posix.join(folder, 'src/')));
  const top = hasSource && parts[0] !== 'src' ? 'src' : '';
  return `${posix.join(folder, top, ...(parts.length === 0 ? ['index'] : parts))}.${ending}`;
}

/**
 * Returns the path, relative to its package, of the folder that the longest run of leading names refers to, and the
 * remaining names.
 */
function findFolder({ label, folder, names }: PackagePlace, siblings: readonly CodeModule[]) {
  const folders = new Set(siblings.flatMap(({ path }) => listFoldersAbove(posix.relative(folder, path))));
  for (let count = names.length - 1; count > 0; count--) {
    const address = formatModulePath([label, ...names.slice(0, count)]);
    const inside = [...folders].filter((path) => nameFolder(path.split('/'), { label }) === address);
    const path = inside.find((one) => one.startsWith('src/')) ?? inside[0];
    if (path !== undefined) return [path, ...names.slice(count)];
  }
  return undefined;
}

function listFoldersAbove(path: string): readonly string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

interface PackagePlace {
  readonly label: string;
  readonly folder: string;
  readonly names: readonly string[];
}

function splitPackage(use: AddressUse, catalog: CodeCatalog): PackagePlace {
  const { address } = use;
  const inside = catalog.packages
    .filter(({ label }) => label !== '' && (address === label || address.startsWith(`${label}.`)))
    .toSorted((a, b) => b.label.length - a.label.length)[0];
  if (inside !== undefined) {
    const rest = address.slice(inside.label.length + 1);
    return { label: inside.label, folder: inside.folder, names: rest === '' ? [] : rest.split('.') };
  }
  const names = address.split('.');
  if (!catalog.hasPackages || catalog.folder(names[0] ?? '') !== undefined) return { label: '', folder: '', names };
  const labels = catalog.packages.map(({ label }) => label).filter((label) => label !== '');
  const fact = `'${names[0]}' is not a package of this project`;
  const remedy = `Packages: ${labels.slice(0, 8).join(', ')}${labels.length > 8 ? ', …' : ''}.`;
  throw createAddressError(use, fact, { expected: 'an address that begins with a package', remedy, tags: ['<R:>'] });
}

function findCommonestEnding(modules: readonly CodeModule[]): string | undefined {
  const byEnding = Map.groupBy(modules, ({ path }) => posix.extname(path).slice(1));
  // A component consists of more than its script.
  for (const ending of ['vue', 'svelte']) byEnding.delete(ending);
  return [...byEnding].toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0];
}

/**
 * Extensions of files that are not code; a module may be named after a file that it reads, but hardly after one of
 * these.
 */
const DATA = /^(.+)\.(jsonc?|mdx?|yml|txt)$/s;
const SETTINGS = /^(?:package|(?:ts|js)config(?:\..+)?)$/;

function refuseModuleName(use: AddressUse, catalog: CodeCatalog, isModule: boolean): void {
  const { address } = use;
  const name = formatPath(address);
  const refuse = (fact: string, tag: string, remedy?: string) =>
    createAddressError(use, fact, { expected: 'a new module', remedy, tags: [tag] });
  const code = catalog.languages.splitFileName(address);
  if (code !== undefined) {
    const stem = formatPath(code.stem);
    const tag = catalog.findModule(code.stem) === undefined ? `<W:${stem}>…</W>` : `<R:${stem}>`;
    throw refuse(`'${name}' ends in .${code.ending}, and modules are named without ending`, tag);
  }
  const [, stem = '', ending = ''] = DATA.exec(address) ?? [];
  if (ending !== '') {
    const tag =
      ending === 'json' && SETTINGS.test(stem) ? `<source.config.R:${formatPath(stem)}>` : `<home.W:${name}>…</home.W>`;
    throw refuse(`'${name}' is the name of a file that is no code, and write makes modules`, tag);
  }
  const problem = findAddressProblem(address);
  if (problem !== undefined)
    throw createAddressError(use, `'${name}' ${problem}`, { expected: 'a new module', tags: ['<R:>', '<G:**>'] });
  if (address === '')
    throw createAddressError(use, 'the name of the module is missing', { expected: 'a module', tags: ['<R:>'] });
  if (!/^[^#[\]=]+$/.test(address))
    throw new EditError(`'${name}' is not a name of a module. Use letters, digits and hyphens.`, ['<R:>']);
  // A symbol is added to a module by editing a neighboring symbol.
  const [split] = splitAddress(address, catalog);
  if (split === undefined || isModule) return;
  const { module, rest } = split;
  if (SUFFIXES.has(rest) || module.isIndex || catalog.folder(module.name) !== undefined) return;
  const remedy = `Add ${rest} to what has members, or with as=module as a module.`;
  throw refuse(
    `${module.name} is a module, and has nothing that ${rest} can be added to`,
    `<R:${module.name}>`,
    remedy,
  );
}
