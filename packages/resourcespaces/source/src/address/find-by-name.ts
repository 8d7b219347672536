import { escapePattern } from '@bae/workspace';
import { findSymbol, followNames } from './find-symbol.ts';
import { formatAddress, getModuleAddress, splitSymbolPath, type Target } from './target.ts';
import type { SymbolOutline } from '../language/outline.ts';
import type { CodeCatalog, CodeModule, SourceModule } from '../modules/code-catalog.ts';
import type { CodeBase } from '../modules/module-index.ts';
import { isIdentifier } from '../type-service/identifier-name.ts';

/** Lines with a name that are looked at: searching for it is much faster than parsing the whole project. */
const MOST_ROWS = 1000;
const KEYWORDS = String.raw`\b(?:function\*?|class|interface|type|enum|namespace|const|let|var)`;
/** Files that are rarely meant when something else has the name too. */
const ASIDE =
  /(?:^|\/)(?:tests?|__tests__|specs?|fixtures?|examples?|bench(?:marks?)?)\/|\.(?:test|spec|bench|stories)\.[^/]*$/;

/**
 * What a text may mean that is no address: the end of a path or of an address (`queue.ts`, `agent/turn`), a symbol
 * without its module (`Queue`, `Queue#add`, `add`), or the title of a test. The likeliest ones only; several when the
 * text does not say which.
 */
export async function findByName(base: CodeBase, text: string): Promise<readonly Target[]> {
  const names = splitSymbolPath(normalizeName(text, base)) ?? [];
  for (const find of [findByEnding, findDeclared, findMembers, findInAnyCase]) {
    const found = preferMain(await find(base, names));
    if (found.length > 0) return found;
  }
  return findTitle(base, text);
}

/** A text with dots between its names, without what surrounds them: quotes, `./`, the folder of the project, `()`. */
function normalizeName(text: string, { root }: CodeBase): string {
  const bare = text
    .trim()
    .replaceAll('\\', '/')
    .replace(/^([`'"])(.*)\1$/s, '$2')
    .replace(/\(.*\)$/s, '')
    .replace(/\/+$/, '');
  const inside = bare.startsWith(`${root.folder}/`) ? bare.slice(root.folder.length + 1) : bare;
  return inside.replace(/^(?:\.?\/)+/, '').replaceAll(/(?<=[^.#:/])(?:::?|#)(?=[^:])/g, '.');
}

/** Modules whose path or address ends with the first names, and the symbol that the others name in them. */
async function findByEnding(base: CodeBase, names: readonly string[]): Promise<readonly Target[]> {
  const catalog = await base.catalog();
  for (let count = names.length; count > 0; count--) {
    const modules = findModulesEndingWith(names.slice(0, count).join('.'), catalog);
    const rest = names.slice(count);
    const found = await Promise.all(
      modules.map(async (module) => {
        const source = await base.index.load(module);
        return rest.length === 0 ? ({ kind: 'module', source } as const) : findSymbol(base, source, rest);
      }),
    );
    const targets = found.filter((target) => target !== undefined);
    if (targets.length > 0) return targets;
  }
  return [];
}

function findModulesEndingWith(ending: string, { modules }: CodeCatalog): readonly CodeModule[] {
  const path = `/${ending}`;
  // Imports name the JavaScript that a file becomes.
  const stem = path.replace(/\.[cm]?jsx?$/, '');
  const found = modules.filter((module) => {
    const whole = `/${module.path}`;
    return whole.endsWith(path) || whole.replace(/\.[^./]+$/, '').endsWith(stem);
  });
  return found.length > 0 ? found : modules.filter(({ name }) => name.endsWith(`.${ending}`));
}

/** Symbols of modules, and their members. */
async function findDeclared(base: CodeBase, names: readonly string[]): Promise<readonly Target[]> {
  const [first = '', ...rest] = names;
  const declared = await findDeclarations(base, first);
  return declared.flatMap((target): readonly Target[] => {
    const members = followNames(target.path[0]?.members ?? [], rest);
    return members.length < rest.length ? [] : [{ ...target, path: [...target.path, ...members] }];
  });
}

/** Where symbols of a name are declared, whatever their modules; exported ones first. */
async function findDeclarations(base: CodeBase, name: string) {
  if (!isIdentifier(name)) return [];
  const escaped = escapePattern(name);
  // A name with many uses has few declarations, and most of them look like the first pattern.
  for (const pattern of [`${KEYWORDS}\\s+${escaped}`, escaped]) {
    const found = await findSymbolsWhere(
      base,
      pattern,
      (symbol) => hasName(symbol, name) && symbol.origin === undefined,
    );
    if (found.length > 0) return found;
  }
  return [];
}

/** Members by their name alone: `add`, `#state`. */
async function findMembers(base: CodeBase, names: readonly string[]): Promise<readonly Target[]> {
  const [name = '', ...more] = names;
  if (more.length > 0 || !isIdentifier(name.replace(/^#/, ''))) return [];
  const owners = await findSymbolsWhere(base, escapePattern(name), ({ members }) =>
    members.some((member) => member.name === name),
  );
  return owners.map((owner) => ({ ...owner, path: [...owner.path, ...followNames(owner.path[0]!.members, [name])] }));
}

/** Symbols of modules whose names differ in upper and lower case only. */
async function findInAnyCase(base: CodeBase, [name = '', ...rest]: readonly string[]): Promise<readonly Target[]> {
  if (!isIdentifier(name)) return [];
  const wanted = name.toLowerCase();
  const isIt = ({ origin, ...symbol }: SymbolOutline) =>
    origin === undefined && (symbol.localName ?? symbol.name).toLowerCase() === wanted;
  const found = await findSymbolsWhere(base, `(?i)${KEYWORDS}\\s+${escapePattern(name)}\\b`, isIt);
  const first = found[0]?.path[0];
  return first === undefined ? [] : findDeclared(base, [first.localName ?? first.name, ...rest]);
}

function hasName({ name, localName }: SymbolOutline, wanted: string): boolean {
  return name === wanted || localName === wanted;
}

/** The symbols of modules that match, among the modules with lines that match a pattern; exported ones first. */
async function findSymbolsWhere(base: CodeBase, pattern: string, matches: (symbol: SymbolOutline) => boolean) {
  const outlines = await base.index.outlines(await findModulesWith(pattern, base));
  const found = [...outlines].flatMap(([module, { symbols }]) =>
    symbols.filter(matches).map((symbol) => ({ module, symbol })),
  );
  const sorted = found.toSorted(
    (a, b) => Number(b.symbol.exported) - Number(a.symbol.exported) || (a.module.name < b.module.name ? -1 : 1),
  );
  return Promise.all(
    sorted.map(async ({ module, symbol }) => {
      const source: SourceModule = await base.index.load(module);
      return { kind: 'symbol', source, path: [symbol] as readonly SymbolOutline[], passedOn: false } as const;
    }),
  );
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

/** The lines of a test, from those of its title to the end of its function. */
export async function findTitle(base: CodeBase, text: string): Promise<readonly Target[]> {
  const title = text.trim().replace(/^([`'"])(.*)\1$/s, '$2');
  if (title.length < 3 || title.includes('\n')) return [];
  const catalog = await base.catalog();
  const only = (path: string) => catalog.moduleAt(path) !== undefined;
  const pattern = `\\b(?:it|test|describe|suite|specify|context)\\b.*['"\`]${escapePattern(title)}['"\`]`;
  const { rows } = await base.root.grep({ pattern, only, all: true, limit: MOST_ROWS });
  return Promise.all(
    rows.map(async ({ path, line }) => {
      const source = await base.index.load(catalog.moduleAt(path) as CodeModule);
      return { kind: 'module', source, lines: [line, findLastLine(source.text, line)] } as const;
    }),
  );
}

/** The last line of what begins in a line: the next one that is indented alike and closes a bracket. */
function findLastLine(text: string, first: number): number {
  const lines = text.split('\n');
  const indent = /^\s*/.exec(lines[first - 1] ?? '')![0];
  const closing = lines.findIndex((line, index) => index >= first && new RegExp(`^${indent}[)}\\]]`).test(line));
  return closing === -1 ? first : closing + 1;
}

/** Those outside of tests and examples, exported ones first, if there are any; each address once. */
function preferMain(targets: readonly Target[]): readonly Target[] {
  const known = new Set<string>();
  const all = targets.filter((target) => {
    const address = target.kind === 'symbol' ? formatAddress(target) : getModuleAddress(target);
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
  return target.kind !== 'folder' && (target.source.module.declares || ASIDE.test(target.source.module.path));
}
