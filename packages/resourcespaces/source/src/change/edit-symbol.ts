import type { ToolContext, ToolOutput } from '@bae/core';
import { formatQuantity, EditError, refuseStale, SeenFiles, splitLines } from '@bae/workspace';
import { formatAddress, formatSymbolPath, type SymbolTarget } from '../address/target.ts';
import type { SymbolOutline } from '../language/outline.ts';
import { applyEdits, joinDeclarations, type TextEdit } from '../language/text-spans.ts';
import type { CodeBase } from '../modules/code-base.ts';
import { makeSymbolTextTag } from '../read/read-symbol.ts';
import type { HowToCheck } from './check-change.ts';
import { type EditTarget, resolveEditTarget } from './edit-target.ts';
import { makeChange, ModuleChange, renderShortDiff } from './module-change.ts';
import { refuseLoss } from './refuse-loss.ts';
import { removeSymbol, replaceSymbol } from './replace-symbol.ts';

/** The change of a symbol. */
export interface EditRequest extends EditTarget {
  /** Its new text. */
  readonly body?: string | undefined;
  /** True when the new text may have another name. */
  readonly rename: boolean;
  /** True to remove it. */
  readonly remove: boolean;
  /** Default: it is not checked. */
  readonly how?: HowToCheck;
}

/**
 * Replaces or removes one symbol, and nothing else in its module.
 *
 * @throws what planning it throws, and what the check of it throws; then nothing was changed
 */
export function editSymbol(base: CodeBase, request: EditRequest, context: ToolContext): Promise<ToolOutput> {
  return makeChange(base.root, () => planEdit(base, request, context), context);
}

/**
 * The diff of an edit, which is not made.
 *
 * @throws what planning it throws
 */
export async function previewEdit(base: CodeBase, request: EditRequest, context: ToolContext): Promise<string> {
  return (await planEdit(base, request, context)).preview();
}

/**
 * Plans an edit, and changes nothing.
 *
 * @throws ResourceError when nothing has the address; EditError when it is no symbol, or a name would be lost;
 *   ParseError when the new text is not well formed; ConflictError when the file is not what the session has read
 */
async function planEdit(base: CodeBase, request: EditRequest, context: ToolContext): Promise<ModuleChange> {
  const { root, index } = base;
  const { remove, how } = request;
  const target = await resolveEditTarget(base, request);
  if (remove) refuseText(request, target);
  const { text: before, module, hash } = target.source;
  const { path, name } = module;
  root.checkWritable(path);
  refuseStale(new SeenFiles(context).view(path), { name, tag: makeSymbolTextTag(target) }, target.source);
  const language = await index.language;
  const edits = remove ? removeSymbol(target) : replaceSymbol(target, requireBody(request, target), language);
  const text = applyEdits(before, edits);
  refuseLoss({
    target,
    after: language.outline({ text, path }),
    isRemoved: remove,
    mayLose: request.rename || remove,
  });
  const lines = countSymbolLines(target, edits);
  const done = sentence(target, lines, remove);
  const isSame = before === text;
  const catalog = await base.catalog();
  return new ModuleChange({
    root,
    path,
    files: isSame ? [] : [{ path, before, text, expected: hash, action: 'edit', lines }],
    how,
    nameOf: (file) => catalog.moduleAt(file)?.name ?? file,
    instead: `<R:${formatAddress(target)}>`,
    describe: () =>
      isSame
        ? { text: `${done}: it is so already, nothing was written` }
        : { text: `${done}\n${renderShortDiff(before, text)}`, hint: `${lines[0]} -> ${lines[1]} lines` },
  });
}

type LineCounts = readonly [before: number, after: number];

function sentence({ source, path }: SymbolTarget, [before, after]: LineCounts, isRemoved: boolean): string {
  const what = `${formatSymbolPath(path)} in ${source.module.name}`;
  return isRemoved
    ? `Deleted ${what} (${formatQuantity(before, 'line')})`
    : `Edited ${what} (${before} -> ${after} lines)`;
}

/** Lines of the symbol, before and after. */
function countSymbolLines({ source: { text }, path }: SymbolTarget, edits: readonly TextEdit[]): LineCounts {
  const { declarations } = path.at(-1) as SymbolOutline;
  const old = joinDeclarations(text, declarations).map(({ start, end }) => text.slice(start, end));
  return [countLines(old), countLines(edits.map((edit) => edit.text))];
}

function countLines(parts: readonly string[]): number {
  return parts.reduce((sum, part) => sum + splitLines(part).length, 0);
}

/** A removal with a new text: one of the two is a mistake. */
function refuseText({ body = '' }: EditRequest, target: SymbolTarget): void {
  if (body.trim() === '') return;
  const address = formatAddress(target);
  throw new EditError(
    `delete=true takes no text, and one was sent for ${formatSymbolPath(target.path)}: send one of the two. Nothing was changed.`,
    [`<E:${address} delete=true></E>`, `<E:${address}>…</E>`],
  );
}

function requireBody({ body }: EditRequest, target: SymbolTarget): string {
  if (body !== undefined && body.trim() !== '') return body;
  const address = formatAddress(target);
  throw new EditError(
    `the new text of ${formatSymbolPath(target.path)} is missing: send it between the tags, or add delete=true. Nothing was changed.`,
    [`<R:${address}>`, `<E:${address} delete=true></E>`],
  );
}
