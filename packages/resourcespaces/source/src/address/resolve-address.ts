import {
  AmbiguousAddressError,
  formatAddress,
  formatLines,
  formatTargetAddress,
  getAddressName,
  splitAddress,
  splitSymbolPath,
  type SymbolTarget,
  type Target,
  findTargetPath,
  translatePath,
} from './target.ts';
import { MisspeltAddressError } from '../errors.ts';
import {
  type BaeError,
  findNearestName,
  type LineRange,
  ResourceError,
  type ToolContext,
  type ToolDefinition,
} from '@bae/core';
import { renderSignature } from '@bae/core/pipeline';
import { formatPath } from '@bae/workspace';
import { findByName, findSymbol, findTarget, isAsideModule } from './find-by-name.ts';
import { followNames } from './find-in-owners.ts';
import { findTargets, isPath } from './find-targets.ts';
import { findInherited } from './find-inherited.ts';
import { findNearestTest } from './find-title.ts';
import type { SymbolOutline } from '../language/outline.ts';
import { isPrivateMember } from '../read/read-symbol.ts';
import type { CodeBase } from '../modules/module-index.ts';
import type { CodeCatalog, CodeFolder, SourceModule } from '../modules/code-catalog.ts';

/** A call that names something by its address: the address, the tool, and the requested lines of the target. */
export interface AddressUse {
  readonly address: string;
  readonly definition: ToolDefinition;
  readonly range?: LineRange | undefined;
  /** The files of the call, which get that of the target. Default: they do not. */
  readonly files?: ToolContext['files'];
}

interface AddressAdvice {
  /** The kind of target that the tool takes: `a module or symbol`. */
  readonly expected: string;
  readonly remedy?: string | undefined;
  readonly tags: readonly string[];
}

/** Lists the first of some names: `a, b and 3 more`. */
export function listFirst(names: readonly string[], most: number): string {
  const more = names.length > most ? ` and ${names.length - most} more` : '';
  return `${names.slice(0, most).join(', ')}${more}`;
}

/** Creates the error for an address: `no module 'x' (target: expected a module).` and the signature on a line below. */
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
 * Returns the current target of an address. A module takes precedence over a symbol, a longer module name over a
 * shorter one, and a module over a folder of the same name. A text that is not an address may be a path, or a name that
 * only one target has.
 */
export async function resolveAddress(base: CodeBase, use: AddressUse): Promise<Target> {
  const address = use.address.trim();
  const [found, ...others] = await findTargets(base, address);
  if (found === undefined) throw await createMissingAddressError({ ...use, address }, base);
  if (others.length > 0) throw createAmbiguousError({ ...use, address }, [found, ...others]);
  use.files?.add(findTargetPath(found));
  return found;
}

/** Returns the address of a target, with the lines that are meant. */
export function formatTargetLines(target: Target): string {
  const lines = target.kind === 'module' && target.lines ? `:${formatLines(target.lines)}` : '';
  return formatTargetAddress(target) + lines;
}

function createAmbiguousError(use: AddressUse, targets: readonly Target[]): ResourceError {
  const addresses = targets.map(formatTargetLines);
  const fact = `'${formatPath(use.address)}' may be one of ${targets.length}: ${listFirst(addresses, MOST_NAMED)}`;
  const all = addresses.length > MOST_NAMED ? [`<R:${use.address} every=true>`] : [];
  const tags = [...addresses.slice(0, MOST_TAGS).map((one) => `<R:${one}>`), ...all];
  const error = createAddressError(use, fact, { expected: 'the address of one of them', tags });
  return new AmbiguousAddressError(error, targets, addresses);
}

/** Returns the symbol that an address refers to. */
export async function resolveSymbol(base: CodeBase, use: AddressUse): Promise<SymbolTarget> {
  const target = await resolveAddress(base, use);
  if (target.kind === 'symbol') return target;
  const name = formatTargetAddress(target);
  // A module often has the same name as its only symbol.
  const same = target.kind === 'module' && (await findSymbol(base, target.source, [name.split('.').at(-1)!]));
  if (same) return same;
  const kind = target.kind === 'module' ? 'a module' : name === '' ? 'no symbol' : 'a folder';
  const fact = `${name === '' ? 'the project' : `'${name}'`} is ${kind}`;
  throw createAddressError(use, fact, { expected: 'a symbol', tags: [`<R:${name}>`] });
}

/** Explains why a text cannot be an address; between brackets everything is part of a name. */
export function findAddressProblem(address: string): string | undefined {
  const bare = address.replaceAll(/\[[^\]]*\]/g, '[]').replaceAll('\\', '/');
  if (/(?:^|\/)\.\.(?:\/|$)/.test(bare)) return 'leaves the project';
  if (bare.startsWith('/')) return 'is not in the project';
  return bare.includes('..') || /^\.(?!\/)|\.$/.test(bare) ? 'has an empty name' : undefined;
}

/**
 * Creates the error for reading or editing a file of the project that is not a module, with the tag that does it at
 * home; undefined for others.
 */
async function createFileError(use: AddressUse, { root }: CodeBase): Promise<BaeError | undefined> {
  const { address, definition, range } = use;
  const { name } = definition;
  if (name !== 'read' && name !== 'edit') return undefined;
  const info = await root.info(address).catch(() => undefined);
  if (info?.kind !== 'file') return undefined;
  const path = formatPath(address);
  const fact = `'${path}' is a file, not a module or symbol`;
  const target = `${path}${range === undefined ? '' : `:${formatLines(range)}`}`;
  return createAddressError(use, fact, {
    expected: 'a package, module or symbol',
    remedy: `${name === 'read' ? 'Read' : 'Edit'} it at home.`,
    tags: [name === 'read' ? `<home.R:${target}>` : `<home.E:${target}>…</home.E>`],
  });
}

const MOST_NAMED = 8;
const MOST_TAGS = 3;
const MOST_SYMBOLS = 5;
const LINES_AROUND_ERROR = 3;
/** Minimum length of the name of a member in which one letter may be wrong. */
const SHORTEST_SLIP = 4;

/** Creates the error for an address without a target, with the nearest one that exists. */
async function createMissingAddressError(use: AddressUse, base: CodeBase): Promise<BaeError> {
  const file = await createFileError(use, base);
  if (file !== undefined) return file;
  const {
    fact,
    nearest,
    isSymbol = false,
    isCertain = false,
    ...advice
  } = await explainMissingAddress(use.address, base);
  const isAboutUses = isSymbol && nearest !== undefined && use.definition.name === 'references';
  const tags = isAboutUses ? [`<references:${nearest}>`] : advice.tags;
  const error = createAddressError(use, fact, { ...advice, tags });
  return nearest === undefined ? error : new MisspeltAddressError(error, nearest, isCertain);
}

/** The reason why an address has no target, and the nearest address that has one. */
interface MissingAdvice extends AddressAdvice {
  readonly fact: string;
  readonly nearest?: string | undefined;
  /** True if the nearest address is certainly that of a symbol. */
  readonly isSymbol?: boolean;
  /** True if nothing but the nearest address can be meant. */
  readonly isCertain?: boolean;
  /** The name that an existing symbol has no member of. */
  readonly member?: string | undefined;
  /** That symbol. */
  readonly owner?: SymbolTarget | undefined;
}

/** Explains why an address has no target. */
export async function explainMissingAddress(given: string, base: CodeBase): Promise<MissingAdvice> {
  const catalog = await base.catalog();
  const single = given.replaceAll(/\.{2,}/g, '.').replaceAll(/^\.|\.$/g, '');
  if (!isPath(given) && single !== given && single !== '') {
    const [meant, ...more] = await findTargets(base, single);
    if (meant !== undefined && more.length === 0) return adviseNearest(given, formatTargetAddress(meant));
  }
  const translated = isPath(given) ? translatePath(given, catalog) : undefined;
  const isFile = isPath(given) && catalog.languages.splitFileName(given) !== undefined;
  const address = isFile ? given : (translated ?? given);
  const [split] = isFile ? [] : splitAddress(address, catalog);
  const folder = findDeepestFolder(address, catalog);
  if (split !== undefined && split.module.name.length >= folder.length) {
    const names = splitSymbolPath(split.rest) ?? [split.rest];
    const below = split.module.name === folder ? listNames(catalog.folder(folder)) : [];
    const source = await base.inner.index.load(split.module);
    return suggestSameMember(base, explainMissingSymbol(source, { names, below }));
  }
  const names = isFile ? [] : (splitSymbolPath(address.replaceAll(/(?<=[\w$])#(?=[\w$])/g, '.')) ?? []);
  const ownerName = names.slice(0, -1).join('.');
  const isName = names.length > 1 && catalog.languages.splitFileName(given) === undefined;
  const near = isName ? await findByName(base, ownerName) : [];
  const corrected = !isName || near.length > 0 ? undefined : await findNearestSymbol(ownerName, base);
  const owner = corrected === undefined ? near[0] : await findTarget(base, corrected);
  if (owner?.kind === 'symbol') {
    const inside = [...owner.path.map(({ name }) => name), names.at(-1)!];
    const whole = followNames(owner.source.outline.symbols, inside);
    if (whole.length === inside.length) return adviseNearest(given, formatAddress({ ...owner, path: whole }));
    const source = await base.inner.index.load(owner.source.module);
    const advice = await suggestSameMember(base, explainMissingSymbol(source, { names: inside, below: [] }));
    return corrected === undefined ? advice : { ...advice, isCertain: false };
  }
  const scoped = catalog.packages.filter(({ name = '' }) => name.startsWith('@'));
  const slip = findSlip(
    given,
    scoped.map(({ name = '' }) => name),
  );
  if (slip !== undefined) return adviseNearest(given, scoped.find(({ name }) => name === slip)!.label, slip);
  const test = await findNearestTest(base, given);
  if (test !== undefined) return adviseNearest(given, formatTargetLines(test.target), test.title);
  const nearest =
    (isFile ? findNearestModule(address, catalog) : undefined) ?? (await findNearest(address, base, folder));
  if (nearest !== undefined) return adviseNearest(given, nearest);
  return { fact: describeNoTarget(given), expected: 'a package, module or symbol', tags: ['<R:>', '<G:**>'] };
}

/** Suggests members of other symbols instead of those that only have a similar name. */
async function suggestSameMember(base: CodeBase, advice: MissingAdvice): Promise<MissingAdvice> {
  const { member, owner, nearest = '' } = advice;
  const inherited = member && owner && (await findInherited(base, owner, member));
  if (inherited) {
    const address = formatTargetAddress(inherited);
    const remedy = `Did you mean ${address}?`;
    return { ...advice, nearest: address, remedy, tags: [`<R:${address}>`], isCertain: true };
  }
  if (member === undefined || findSlip(member, [nearest.split('.').at(-1)!]) !== undefined) return advice;
  const same = (await findByName(base, member)).filter(({ kind }) => kind === 'symbol').map(formatTargetAddress);
  if (same.length === 0) return advice;
  const tags = same.slice(0, MOST_TAGS).map((one) => `<R:${one}>`);
  return { ...advice, nearest: undefined, remedy: `Did you mean ${listFirst(same, MOST_TAGS)}?`, tags };
}

function describeNoTarget(address: string): string {
  const problem = findAddressProblem(address);
  const shown = formatPath(address);
  return problem === undefined ? `no module or symbol '${shown}'` : `'${shown}' ${problem}`;
}

/** Advises an address that is spelt nearly as another, or nearly has the title of a test. */
function adviseNearest(given: string, nearest: string, title = nearest): MissingAdvice {
  return {
    fact: describeNoTarget(given),
    expected: 'a package, module or symbol',
    remedy: `Did you mean ${title}?`,
    tags: [`<R:${nearest}>`],
    nearest,
  };
}

/** Returns the address of the symbol whose name differs by one letter. */
async function findNearestSymbol(name: string, base: CodeBase): Promise<string | undefined> {
  const symbols = await listSymbolAddresses(name, base);
  return symbols.get(findSlip(name, [...symbols.keys()]) ?? '');
}

/** Explains that a module or folder does not have a symbol, with the nearest existing one. */
function explainMissingSymbol(
  source: SourceModule,
  { names, below }: Readonly<Record<'names' | 'below', readonly string[]>>,
): MissingAdvice {
  const { module, outline } = source;
  const { problem, symbols } = outline;
  const expected = 'a symbol';
  if (problem !== undefined && symbols.length === 0) {
    const { line, message } = problem;
    const fact = `'${formatPath(names.join('.'))}' cannot be found in ${module.name}, which has a syntax error in line ${line}: ${message}`;
    const last = Math.min(Math.max(source.lines, 1), line + LINES_AROUND_ERROR);
    const range = `${Math.max(1, line - LINES_AROUND_ERROR)}-${last}`;
    return { fact, expected, tags: [`<R:${module.name}:${range}>`] };
  }
  const path = followNames(symbols, names);
  const wanted = names[path.length] ?? '';
  const members = path.at(-1)?.members ?? symbols;
  const isPrivate = (symbol: SymbolOutline): boolean => path.length > 0 && isPrivateMember(symbol, source.text);
  const inside = members.toSorted((a, b) => Number(isPrivate(a)) - Number(isPrivate(b))).map(getAddressName);
  const owner = formatAddress({ source, path });
  const nearest = findNearestName(wanted, path.length === 0 ? [...inside, ...below] : inside);
  const fact = `${owner} has no ${path.length === 0 ? 'symbol' : 'member'} '${formatPath(wanted)}'`;
  const known = inside.length === 0 ? 'It has none.' : `It has ${listFirst(inside, MOST_SYMBOLS)}.`;
  const hasOwner = path.length > 0;
  const missing = hasOwner && {
    member: wanted,
    owner: { kind: 'symbol', source, path, passedOn: false } as const,
    isCertain: wanted.length >= SHORTEST_SLIP && nearest !== undefined && findSlip(wanted, [nearest]) !== undefined,
  };
  if (nearest === undefined) return { fact, expected, remedy: known, tags: [`<R:${owner}>`], ...missing };
  const address = `${owner}.${nearest}`;
  const remedy = `Did you mean ${nearest}?`;
  return { fact, expected, remedy, tags: [`<R:${address}>`], nearest: address, isSymbol: true, ...missing };
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

/** Maximum number of modules in a project whose symbols are also compared with a name. */
const MOST_COMPARED = 3000;

async function findNearest(address: string, base: CodeBase, folder: string): Promise<string | undefined> {
  const catalog = await base.catalog();
  const all = [...catalog.folderNames, ...catalog.modules.map(({ name }) => name)].filter((name) => name !== '');
  // A typo of one letter in a symbol name is a better match than a module with a merely similar name.
  const symbols = findSlip(address, all) === undefined ? await listSymbolAddresses(address, base) : new Map();
  const slip = findSlip(address, [...symbols.keys()]);
  if (slip !== undefined) return symbols.get(slip);
  const inside = all.filter((name) => name.startsWith(`${folder}.`));
  const last = splitSymbolPath(address)?.at(-1) ?? '';
  // A wrong folder is a worse guess than a wrong name, so names with the same ending come first.
  const sorted = all.toSorted((a, b) => Number(b.endsWith(last)) - Number(a.endsWith(last)));
  const name = findNearestName(address, inside) ?? findNearestName(address, sorted);
  if (name !== undefined) return name;
  return findNearestModule(address, catalog) ?? symbols.get(findNearestName(address, [...symbols.keys()]) ?? '');
}

function findNearestModule(address: string, catalog: CodeCatalog): string | undefined {
  const paths = catalog.modules.map(({ path }) => path);
  return catalog.moduleAt(findNearestName(address.replace(/^\.\//, ''), paths) ?? '')?.name;
}

/** Returns the first of some names that differs from another by one letter, or by two swapped letters. */
export function findSlip(name: string, names: readonly string[]): string | undefined {
  // Of two names that differ in case only, the one with the same first letter is meant.
  return names
    .toSorted((a, b) => Number(b[0] === name[0]) - Number(a[0] === name[0]))
    .find((one) => {
      const longer = Math.max(name.length, one.length);
      return Math.abs(name.length - one.length) < 2 && findNearestName(name, [one], 1 - 1.01 / longer) !== undefined;
    });
}

/**
 * Maps the names of the symbols of all modules to their addresses; empty when there are too many or the text is not a
 * name.
 */
async function listSymbolAddresses(name: string, base: CodeBase): Promise<ReadonlyMap<string, string>> {
  const addresses = new Map<string, string>();
  const { modules } = await base.catalog();
  if (modules.length > MOST_COMPARED || !/^[\w$#.]+$/.test(name)) return addresses;
  const found = [...(await base.index.outlines(modules))].flatMap(([module, { symbols }]) =>
    listWithNamespaces(symbols, module.name).map((one) => ({ module, ...one })),
  );
  // Of several symbols with one name, an exported one of the code itself is meant.
  const rank = ({ module, symbol }: (typeof found)[number]): number => {
    if (isAsideModule(module)) return 3;
    // A constant may be what another module has under the same name.
    const isValue = symbol.kind === 'constant' || symbol.kind === 'variable';
    return symbol.exported ? Number(symbol.kind === 'type') : isValue ? 2.5 : 2;
  };
  for (const { symbol, address } of found.toSorted((a, b) => rank(a) - rank(b))) {
    const own = getAddressName(symbol);
    if (!addresses.has(own)) addresses.set(own, address);
  }
  return addresses;
}

/** Lists symbols, those of namespaces too, with their addresses. */
function listWithNamespaces(
  symbols: readonly SymbolOutline[],
  owner: string,
): readonly { readonly symbol: SymbolOutline; readonly address: string }[] {
  return symbols.flatMap((symbol) => {
    if (symbol.origin !== undefined) return [];
    const address = `${owner}.${getAddressName(symbol)}`;
    return [{ symbol, address }, ...(symbol.kind === 'namespace' ? listWithNamespaces(symbol.members, address) : [])];
  });
}
