import { type BaeError, findNearestName, type LineRange, ResourceError, type ToolDefinition } from '@bae/core';
import { renderSignature } from '@bae/core/pipeline';
import { escapePattern, formatPath, renderRange } from '@bae/workspace';
import { findTarget, followNames } from './find-symbol.ts';
import { getModuleAddress, splitAddress, splitSymbolPath, type SymbolTarget, type Target } from './target.ts';
import { nameNewModule, translatePath } from './translate-path.ts';
import type { CodeBase } from '../modules/module-index.ts';
import type { CodeCatalog, CodeFolder, CodeModule, SourceModule } from '../modules/code-catalog.ts';
import { isIdentifier } from '../type-service/identifier-name.ts';

/** A call that names something by its address: the address, the tool, and the lines wanted of what has the address. */
export interface AddressUse {
  readonly address: string;
  readonly definition: ToolDefinition;
  readonly range?: LineRange | undefined;
}

/** The parts of an error about an address besides the fact. */
interface AddressAdvice {
  /** What the tool takes: `a module or symbol`. */
  readonly expected: string;
  readonly remedy?: string | undefined;
  readonly tags: readonly string[];
}

/** The first of some names: `a, b and 3 more`. */
export function listFirst(names: readonly string[], most: number): string {
  const more = names.length > most ? ` and ${names.length - most} more` : '';
  return `${names.slice(0, most).join(', ')}${more}`;
}

/** The error for an address: `no module 'x' (target: expected a module).` and the signature on a line below. */
export function createAddressError(
  { definition: { name, spec } }: AddressUse,
  fact: string,
  { expected, remedy, tags }: AddressAdvice,
): ResourceError {
  const field = name === 'grep' ? 'path' : spec.params[0]?.name;
  const sentences = [`${fact} (${field}: expected ${expected}).`, ...(remedy === undefined ? [] : [remedy])];
  return new ResourceError(`${sentences.join(' ')}\nUsage: ${renderSignature(spec, { style: 'call' })}`, tags);
}

/**
 * What an address stands for at this moment. A module wins over a symbol, a longer module over a shorter one, and a
 * module over a folder of the same name.
 */
export async function resolveAddress(base: CodeBase, use: AddressUse): Promise<Target> {
  const address = use.address.trim();
  if (address === '') return { kind: 'folder', folder: (await base.catalog()).project };
  await refuseNotation(base, { ...use, address });
  const target = await findTarget(base, address);
  if (target !== undefined) return target;
  throw await createMissingAddressError({ ...use, address }, base);
}

/** The symbol that has an address. */
export async function resolveSymbol(base: CodeBase, use: AddressUse): Promise<SymbolTarget> {
  const target = await resolveAddress(base, use);
  if (target.kind === 'symbol') return target;
  const name = getModuleAddress(target);
  const kind = target.kind === 'module' ? 'a module' : name === '' ? 'no symbol' : 'a folder';
  const fact = `${name === '' ? 'the project' : `'${name}'`} is ${kind}`;
  throw createAddressError(use, fact, { expected: 'a symbol', tags: [`<R:${name}>`] });
}

/** Refuses a path, and an address with an empty name. */
export async function refuseNotation(base: CodeBase, use: AddressUse): Promise<void> {
  const problem = findProblem(use.address);
  if (problem === undefined) return;
  const catalog = await base.catalog();
  const fact = `use module notation: '${formatPath(use.address)}' ${problem}`;
  const refuse = (...tags: readonly string[]) =>
    createAddressError(use, fact, { expected: 'names with dots between them', tags });
  const translated = translatePath(use.address, catalog);
  const known = await findLongest(base, translated);
  if (known !== undefined) {
    const hasLines = known.address === translated && known.target.kind !== 'folder';
    throw refuse(`<R:${formatPath(known.address)}${hasLines ? rangeSuffix(use) : ''}>`);
  }
  const file = await createFileError(use, base);
  if (file !== undefined) throw file;
  const fresh = use.definition.name === 'write' ? nameNewModule(use.address, catalog) : undefined;
  throw fresh === undefined ? refuse('<R:>', '<G:**>') : refuse(`<W:${formatPath(fresh)}>`);
}

/** An address, or the longest part of it that exists. */
async function findLongest(
  base: CodeBase,
  address: string | undefined,
): Promise<{ readonly address: string; readonly target: Target } | undefined> {
  if (address === undefined) return undefined;
  const target = await findTarget(base, address);
  if (target !== undefined) return { address, target };
  const shorter = splitSymbolPath(address)?.slice(0, -1).join('.');
  return findLongest(base, shorter === '' ? undefined : shorter);
}

/** Why a text is no address; between brackets everything is part of a name. */
function findProblem(address: string): string | undefined {
  const bare = address.replaceAll(/\[[^\]]*\]/g, '[]');
  if (/[/\\]/.test(bare)) return 'contains a path separator';
  if (bare.includes('..')) return "contains '..'";
  return /^\.|\.$/.test(bare) ? 'has an empty name' : undefined;
}

/** The error for reading a file of the project that is no module, with the tag that reads it; undefined for others. */
async function createFileError(use: AddressUse, { root }: CodeBase): Promise<BaeError | undefined> {
  const { address, definition } = use;
  if (definition.name !== 'read') return undefined;
  const info = await root.info(address).catch(() => undefined);
  if (info?.kind !== 'file') return undefined;
  const path = formatPath(address);
  const fact = `'${path}' is a file, and no module or symbol`;
  return createAddressError(use, fact, {
    expected: 'a package, module or symbol',
    remedy: 'Read it at home.',
    tags: [`<home.R:${path}${rangeSuffix(use)}>`],
  });
}

function rangeSuffix({ range }: AddressUse): string {
  if (range === undefined) return '';
  const [first, last] = range;
  return last === null ? `:${first}-` : `:${renderRange(first, last)}`;
}

const MOST_OTHERS = 2;
const MOST_SYMBOLS = 5;
const LINES_AROUND_ERROR = 3;
/** Lines with a name that are looked at: searching for it is much faster than parsing the whole project. */
const MOST_ROWS = 1000;
const KEYWORDS = String.raw`\b(?:function\*?|class|interface|type|enum|namespace|const|let|var)`;

/** The error for an address that nothing has, with the nearest one that exists. */
async function createMissingAddressError(use: AddressUse, base: CodeBase): Promise<BaeError> {
  const { address } = use;
  const catalog = await base.catalog();
  const [split] = splitAddress(address, catalog);
  const folder = findDeepestFolder(address, catalog);
  if (split !== undefined && split.module.name.length >= folder.length) {
    const names = splitSymbolPath(split.rest) ?? [split.rest];
    const below = split.module.name === folder ? listNames(catalog.folder(folder)) : [];
    return createSymbolError(use, await base.index.load(split.module), { names, below });
  }
  const file = await createFileError(use, base);
  if (file !== undefined) return file;
  const [declared, ...others] = await findDeclarations(address, base);
  const nearest = declared ?? findNearest(address, catalog, folder);
  const fact = `no module or symbol '${formatPath(address)}'`;
  const also = others.length === 0 ? '' : ` The name is also that of ${listFirst(others, MOST_OTHERS)}.`;
  const remedy = nearest && `Did you mean ${nearest}?${also}`;
  const tags = [nearest === undefined ? '<R:>' : `<R:${nearest}>`];
  return createAddressError(use, fact, { expected: 'a package, module or symbol', remedy, tags });
}

/** The error for a symbol that a module, or the folder that it stands for, does not have, with the nearest one there. */
function createSymbolError(
  use: AddressUse,
  source: SourceModule,
  { names, below }: Readonly<Record<'names' | 'below', readonly string[]>>,
): BaeError {
  const { module, outline } = source;
  const { problem, symbols } = outline;
  if (problem !== undefined && symbols.length === 0) {
    const { line, message } = problem;
    const fact = `'${formatPath(names.join('.'))}' cannot be found in ${module.name}, which has a syntax error in line ${line}: ${message}`;
    const last = Math.min(Math.max(source.lines, 1), line + LINES_AROUND_ERROR);
    const range = `${Math.max(1, line - LINES_AROUND_ERROR)}-${last}`;
    return createAddressError(use, fact, { expected: 'a symbol', tags: [`<R:${module.name}:${range}>`] });
  }
  const path = followNames(symbols, names);
  const wanted = names[path.length] ?? '';
  const inside = (path.at(-1)?.members ?? symbols).map(({ name }) => name);
  const owner = [module.name, ...path.map(({ name }) => name)].join('.');
  const nearest = findNearestName(wanted, path.length === 0 ? [...inside, ...below] : inside);
  const fact = `${owner} has no ${path.length === 0 ? 'symbol' : 'member'} '${formatPath(wanted)}'`;
  const known = inside.length === 0 ? 'It has none.' : `It has ${listFirst(inside, MOST_SYMBOLS)}.`;
  const remedy = nearest === undefined ? known : `Did you mean ${nearest}?`;
  const tag = nearest === undefined ? owner : `${owner}.${nearest}`;
  return createAddressError(use, fact, { expected: 'a symbol', remedy, tags: [`<R:${tag}>`] });
}

function listNames(folder: CodeFolder | undefined): readonly string[] {
  const below = [...(folder?.folders ?? []), ...(folder?.modules ?? [])];
  return below.map(({ name }) => name.slice((folder?.name.length ?? 0) + 1));
}

function findDeepestFolder(address: string, catalog: CodeCatalog): string {
  const steps = address.split('.').slice(0, -1);
  while (steps.length > 0 && catalog.folder(steps.join('.')) === undefined) steps.pop();
  return steps.join('.');
}

function findNearest(address: string, catalog: CodeCatalog, folder: string): string | undefined {
  const all = [...catalog.folderNames, ...catalog.modules.map(({ name }) => name)].filter((name) => name !== '');
  const inside = all.filter((name) => name.startsWith(`${folder}.`));
  const last = address.split('.').at(-1) ?? '';
  // A wrong folder is worse to guess than a wrong name, so names that end alike come first.
  const sorted = all.toSorted((a, b) => Number(b.endsWith(last)) - Number(a.endsWith(last)));
  return findNearestName(address, inside) ?? findNearestName(address, sorted);
}

/** Where symbols of a name are declared, whatever module the address names; exported ones first. */
async function findDeclarations(address: string, base: CodeBase): Promise<readonly string[]> {
  const name = splitSymbolPath(address)?.at(-1);
  if (name === undefined || !isIdentifier(name)) return [];
  const escaped = escapePattern(name);
  // A name with many uses has few declarations, and most of them look like the first pattern.
  for (const pattern of [`${KEYWORDS}\\s+${escaped}`, escaped]) {
    const outlines = await base.index.outlines(await findModulesWith(pattern, base));
    const declarations = [...outlines].flatMap(([module, { symbols }]) => {
      const symbol = symbols.find((one) => one.name === name && one.origin === undefined);
      return symbol === undefined ? [] : [{ address: `${module.name}.${name}`, exported: symbol.exported }];
    });
    if (declarations.length === 0) continue;
    return declarations
      .toSorted((a, b) => Number(b.exported) - Number(a.exported) || (a.address < b.address ? -1 : 1))
      .map(({ address }) => address);
  }
  return [];
}

/** The modules with lines that match; all modules when very many lines do. */
async function findModulesWith(pattern: string, base: CodeBase): Promise<readonly CodeModule[]> {
  const modules = (await base.catalog()).modules.filter(({ declares }) => !declares);
  const paths = new Set(modules.map(({ path }) => path));
  const only = (path: string) => paths.has(path);
  const { rows, matches } = await base.root.grep({ pattern, only, all: true, limit: MOST_ROWS });
  if (matches > rows.length) return modules;
  const matching = new Set(rows.map(({ path }) => path));
  return modules.filter(({ path }) => matching.has(path));
}
