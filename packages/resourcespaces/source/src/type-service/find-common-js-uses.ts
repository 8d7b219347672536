import { extname } from 'node:path';
import type { FilePosition, FoundSymbol, SymbolPlace, TypeQuery } from './compiler-session.ts';
import { findOccurrences } from './identifier-name.ts';
import { type Location, toPlaceKey, toUri } from './language-protocol.ts';
import type { TextCache } from './module-files.ts';

/** Where a symbol is named in CommonJS modules. */
export interface CommonJsUses {
  /** Places with the name of the symbol. */
  readonly named: readonly SymbolPlace[];
  /** Places where it has another name: those of `b` after `const { a: b } = require('./x')`. */
  readonly renamed: readonly Location[];
}

const NONE: CommonJsUses = { named: [], renamed: [] };
const ENDINGS: ReadonlySet<string> = new Set(['.js', '.cjs', '.jsx']);
const COMMON_JS = /\brequire\s*\(|\bexports\b/;

/**
 * Finds where a symbol of a CommonJS module is named. The compiler knows what a name stands for behind `require` and
 * `exports`, but does not search in that direction. So the name is searched for as text, and the compiler leads from each
 * place to a declaration. A place that exports or imports the symbol counts as a declaration of it.
 */
export async function findCommonJsUses(
  { session, files, signal }: TypeQuery,
  { name, at, declarations }: FoundSymbol,
  texts: TextCache,
): Promise<CommonJsUses> {
  if (!(await isCommonJs(at.file, texts))) return NONE;
  const known = new Set(declarations);
  const open: Occurrence[] = [];
  for (const file of new Set([at.file, ...(await files.mentioning(name, signal))])) {
    if (!(await isCommonJs(file, texts))) continue;
    const { text, lines } = await texts.get(file);
    const links = findLinks(text);
    for (const offset of findOccurrences(name, text)) {
      const position = lines.positionAt(offset);
      const place = { file, position };
      const key = toPlaceKey({ uri: toUri(file), range: { start: position, end: position } });
      const isLink = links.some(([start, end]) => offset >= start && offset < end);
      // `exports.a = function a() {}` exports what its right side declares.
      const isDeclared = isLink && file === at.file && position.line === at.position.line;
      if (isDeclared) known.add(key);
      const leadsTo = (await session.definitions(place, signal)).map(toPlaceKey);
      open.push({ file, offset, place, key, isLink, leadsTo });
    }
  }
  const named: Occurrence[] = [];
  for (let isNew = true; isNew;) {
    isNew = false;
    for (const one of open) {
      if (named.includes(one) || !(known.has(one.key) || one.leadsTo.some((key) => known.has(key)))) continue;
      named.push(one);
      if (one.isLink) known.add(one.key);
      isNew = true;
    }
  }
  const renamed: Location[] = [];
  for (const one of named.filter(({ isLink }) => isLink)) {
    const { text, lines } = await texts.get(one.file);
    const local = /^\s*:\s*(?=[\p{ID_Start}$_])/u.exec(text.slice(one.offset + name.length));
    const isImport = local !== null && isDestructured(text, one.offset);
    if (!isImport) continue;
    const position = lines.positionAt(one.offset + name.length + local[0].length);
    renamed.push(...(await session.references({ file: one.file, position }, signal)));
  }
  return { named, renamed };
}

interface Occurrence extends SymbolPlace {
  readonly place: FilePosition;
  readonly key: string;
  /** True where the name is exported or imported. */
  readonly isLink: boolean;
  /** Place keys of what the compiler takes the name for. */
  readonly leadsTo: readonly string[];
}

async function isCommonJs(file: string, texts: TextCache): Promise<boolean> {
  return ENDINGS.has(extname(file)) && COMMON_JS.test((await texts.get(file)).text);
}

const LINKS = [
  // exports.a =, module.exports.a =
  /\bexports\s*\.\s*[\w$]+/g,
  // module.exports = { a, b }, and module.exports = a
  /\bmodule\s*\.\s*exports\s*=\s*(?:\{[^{}]*\}|[\w$]+)/g,
  // const { a, b: c } = require('./x'), and const a = require('./x')
  /(?:\{[^{}]*\}|[\w$]+)\s*=\s*require\s*\(/g,
];

/** The parts of a module that export or import names, as offsets. */
function findLinks(text: string): readonly (readonly [number, number])[] {
  return LINKS.flatMap((pattern) =>
    Array.from(text.matchAll(pattern), ({ index, 0: found }) => [index, index + found.length] as const),
  );
}

function isDestructured(text: string, offset: number): boolean {
  const [, , imports] = LINKS;
  return Array.from(text.matchAll(imports!)).some(
    ({ index, 0: found }) => found.startsWith('{') && offset > index && offset < index + found.length,
  );
}
