import { escapePattern } from '@bae/workspace';
import {
  formatSymbolPath,
  formatTargetAddress,
  getAddressName,
  resolveSpecifier,
  splitAddress,
  splitSymbolPath,
  type SymbolTarget,
  type Target,
} from './target.ts';
import { findInOwners, followNames, listPathsInOwners } from './find-in-owners.ts';
import { findTitle, splitTestPlace } from './find-title.ts';
import { readIfPossible } from '../errors.ts';
import { isCompiled, isComponent, type SymbolOutline } from '../language/outline.ts';
import type { CodeCatalog, CodeModule, SourceModule } from '../modules/code-catalog.ts';
import type { CodeBase } from '../modules/module-index.ts';
import { isIdentifier } from '../type-service/identifier-name.ts';

/** Returns the target of an address; undefined when it has none. */
export async function findTarget(base: CodeBase, address: string): Promise<Target | undefined> {
  const catalog = await base.catalog();
  const folder = catalog.folder(address);
  for (const { module, rest } of splitAddress(address, catalog)) {
    if (rest === '') {
      if (folder !== undefined && (module.name !== address || module.isIndex)) break;
      return { kind: 'module', source: await base.index.load(module), path: [] };
    }
    // A folder takes precedence over a symbol: `core.agent` is the folder, whatever the index of core exports.
    if (folder !== undefined) break;
    const names = splitSymbolPath(rest);
    const symbol = names && (await findSymbol(base, await base.index.load(module), names));
    if (symbol !== undefined) return symbol;
  }
  return folder && { kind: 'folder', folder };
}

/**
 * The viewpoint of a lookup: an address and the module itself see all names of a module, another module its exports.
 */
type Viewer = 'address' | 'module' | 'itself';

/** Finds a symbol by its names from the module inwards; for a re-exported symbol, finds its declaration. */
export function findSymbol(
  base: CodeBase,
  from: SourceModule,
  wanted: readonly string[],
): Promise<SymbolTarget | undefined> {
  // Each name is looked up once in each module: indexes may re-export hundreds of names, also from each other.
  const visited = new Set<string>();

  async function find(
    source: SourceModule,
    names: readonly string[],
    viewer: Viewer,
  ): Promise<SymbolTarget | undefined> {
    const [first = '', ...rest] = names;
    const visit = `${source.module.path}\0${names.join('\0')}`;
    if (visited.has(visit)) return undefined;
    visited.add(visit);
    const symbol = source.outline.symbols.find(({ name, localName, exported }) =>
      viewer === 'module' ? exported && name === first : name === first || localName === first,
    );
    if (symbol === undefined) return (await findInStars(source, names)) ?? findInDefault(source, names, viewer);
    const declared = await findDeclared(source, symbol, rest);
    if (declared !== undefined) return declared;
    const members = followNames(symbol.members, rest);
    if (members.length < rest.length) return undefined;
    return { kind: 'symbol', source, path: [symbol, ...members], passedOn: viewer !== 'address' };
  }

  async function findDeclared(source: SourceModule, { origin }: SymbolOutline, rest: readonly string[]) {
    const next = origin && (await loadSpecifier(base, origin.specifier, source));
    if (next === undefined) return undefined;
    const viewer = next === source ? 'itself' : 'module';
    if (origin!.name !== '*') return find(next, [origin!.name, ...rest], viewer);
    return rest.length === 0 ? undefined : find(next, rest, viewer);
  }

  async function findInStars(source: SourceModule, names: readonly string[]): Promise<SymbolTarget | undefined> {
    if (names[0] === 'default') return undefined;
    for (const specifier of source.outline.stars) {
      const next = await loadSpecifier(base, specifier, source);
      const symbol = next && (await find(next, names, 'module'));
      if (symbol !== undefined) return symbol;
    }
    return undefined;
  }

  /**
   * Finds members of the value that a module exports as a whole: `send` of `module.exports = res`, for `res.send = …`.
   */
  function findInDefault(source: SourceModule, names: readonly string[], viewer: Viewer) {
    const whole = source.outline.symbols.find(({ name }) => name === 'default');
    const isWhole = viewer === 'address' && names[0] !== 'default' && whole?.kind === 'default export';
    return isWhole ? find(source, ['default', ...names], 'itself') : undefined;
  }

  return find(from, wanted, 'address');
}

/**
 * Loads the module that a specifier refers to (`''` is the module itself); returns undefined when it cannot be read.
 */
async function loadSpecifier(base: CodeBase, specifier: string, source: SourceModule) {
  if (specifier === '') return source;
  const next = resolveSpecifier(specifier, source.module.path, await base.catalog());
  return next && readIfPossible(base.index.load(next));
}

/** Pattern of the keywords that declare a name. */
export const KEYWORDS = String.raw`\b(?:function\*?|def|class|interface|type|enum|namespace|const|let|var)`;
/** Paths of files that are rarely meant when something else has the same name. */
const ASIDE =
  /(?:^|\/)(?:tests?|__tests__|specs?|fixtures?|examples?|bench(?:marks?)?)\/|\.(?:test|spec|bench|stories)\.[^/]*$|^tests?(?:\.\w+)?\.[cm]?[jt]sx?$/;

/**
 * Finds what a text that is not an address may mean: the end of a path or address (`queue.ts`, `agent/turn`), a symbol
 * without its module (`Queue`, `Queue#add`, `add`), or the title of a test. Returns only the likeliest targets; several
 * when the text is ambiguous.
 */
export async function findByName(base: CodeBase, text: string): Promise<readonly Target[]> {
  const names = splitSymbolPath(normalizeName(text, base)) ?? [];
  for (const find of [findByEnding, findDeclared, findMembers, findInAnyCase]) {
    const found = preferMain(await find(base, names));
    if (found.length > 0) return found;
  }
  return base.index.isInner ? [] : ((await findTitleIn(base, text)) ?? findTitle(base, text));
}

/**
 * Finds members by the path of their module and their name alone: `add` of a class in `src/queue.ts#add`. A text that
 * adds a symbol to the module does not mean them.
 */
export async function findInModule(base: CodeBase, text: string): Promise<readonly Target[]> {
  const names = splitSymbolPath(normalizeName(text, base)) ?? [];
  return preferMain(await findByEnding(base, names, () => true));
}

/** Finds a test by its module and title: `test/a.test.ts#adds`, `a.test.ts > adds`. */
async function findTitleIn(base: CodeBase, text: string): Promise<readonly Target[] | undefined> {
  const { place, part: title } = splitTestPlace(text.trim());
  const modules = findModulesEndingWith(place.replace(/^(?:\.\/)+/, ''), await base.catalog());
  const found = place === '' || modules.length === 0 ? [] : await findTitle(base, title, modules);
  return found.length > 0 ? found : undefined;
}

/** Returns a text with dots between its names and without quotes, `./`, the folder of the project and `()`. */
function normalizeName(text: string, { root }: CodeBase): string {
  const bare = text
    .trim()
    .replaceAll('\\', '/')
    .replace(/^([`'"])(.*)\1$/s, '$2')
    .replace(/\(.*\)$/s, '')
    .replace(/\/+$/, '');
  const inside = bare.startsWith(`${root.folder}/`) ? bare.slice(root.folder.length + 1) : bare;
  return stripCode(inside)
    .replace(/^(?:[.~@]?\/)+/, '')
    .replaceAll(/(?<=[^.#:/])(?:::?|#)(?=[^:])/g, '.')
    .replaceAll('.prototype.', '.');
}

/** Returns the name in a piece of code: `a` for `class a`, `<a />`, and `b.a` for `from b import a`. */
function stripCode(text: string): string {
  return text
    .replace(/^from\s+([\w.]+)\s+import\s+(\w+)$/, '$1.$2')
    .replace(/^<([\w.-]+)\s*\/?>$/, '$1')
    .replace(/^(?:module\.)?exports\.(?=[\w$])/, '')
    .replace(new RegExp(`^(?:export\\s+)?(?:default\\s+)?(?:async\\s+)?${KEYWORDS}\\s+(?=\\S+$)`), '');
}

/**
 * Finds modules whose path or address ends with the first names, and in them the symbol that the other names refer to.
 */
async function findByEnding(
  base: CodeBase,
  names: readonly string[],
  isOwner = isNamespace,
): Promise<readonly Target[]> {
  const catalog = await base.catalog();
  for (let count = names.length; count > 0; count--) {
    const modules = findModulesEndingWith(names.slice(0, count).join('.'), catalog);
    const rest = names.slice(count);
    const found = await Promise.all(
      modules.map(async (module): Promise<readonly Target[]> => {
        const source = await base.index.load(module);
        if (rest.length === 0) return [{ kind: 'module', source, path: [] }];
        const symbol = await findSymbol(base, source, rest);
        return symbol === undefined ? findInOwners(source, rest, { isOwner }) : [symbol];
      }),
    );
    const targets = found.flat();
    if (targets.length > 0) return targets;
  }
  return [];
}

function findModulesEndingWith(ending: string, { modules }: CodeCatalog): readonly CodeModule[] {
  const path = `/${ending}`;
  // Imports name the JavaScript file that a source file compiles to.
  const stem = path.replace(/\.[cm]?jsx?$/, '');
  const found = modules.filter((module) => {
    const whole = `/${module.path}`;
    return whole.endsWith(path) || whole.replace(/\.[^./]+$/, '').endsWith(stem);
  });
  return found.length > 0 ? found : modules.filter(({ name }) => name === ending || name.endsWith(`.${ending}`));
}

async function findDeclared(base: CodeBase, [first = '', ...rest]: readonly string[]): Promise<readonly Target[]> {
  if (!isIdentifier(first)) return [];
  // A frequently used name has few declarations, and most of them match the first pattern.
  for (const pattern of [`${KEYWORDS}\\s+${escapePattern(first)}`, await makeDeclarationPattern(base, first)]) {
    const declared = await findSymbolsWhere(
      base,
      pattern,
      (symbol) =>
        symbol.origin === undefined &&
        (symbol.name === first || symbol.localName === first) &&
        (rest.length > 0 || !isLocalValue(symbol)),
    );
    const own = declared.filter((target) => !isAlias(target));
    const found = own.length > 0 ? own : declared;
    if (found.length > 0) {
      const targets = found.map(
        async (target) =>
          findMember(target, rest) ?? (await findExportOf(base, target, rest)) ?? findDeeper(base, target, rest),
      );
      return (await Promise.all(targets)).flat();
    }
  }
  return [];
}

/** A constant that is a module, or what another object has under the same name. */
const ALIAS = /^(?:export\s+)?(?:const|let|var)\s+(?:([\w$]+)\s*=\s*(?:[\w$]+\.)+\1;?$|[^=]*=\s*require\s*\()/;

/** Returns true for `const View = require('./view')` and `export const move = files.move`. */
function isAlias({ source, path: [symbol] }: SymbolTarget): boolean {
  const { start = 0, end = 0 } = symbol?.declarations[0] ?? {};
  return ALIAS.test(source.text.slice(start, end));
}

/** Finds members by their name alone: `add`, `#state`; what is in namespaces, also by the end of its path. */
async function findMembers(base: CodeBase, names: readonly string[]): Promise<readonly Target[]> {
  const [name = ''] = names;
  if (!isIdentifier(name)) return [];
  const isOwner = names.length === 1 || base.index.isInner ? () => true : isNamespace;
  const owners = await findSymbolsWhere(
    base,
    await makeDeclarationPattern(base, name),
    (symbol) => symbol.origin === undefined && listPathsInOwners([symbol], names, isOwner).length > 0,
  );
  const found = [...new Set(owners.map(({ source }) => source))].flatMap((one) =>
    findInOwners(one, names, { isOwner }),
  );
  return names.length > 1 ? found : found.filter(({ path }) => !isLocalValue(path.at(-1)!));
}

/** Tests whether a symbol is a variable of a function, which nobody means by its name alone. */
function isLocalValue({ place, kind }: SymbolOutline): boolean {
  return place === 'function' && (kind === 'constant' || kind === 'variable');
}

function isNamespace({ kind }: SymbolOutline): boolean {
  return kind === 'namespace';
}

/** Finds symbols of modules whose names differ only in case. */
async function findInAnyCase(base: CodeBase, [name = '', ...rest]: readonly string[]): Promise<readonly Target[]> {
  if (!isIdentifier(name)) return [];
  const wanted = name.toLowerCase();
  const [found] = await findSymbolsWhere(
    base,
    `(?i)${KEYWORDS}\\s+${escapePattern(name)}\\b`,
    (symbol) => symbol.origin === undefined && getAddressName(symbol).toLowerCase() === wanted,
  );
  return found === undefined ? [] : findDeclared(base, [formatSymbolPath(found.path), ...rest]);
}

/** Finds an export of the module that a symbol is the whole of: `json` for `module.exports = parser; exports.json = …`. */
function findExportOf(base: CodeBase, { source, path }: SymbolTarget, names: readonly string[]) {
  const whole = source.outline.symbols.find(({ name }) => name === 'default')?.origin;
  const isWhole = whole?.specifier === '' && whole.name === path[0]!.name && names[0] !== 'default';
  return isWhole ? findSymbol(base, source, names) : undefined;
}

/** Finds what is anywhere inside of a symbol; only if that includes what is inside of functions. */
function findDeeper(
  { index }: CodeBase,
  { source, path }: SymbolTarget,
  names: readonly string[],
): readonly SymbolTarget[] {
  return index.isInner ? findInOwners(source, names, { symbols: path.slice(-1), isOwner: () => true }) : [];
}

function findMember(target: SymbolTarget, names: readonly string[]): SymbolTarget | undefined {
  const members = followNames(target.path.at(-1)!.members, names);
  return members.length < names.length ? undefined : { ...target, path: [...target.path, ...members] };
}

/** Finds the matching symbols in the modules that have lines matching a pattern; exported ones first. */
export async function findSymbolsWhere(
  base: CodeBase,
  pattern: string,
  matches: (symbol: SymbolOutline) => boolean,
): Promise<readonly SymbolTarget[]> {
  // Files that only declare types mostly repeat names of the code, and are searched when it does not have them.
  for (const declares of [false, true]) {
    const outlines = await base.index.outlines(await base.findModulesWith(pattern, declares));
    const found = [...outlines].flatMap(([module, { symbols }]) =>
      symbols.filter(matches).map((symbol) => ({ module, symbol })),
    );
    if (found.length === 0) continue;
    const sorted = found.toSorted(
      (a, b) => Number(b.symbol.exported) - Number(a.symbol.exported) || (a.module.name < b.module.name ? -1 : 1),
    );
    return Promise.all(
      sorted.map(async ({ module, symbol }): Promise<SymbolTarget> => {
        return { kind: 'symbol', source: await base.index.load(module), path: [symbol], passedOn: false };
      }),
    );
  }
  return [];
}

/** The names of symbols that their code may spell in another way. */
const UNWRITTEN: ReadonlySet<string> = new Set(['default', 'import']);

/**
 * Returns the pattern of lines that may declare a name. In TypeScript and JavaScript, what a name is declared with ends
 * it, or is one of a few words; in a doc comment that defines a type, prose may follow.
 */
async function makeDeclarationPattern(base: CodeBase, name: string): Promise<string> {
  const escaped = escapePattern(name);
  const { modules } = await base.catalog();
  if (UNWRITTEN.has(name) || !modules.every(({ path }) => isCompiled(path) || isComponent(path))) return escaped;
  const inCode = String.raw`${escaped}\s*(?:$|[^\w\s$]|(?:as|extends|from|implements|in|of)\b)`;
  return String.raw`${inCode}|(?:^\s*\*|[@}]).*${escaped}`;
}

/** Returns the targets outside of tests and examples, if there are any, exported ones first; each address once. */
function preferMain(targets: readonly Target[]): readonly Target[] {
  const known = new Set<string>();
  const all = targets.filter((target) => {
    const address = formatTargetAddress(target);
    return !known.has(address) && known.add(address);
  });
  for (const isPreferred of [isMain, (target: Target) => isMain(target) || !isAside(target)]) {
    const preferred = all.filter(isPreferred);
    if (preferred.length > 0) return preferred;
  }
  return all;
}

function isMain(target: Target): boolean {
  return !isAside(target) && (target.kind !== 'symbol' || target.path[0]!.exported);
}

function isAside(target: Target): boolean {
  return target.kind !== 'folder' && isAsideModule(target.source.module);
}

/** Returns true for a module that is rarely meant when another one has the same name: tests, examples, types. */
export function isAsideModule({ declares, path }: CodeModule): boolean {
  return declares || ASIDE.test(path);
}
