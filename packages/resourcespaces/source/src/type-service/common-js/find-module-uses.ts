import { dirname, extname, join } from 'node:path';
import type { FoundSymbol, TypeQuery } from '../compiler-session.ts';
import { findOccurrences } from '../identifier-name.ts';
import { type FilePosition, toPlaceKey } from '../language-protocol.ts';

const ENDINGS: ReadonlySet<string> = new Set(['.js', '.cjs', '.jsx']);
const COMMON_JS = /\brequire\s*\(|\bexports\b/;

/** Tests whether a file is a CommonJS module. */
export async function isCommonJs(file: string, { texts }: Pick<TypeQuery, 'texts'>): Promise<boolean> {
  return ENDINGS.has(extname(file)) && COMMON_JS.test((await texts.get(file)).text);
}

/** `module.exports = X`, `module.exports = class X`, `exports = module.exports = function X`. */
const WHOLE =
  /\bmodule\s*\.\s*exports\s*=\s*(?:(?:async\s+)?(?:class|function\s*\*?)\s+)?([\p{ID_Start}$_][\p{ID_Continue}$]*)/gu;
/** A required module, preceded by the target of the assignment, and followed by the member that is accessed. */
const REQUIRED =
  /(?:([\p{ID_Start}$_][\p{ID_Continue}$]*|\bmodule\s*\.\s*exports)\s*=\s*)?\brequire\s*\(\s*(['"])(\.[^'"]*)\2\s*\)(?:\s*\.\s*([\p{ID_Start}$_][\p{ID_Continue}$]*))?/gu;

/** `const { a, b: c } = require('./x')`, and `const a = require('./x')`. */
export const IMPORTS = /(?:\{[^{}]*\}|[\w$]+)\s*=\s*require\s*\(/g;
const LINKS = [
  // exports.a =, module.exports.a =
  /\bexports\s*\.\s*[\w$]+/g,
  // module.exports = { a, b }, and module.exports = a
  /\bmodule\s*\.\s*exports\s*=\s*(?:\{[^{}]*\}|[\w$]+)/g,
  IMPORTS,
];

/** Finds the parts of a module that export or import names, as offsets. */
export function findLinks(text: string): readonly (readonly [number, number])[] {
  return LINKS.flatMap((pattern) =>
    Array.from(text.matchAll(pattern), ({ index, 0: found }) => [index, index + found.length] as const),
  );
}

/** A `require` call for a module of the project. */
interface Requirement {
  readonly file: string;
  /** Target of the assignment: a name, or `module.exports`. */
  readonly to: string;
  readonly toOffset: number;
  readonly member: string;
  readonly memberOffset: number;
  /** The required file. */
  readonly target: string | undefined;
}

/**
 * Finds the places that use a symbol of a CommonJS module through the module, which every other module names
 * differently: `Koa` in `const Koa = require('../..')` if the symbol is the module as a whole, and `static` in
 * `express.static` if it is exported by name. The compiler resolves the required module.
 *
 * @param named places that are known to name the symbol
 */
export async function findModuleUses(
  query: TypeQuery,
  symbol: FoundSymbol,
  named: readonly FilePosition[],
): Promise<readonly FilePosition[]> {
  const { session, texts, signal } = query;
  const { name, at } = symbol;
  if (!(await isCommonJs(at.file, query))) return [];
  const { text: own, lines: ownLines } = await texts.get(at.file);
  const known = new Set([at, ...named].filter(({ file }) => file === at.file).map(toPlaceKey));
  const isNamed = ({ index, 0: match }: RegExpExecArray): boolean =>
    known.has(toPlaceKey({ file: at.file, position: ownLines.positionAt(index + match.length - name.length) }));
  const isWhole = [...own.matchAll(WHOLE)].some((match) => match[1] === name && isNamed(match));
  const isMember = [...own.matchAll(new RegExp(`\\bexports\\s*\\.\\s*${escape(name)}(?=\\s*=)`, 'gu'))].some(isNamed);
  const inside = await findUsesInside(query, symbol);
  if (!isWhole && !isMember) return inside;
  const required = await listRequirements(query);
  const modules = findSameModules(at.file, required);
  const found: FilePosition[] = [...inside];
  for (const { file, to, toOffset, member, memberOffset, target } of required) {
    if (target === undefined) continue;
    // `exports.a = require('./x').a` re-exports a name of the other module.
    if (file === at.file && to === name && member === name) found.push(...(await findExports(query, target, name)));
    if (!modules.has(target)) continue;
    const { text, lines } = await texts.get(file);
    if (isMember && member === name) found.push({ file, position: lines.positionAt(memberOffset) });
    if (to === '' || member !== '' || to.includes('.')) continue;
    const uses = await session.references({ file, position: lines.positionAt(toOffset) }, signal);
    if (isWhole) found.push(...uses);
    if (!isMember) continue;
    for (const use of uses.filter((one) => one.file === file)) {
      const end = lines.offsetAt(use.position) + to.length;
      const behind = new RegExp(`^\\s*\\??\\.\\s*(?=${escape(name)}(?![\\p{ID_Continue}$]))`, 'u').exec(
        text.slice(end, end + 200),
      );
      if (behind !== null) found.push({ file, position: lines.positionAt(end + behind[0].length) });
    }
  }
  return found;
}

/** Finds the places at which a module exports a name. */
async function findExports({ texts }: TypeQuery, file: string, name: string): Promise<readonly FilePosition[]> {
  const { text, lines } = await texts.get(file);
  const links = findLinks(text);
  const exported = findOccurrences(name, text).filter((offset) =>
    links.some(([start, end]) => offset >= start && offset < end && !text.startsWith('require', end - 8)),
  );
  return exported.map((offset) => ({ file, position: lines.positionAt(offset) }));
}

/**
 * Finds uses in the module itself that the compiler does not follow: `exports.a`, and if `a` is assigned to an object,
 * `cart.a`, and `this.a` in its functions.
 */
async function findUsesInside({ session, texts, signal }: TypeQuery, { name, at }: FoundSymbol) {
  const { text, lines } = await texts.get(at.file);
  const assigned = new RegExp(`^([\\p{ID_Start}$_][\\p{ID_Continue}$]*)\\.${escape(name)}\\s*=`, 'mu').exec(text);
  const owners = assigned === null ? 'exports' : `(?:exports|this|${escape(assigned[1]!)})`;
  const found: FilePosition[] = [];
  for (const { index, 0: whole } of text.matchAll(
    new RegExp(`\\b${owners}\\s*\\.\\s*(?=${escape(name)}(?![\\p{ID_Continue}$]))`, 'gu'),
  )) {
    const place = { file: at.file, position: lines.positionAt(index + whole.length) };
    // Uses that the compiler knows are found by the compiler.
    const isKnown = !whole.startsWith('exports') && (await session.definitions(place, signal)).length > 0;
    if (!isKnown) found.push(place);
  }
  return found;
}

function escape(name: string): string {
  return name.replaceAll('$', String.raw`\$`);
}

async function listRequirements({ session, files, texts, signal }: TypeQuery): Promise<readonly Requirement[]> {
  const required: Requirement[] = [];
  /** Required files by the resolved path of the specifier. */
  const known = new Map<string, string | undefined>();
  for (const file of await files.mentioning('require', signal)) {
    const { text, lines } = await texts.get(file);
    for (const match of text.matchAll(REQUIRED)) {
      const [whole, to = '', quote = '', specifier = '', member = ''] = match;
      const path = join(dirname(file), specifier);
      if (!known.has(path)) {
        const position = lines.positionAt(match.index + whole.indexOf(quote, whole.lastIndexOf('(')) + 1);
        const [place] = await session.definitions({ file, position }, signal);
        known.set(path, place?.file);
      }
      const memberOffset = match.index + whole.length - member.length;
      required.push({ file, to, toOffset: match.index, member, memberOffset, target: known.get(path) });
    }
  }
  return required;
}

/** Finds a module, and the modules that only re-export it: `module.exports = require('./lib/express')`. */
function findSameModules(file: string, required: readonly Requirement[]): ReadonlySet<string> {
  const same = new Set([file]);
  for (let before = 0; before < same.size;) {
    before = same.size;
    for (const { file: from, to, member, target } of required)
      if (to.includes('.') && member === '' && target !== undefined && same.has(target)) same.add(from);
  }
  return same;
}
