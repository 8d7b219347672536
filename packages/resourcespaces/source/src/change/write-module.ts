import { ResourceError, type ToolContext, type ToolOutput } from '@bae/core';
import { formatQuantity, refuseStale, SeenFiles, splitLines } from '@bae/workspace';
import { refuseNotation } from '../address/refuse-notation.ts';
import { ParseError } from '../errors.ts';
import type { SourceModule } from '../modules/code-module.ts';
import type { CodeBase } from '../modules/code-base.ts';
import { makeModuleTextTag } from '../read/read-symbol.ts';
import type { HowToCheck } from './check-change.ts';
import { makeChange, ModuleChange } from './module-change.ts';
import { chooseModulePath, refuseModuleName } from './new-module.ts';
import { planExport } from './plan-export.ts';

/** A module to write. */
export interface WriteRequest {
  readonly target: string;
  readonly content: string;
  /** True to replace a module that exists. */
  readonly overwrite: boolean;
  /** True to export what it exports from the index of its folder too. */
  readonly export: boolean;
  /** True when the content came as a block of lines: then its last line is ended too. */
  readonly block: boolean;
  /** Default: it is not checked. */
  readonly how?: HowToCheck;
}

/**
 * Writes a whole module: a new one, or in place of the old one.
 *
 * @throws what planning it throws, and what the check of it throws; then nothing was changed
 */
export function writeModule(base: CodeBase, request: WriteRequest, context: ToolContext): Promise<ToolOutput> {
  return makeChange(base.root, () => planWrite(base, request, context), context);
}

/**
 * The diff of writing a module, which is not written.
 *
 * @throws what planning it throws
 */
export async function previewWrite(base: CodeBase, request: WriteRequest, context: ToolContext): Promise<string> {
  return (await planWrite(base, request, context)).preview();
}

/**
 * Plans to write a module, and changes nothing.
 *
 * @throws ResourceError when the module exists and must not be replaced, or the address cannot be one; ParseError when
 *   the text is not well formed; ConflictError when the session has read the old one and it has changed since
 */
export async function planWrite(base: CodeBase, request: WriteRequest, context: ToolContext): Promise<ModuleChange> {
  const { root, index } = base;
  const catalog = await base.catalog();
  const address = request.target.trim();
  await refuseNotation(base, { address, verb: 'write' });
  const known = catalog.module(address) ?? catalog.moduleMeant(address);
  if (known === undefined) refuseModuleName(address, catalog);
  const before = known && (await index.load(known));
  if (before !== undefined && !request.overwrite) throw existsError(before);
  const path = before?.module.path ?? chooseModulePath(address, catalog);
  root.checkWritable(path);
  if (before !== undefined) {
    refuseStale(new SeenFiles(context).view(path), { name: address, tag: makeModuleTextTag(before) }, before);
  }
  const text = completeText(request, before);
  const outline = (await index.language).outline({ text, path });
  if (outline.problem !== undefined) {
    const { line, column, message } = outline.problem;
    throw new ParseError(
      `the text of ${address} does not parse: line ${line}, column ${column}: ${message}. Nothing was written.`,
      [`<W:${address}>`],
    );
  }
  const name = before?.module.name ?? address;
  const exported = request.export ? await planExport(base, catalog, { name, path, outline }) : undefined;
  const lines = splitLines(text).length;
  const done =
    before === undefined
      ? `Created module ${name} (${formatQuantity(lines, 'line')})`
      : `Replaced module ${name} (${before.lines} -> ${lines} lines)`;
  const module = { path, before: before?.text, text, expected: before?.hash ?? null };
  return new ModuleChange({
    root,
    path,
    files: exported === undefined ? [module] : [module, exported.file],
    how: request.how,
    nameOf: (file) => (file === path ? name : (catalog.moduleAt(file)?.name ?? file)),
    instead: before === undefined ? `<W:${name}>` : `<R:${name}>`,
    describe: () => ({
      text: exported === undefined ? done : `${done}\n${exported.done}`,
      hint: formatQuantity(lines, 'line'),
    }),
  });
}

/** The line breaks and the byte order mark of the old module stay. */
function completeText({ content, block }: WriteRequest, before: SourceModule | undefined): string {
  const ended = !block || content === '' || content.endsWith('\n') ? content : `${content}\n`;
  if (before === undefined) return ended;
  const mark = before.text.startsWith('\uFEFF') && !ended.startsWith('\uFEFF') ? '\uFEFF' : '';
  const isCrlf = /\r\n/.test(before.text) && !/[^\r]\n/.test(before.text);
  return mark + (isCrlf ? ended.replaceAll(/\r?\n/g, '\r\n') : ended);
}

function existsError({ module: { name }, lines }: SourceModule): ResourceError {
  return new ResourceError(`${name} exists (${formatQuantity(lines, 'line')}). Use edit, or overwrite=true.`, [
    `<R:${name}>`,
    `<W:${name} overwrite=true>`,
  ]);
}
