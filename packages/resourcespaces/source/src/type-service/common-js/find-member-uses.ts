import type { FoundSymbol, TypeQuery } from '../compiler-session.ts';
import { findOccurrences, makeNamePattern } from '../identifier-name.ts';
import type { FilePosition } from '../language-protocol.ts';
import { isCommonJs } from './find-module-uses.ts';
import { getAssigned, type Script, ScriptValues } from './script-values.ts';

export interface MemberUse extends FilePosition {
  readonly offset: number;
  /** True for `{ add } = this`, which also declares a name. */
  readonly isShorthand: boolean;
}

interface MemberUses {
  readonly uses: readonly MemberUse[];
  /** Members of that name that nothing in the code defines: those of parameters without a type, or of inherited ones. */
  readonly possible: readonly MemberUse[];
}

/**
 * Finds the uses of a member of what a CommonJS module defines without a class: `this.add` and `cart.add` for
 * `Cart.prototype.add = …`. The compiler knows no such functions.
 */
export async function findMemberUses(query: TypeQuery, { name, at }: FoundSymbol): Promise<MemberUses> {
  const uses: MemberUse[] = [];
  const possible: MemberUse[] = [];
  const { session, files, texts, signal } = query;
  if (!(await isCommonJs(at.file, query))) return { uses, possible };
  const values = new ScriptValues(query);
  const own = await values.script(at.file);
  const owner = await values.ownerAt(own, (await texts.get(at.file)).lines.offsetAt(at.position));
  if (owner === undefined) return { uses, possible };
  const defining = new Set<string>();
  const others: (MemberUse & { readonly owner: string | undefined })[] = [];
  for (const file of await files.mentioning(name, signal)) {
    if (!(await isCommonJs(file, query))) continue;
    const script = await values.script(file);
    const { text, lines } = await texts.get(file);
    for (const offset of findOccurrences(name, text)) {
      const found = await values.ownerAt(script, offset);
      const position = lines.positionAt(offset);
      const use = { file, position, offset, isShorthand: isShorthand(script, offset) };
      if (found === owner) uses.push(use);
      else if (found !== undefined && isAssigned(script, offset)) defining.add(found);
      else if (isBehindDot(script, offset)) others.push({ ...use, owner: found });
    }
  }
  for (const use of others) {
    if (use.owner !== undefined && defining.has(use.owner)) continue;
    if ((await session.definitions(use, signal)).length === 0) possible.push(use);
  }
  return { uses, possible };
}

function isAssigned(script: Script, offset: number): boolean {
  const node = script.names.get(offset);
  return node !== undefined && getAssigned(script, node) !== undefined;
}

/** Tests whether a name stands behind a dot. */
function isBehindDot({ names, parents }: Script, offset: number): boolean {
  const node = names.get(offset);
  const parent = node && parents.get(node);
  return parent?.type === 'MemberExpression' && parent.property === node;
}

function isShorthand({ names, parents }: Script, offset: number): boolean {
  const node = names.get(offset);
  const parent = node && parents.get(node);
  return parent?.type === 'Property' && parent.shorthand;
}

/** Finds the places in doc comments that name a function as a type, which it is for the functions that it constructs. */
export async function findTypeMentions(
  query: TypeQuery,
  { at }: FoundSymbol,
  uses: readonly FilePosition[],
): Promise<readonly FilePosition[]> {
  const { texts } = query;
  if (!(await isCommonJs(at.file, query))) return [];
  const values = new ScriptValues(query);
  const own = await values.script(at.file);
  const key = await values.definedAt(own, (await texts.get(at.file)).lines.offsetAt(at.position));
  if (key === undefined) return [];
  const found: FilePosition[] = [];
  for (const [file, places] of Map.groupBy(uses, (one) => one.file)) {
    if (!(await isCommonJs(file, query))) continue;
    const script = await values.script(file);
    const { text, lines } = await texts.get(file);
    const names = new Set(places.map(({ position }) => script.names.get(lines.offsetAt(position))?.name));
    for (const name of names) {
      if (name === undefined || (await values.namedInScript(script, name)) !== key) continue;
      for (const offset of listDocTypes(script, text, name)) found.push({ file, position: lines.positionAt(offset) });
    }
  }
  return found;
}

/** Lists the places at which the types in doc comments name something: `@param {Cart} cart`. */
function listDocTypes({ comments }: Script, text: string, name: string): readonly number[] {
  return comments.flatMap(({ start, end, value }) => {
    if (!value.startsWith('*')) return [];
    const types = [...text.slice(start, end).matchAll(/@\w+\s*\{[^{}]*\}/g)];
    return types.flatMap(({ index, 0: type }) => {
      const from = start + index;
      return Array.from(type.matchAll(makeNamePattern(name)), (found) => from + found.index);
    });
  });
}
