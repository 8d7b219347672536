import { ResourceError, type ToolContext } from '@bae/core';
import { EditError, formatQuantity, refuseStale, SeenFiles, splitLines } from '@bae/workspace';
import { refuseNotation } from '../address/refuse-notation.ts';
import { ParseError } from '../errors.ts';
import { isJavaScript, type Outline, type SymbolOutline } from '../language/outline.ts';
import type { SourceModule } from '../modules/code-module.ts';
import type { CodeBase } from '../modules/code-base.ts';
import type { ArgsOf } from '../params.ts';
import { makeModuleTextTag } from '../read/read-symbol.ts';
import { isIdentifier } from '../type-service/identifier-name.ts';
import type { CheckChange } from './check-change.ts';
import { type ModuleChange, planModules } from './module-change.ts';
import { chooseModulePath, refuseModuleName } from './new-module.ts';

/** A module to write, by the arguments of its tool. */
interface WriteRequest extends Omit<ArgsOf<'write'>, 'test'> {
  /** Default: it is not checked. */
  readonly check?: CheckChange;
}

/** The file that a write creates or replaces, below the root and without links. */
export async function findWrittenPath(base: CodeBase, target: string, context: ToolContext): Promise<string> {
  const { path } = await locateModule(base, target, context);
  return (await base.root.info(path)).path;
}

async function locateModule(base: CodeBase, target: string, { definition }: ToolContext) {
  const address = target.trim();
  const use = { address, definition };
  await refuseNotation(base, use);
  const catalog = await base.catalog();
  const known = catalog.findModule(address);
  if (known === undefined) refuseModuleName(use, catalog);
  return { address, catalog, known, path: known?.path ?? chooseModulePath(use, catalog) };
}

/**
 * Plans to write a whole module: a new one, or in place of the old one.
 *
 * @throws ResourceError when the module exists and must not be replaced, or the address cannot be one; ParseError when
 *   the text is not well formed; ConflictError when the session has read the old one and it has changed since
 */
export async function planWrite(base: CodeBase, request: WriteRequest, context: ToolContext): Promise<ModuleChange> {
  const { root, index } = base;
  const { check, strict } = request;
  const { address, catalog, known, path } = await locateModule(base, request.target, context);
  const before = known && (await index.load(known));
  if (before !== undefined && !request.overwrite) throw createExistsError(before);
  if (before !== undefined) {
    refuseStale(new SeenFiles(context).view(path), { name: address, tag: makeModuleTextTag(before) }, before);
  }
  const text = completeText(request.content, context, before);
  const outline = (await index.language).outline({ text, path });
  if (outline.problem !== undefined) {
    const { line, column, message } = outline.problem;
    throw new ParseError(
      `the text of ${address} does not parse: line ${line}, column ${column}: ${message}. Nothing was written.`,
      [`<W:${address}>`],
    );
  }
  const name = before?.module.name ?? address;
  const exported = request.export ? await planExport(base, { name, path }, outline) : undefined;
  const lines = splitLines(text).length;
  const done =
    before === undefined
      ? `Created module ${name} (${formatQuantity(lines, 'line')})`
      : `Replaced module ${name} (${before.lines} -> ${lines} lines)`;
  const module = { path, before: before?.text, text, expected: before?.hash ?? null };
  return planModules({
    root,
    files: exported === undefined ? [module] : [module, exported.file],
    how: check && {
      check,
      strict,
      nameOf: (file) => (file === path ? name : (catalog.moduleAt(file)?.name ?? file)),
      instead: before === undefined ? `<W:${name}>` : `<R:${name}>`,
    },
    output: {
      text: exported === undefined ? done : `${done}\n${exported.done}`,
      hint: formatQuantity(lines, 'line'),
    },
  });
}

/** The line breaks and the byte order mark of the old module stay. */
function completeText(content: string, { block }: ToolContext, before: SourceModule | undefined): string {
  const ended = !block || content === '' || content.endsWith('\n') ? content : `${content}\n`;
  if (before === undefined) return ended;
  const mark = before.text.startsWith('\uFEFF') && !ended.startsWith('\uFEFF') ? '\uFEFF' : '';
  const isCrlf = /\r\n/.test(before.text) && !/[^\r]\n/.test(before.text);
  return mark + (isCrlf ? ended.replaceAll(/\r?\n/g, '\r\n') : ended);
}

function createExistsError({ module: { name }, lines }: SourceModule): ResourceError {
  return new ResourceError(`${name} exists (${formatQuantity(lines, 'line')}). Use edit, or overwrite=true.`, [
    `<R:${name}>`,
    `<W:${name} overwrite=true>`,
  ]);
}

/** Plans the line that exports a new module from the index of its folder, in the style of the other lines. */
async function planExport(base: CodeBase, module: { readonly name: string; readonly path: string }, outline: Outline) {
  const folder = module.path.slice(0, module.path.lastIndexOf('/') + 1);
  const found = (await base.catalog()).modules.find(
    ({ path }) => path.startsWith(`${folder}index.`) && !path.slice(folder.length).includes('/'),
  );
  if (found === undefined || found.path === module.path) {
    throw new EditError(`there is no index beside ${module.name} that could export it. Leave out export=true.`, [
      `<W:${module.name}>`,
    ]);
  }
  const source = await base.index.load(found);
  const names = listSpecifiers(outline, found.path);
  if (names.length === 0)
    throw new EditError(`${module.name} exports nothing by name. Leave out export=true.`, [`<W:${module.name}>`]);
  const [quote, ending] = detectStyle(source.text);
  const beside = module.path.slice(folder.length);
  const specifier = `./${ending === undefined ? beside : beside.replace(/\.[^.]+$/, ending)}`;
  const line = `export { ${names.join(', ')} } from ${quote}${specifier}${quote};`;
  const lineBreak = source.text.includes('\r\n') ? '\r\n' : '\n';
  const gap = source.text === '' || source.text.endsWith('\n') ? '' : lineBreak;
  const text = `${source.text}${gap}${line}${lineBreak}`;
  const file = {
    path: found.path,
    before: source.text,
    text,
    expected: source.hash,
    action: 'edit',
    lines: [0, 1],
  } as const;
  return { file, done: `Exported it from ${found.name}: ${line}` };
}

/** The specifiers that an index exports. An index in JavaScript cannot re-export types, which are comments there. */
function listSpecifiers({ symbols }: Outline, index: string): readonly string[] {
  return symbols
    .filter(({ exported, name }) => exported && isIdentifier(name) && name !== 'default')
    .filter((symbol) => !isType(symbol) || !isJavaScript(index))
    .map((symbol) => (isType(symbol) ? `type ${symbol.name}` : symbol.name));
}

function isType({ kind }: SymbolOutline): boolean {
  return kind === 'interface' || kind === 'type';
}

/** Quotation mark and ending of the specifiers in an index; no ending when it has no specifiers. */
function detectStyle(text: string): readonly [quote: string, ending: string | undefined] {
  const found = /from\s+(['"])\.[^'"]*?(\.[cm]?[jt]sx?)?\1/.exec(text);
  return [found?.[1] ?? "'", found === null ? undefined : (found[2] ?? '')];
}
