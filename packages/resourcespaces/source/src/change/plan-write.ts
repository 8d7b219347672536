import { ResourceError, type ToolContext } from '@bae/core';
import { counted, EditError, refuseStale, SeenFiles, showPath } from '@bae/workspace';
import { refuseNotation } from '../address/refuse-notation.ts';
import { splitAddress } from '../address/split-address.ts';
import { complaint } from '../address/address-problem.ts';
import { ParseError } from '../errors.ts';
import type { Outline } from '../language/outline.ts';
import type { CodeCatalog } from '../modules/code-catalog.ts';
import type { SourceModule } from '../modules/code-module.ts';
import type { CodeBase } from '../modules/code-base.ts';
import { moduleTextTag } from '../read/read-symbol.ts';
import { isFileSuffix, newModulePath } from './new-module-path.ts';
import { refuseEnding } from './refuse-ending.ts';
import { planExport, type PlannedExport } from './plan-export.ts';

/** A module to write. */
export interface WriteRequest {
  readonly target: string;
  readonly content: string;
  /** True to replace a module that is there. */
  readonly overwrite: boolean;
  /** True to export what it exports from the index of its folder too. */
  readonly export: boolean;
  /** True when the content came as a block of lines: then its last line is ended too. */
  readonly block: boolean;
}

/** A write that is ready to be made, or to be shown to whoever decides about it. */
export interface PlannedWrite {
  readonly name: string;
  /** Below the root. */
  readonly path: string;
  /** What is there now. */
  readonly before: SourceModule | undefined;
  readonly text: string;
  readonly index?: PlannedExport;
}

/**
 * Works out what writing a module does, and changes nothing.
 *
 * @throws ResourceError when the module is there and must not be replaced, or the address cannot be one; ParseError
 *   when the text is not well formed; ConflictError when the session was shown the old one and it has changed since
 */
export async function planWrite(base: CodeBase, request: WriteRequest, context: ToolContext): Promise<PlannedWrite> {
  const { root, index } = base;
  const catalog = await base.catalog();
  const name = request.target.trim();
  await refuseNotation(base, { address: name, verb: 'write' });
  const known = catalog.module(name) ?? catalog.moduleMeant(name);
  if (known === undefined) {
    refuseEnding(name, catalog);
    refuseSymbol(name, catalog);
  }
  const before = known && (await index.load(known));
  if (before !== undefined && !request.overwrite) throw exists(before);
  const path = before?.module.path ?? newModulePath(name, catalog);
  root.checkWritable(path);
  if (before !== undefined)
    refuseStale(new SeenFiles(context).view(path), { name, tag: moduleTextTag(before) }, before);
  const text = textOf(request, before);
  const outline = (await index.language).outline({ text, path });
  refuseBroken(name, outline);
  const planned = { name: before?.module.name ?? name, path, before, text };
  return request.export ? { ...planned, index: await planExport(base, catalog, { ...planned, outline }) } : planned;
}

/** The line breaks and the byte order mark of what is replaced stay. */
function textOf({ content, block }: WriteRequest, before: SourceModule | undefined): string {
  const ended = !block || content === '' || content.endsWith('\n') ? content : `${content}\n`;
  if (before === undefined) return ended;
  const mark = before.text.startsWith('\uFEFF') && !ended.startsWith('\uFEFF') ? '\uFEFF' : '';
  const isCrlf = /\r\n/.test(before.text) && !/[^\r]\n/.test(before.text);
  return mark + (isCrlf ? ended.replaceAll(/\r?\n/g, '\r\n') : ended);
}

function exists({ module: { name }, lines }: SourceModule): ResourceError {
  return new ResourceError(`${name} exists (${counted(lines, 'line')}). Use edit, or overwrite=true.`, [
    `<R:${name}>`,
    `<W:${name} overwrite=true>`,
  ]);
}

function refuseBroken(name: string, { problem }: Outline): void {
  if (problem === undefined) return;
  const { line, column, message } = problem;
  throw new ParseError(
    `the text of ${name} does not parse: line ${line}, column ${column}: ${message}. Nothing was written.`,
    [`<W:${name}>`],
  );
}

/** A name behind a module is no module: where a symbol is to be added, its neighbour is edited. */
function refuseSymbol(name: string, catalog: CodeCatalog): void {
  if (name === '') {
    const fact = 'the name of the module is missing';
    throw new ResourceError(complaint({ address: name, verb: 'write' }, fact, { expected: 'a module' }), ['<R:>']);
  }
  if (!/^[^#[\]=]+$/.test(name)) {
    throw new EditError(`'${showPath(name)}' is no name of a module. Use letters, digits and hyphens.`, ['<R:>']);
  }
  const [split] = splitAddress(name, catalog);
  if (
    split === undefined ||
    isFileSuffix(split.rest) ||
    split.module.isIndex ||
    catalog.folder(split.module.name) !== undefined
  )
    return;
  const owner = split.module.name;
  const fact = `${owner} is a module, and write makes whole modules`;
  const remedy = `To add ${split.rest} to it, edit a symbol beside it and send both.`;
  throw new ResourceError(complaint({ address: name, verb: 'write' }, fact, { expected: 'a new module', remedy }), [
    `<R:${owner}>`,
  ]);
}
