import type { LineRange, ToolContext } from '@bae/core';
import { EditError, refuseStale, renderRange, SeenFiles } from '@bae/workspace';
import { resolveAddress } from '../address/resolve-address.ts';
import { addressOf, symbolName, type SymbolTarget, type Target } from '../address/target.ts';
import type { SymbolOutline } from '../language/outline.ts';
import type { CodeBase } from '../modules/code-base.ts';
import { symbolTextTag } from '../read/read-symbol.ts';
import { TextLines } from '../read/read-lines.ts';
import { importsTarget } from './imports-target.ts';
import { refuseLoss } from './refuse-loss.ts';
import { removeSymbol } from './remove-symbol.ts';
import { replaceSymbol, spliced, type Splice } from './replace-symbol.ts';

/** What to make of a symbol. */
export interface EditRequest {
  readonly target: string;
  readonly range?: LineRange | undefined;
  /** Its new text. */
  readonly body?: string | undefined;
  /** True when the new text may have another name. */
  readonly rename: boolean;
  /** True to remove it. */
  readonly remove: boolean;
}

/** An edit that is ready to be made, or to be shown to whoever decides about it. */
export interface PlannedEdit {
  readonly target: SymbolTarget;
  /** The whole module as it would be. */
  readonly after: string;
  readonly splices: readonly Splice[];
}

/**
 * Works out what an edit makes of a module, and changes nothing.
 *
 * @throws ResourceError when nothing has the address; EditError when it is no symbol, or a name would be lost;
 *   ParseError when the new text is not well formed; ConflictError when the file is not what the session was shown
 */
export async function planEdit(base: CodeBase, request: EditRequest, context: ToolContext): Promise<PlannedEdit> {
  const { root, index } = base;
  const target = symbolOf(
    (await importsTarget(base, request.target)) ??
      (await resolveAddress(base, { address: request.target, verb: 'edit' })),
    request,
  );
  if (request.remove) refuseText(request, target);
  const { source } = target;
  const { path, name } = source.module;
  root.checkWritable(path);
  refuseStale(new SeenFiles(context).view(path), { name, tag: symbolTextTag(target) }, source);
  const language = await index.language;
  const splices = request.remove ? removeSymbol(target) : replaceSymbol(target, bodyOf(request, target), language);
  const text = spliced(source.text, splices);
  const after = language.outline({ text, path });
  refuseLoss({ target, after, isRemoved: request.remove, mayLose: request.rename || request.remove });
  return { target, after: text, splices };
}

/** A new text for what is to be removed: one of the two is a mistake. */
function refuseText({ body = '' }: EditRequest, target: SymbolTarget): void {
  if (body.trim() === '') return;
  const address = addressOf(target);
  throw new EditError(
    `delete=true takes no text, and one was sent for ${symbolName(target.path)}: send one of the two. Nothing was changed.`,
    [`<E:${address} delete=true></E>`, `<E:${address}>…</E>`],
  );
}

function bodyOf({ body }: EditRequest, target: SymbolTarget): string {
  if (body !== undefined && body.trim() !== '') return body;
  const address = addressOf(target);
  throw new EditError(
    `the new text of ${symbolName(target.path)} is missing: send it between the tags, or add delete=true. Nothing was changed.`,
    [`<R:${address}>`, `<E:${address} delete=true></E>`],
  );
}

function symbolOf(target: Target, request: EditRequest): SymbolTarget {
  const { range } = request;
  if (target.kind === 'folder') {
    const { name } = target.folder;
    throw new EditError(`${name === '' ? 'the project' : name} is a folder; edit changes one symbol.`, [`<R:${name}>`]);
  }
  if (range !== undefined) throw wholeSymbol(target, range);
  if (target.kind === 'symbol') return target;
  const { module, outline } = target.source;
  const first = outline.symbols.find(({ kind }) => kind !== 'imports');
  throw new EditError(`${module.name} is a module; edit changes one symbol, write the whole.`, [
    first === undefined ? `<R:${module.name}>` : `<E:${module.name}.${first.name}>`,
    `<W:${module.name} overwrite=true>…</W>`,
  ]);
}

/** Lines are not edited by number here; what is said instead is which symbol they are in. */
function wholeSymbol(target: Exclude<Target, { kind: 'folder' }>, [first, last]: LineRange): EditError {
  const { source } = target;
  const lines = new TextLines(source.text);
  const at = lines.startOf(first) + (/^\s*/.exec(lines.all[first - 1] ?? '')?.[0].length ?? 0);
  const path = innermost(source.outline.symbols, at);
  const tag = `<R:${[source.module.name, ...path.map(({ name }) => name)].join('.')}>`;
  const range = renderRange(first, last ?? source.lines);
  const where = path.length === 0 ? 'are in no symbol' : `are in ${symbolName(path)}`;
  return new EditError(`edit replaces a whole symbol; lines ${range} of ${source.module.name} ${where}.`, [tag]);
}

function innermost(symbols: readonly SymbolOutline[], index: number): readonly SymbolOutline[] {
  const found = symbols.find(({ declarations }) =>
    declarations.some(({ start, end }) => start <= index && index < end),
  );
  return found === undefined ? [] : [found, ...innermost(found.members, index)];
}
