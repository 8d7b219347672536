import type { ToolContext, ToolOutput } from '@bae/core';
import { counted } from '@bae/workspace';
import { addressOf, symbolName } from '../address/target.ts';
import type { CodeBase } from '../modules/code-base.ts';
import type { CodeModule } from '../modules/code-module.ts';
import type { Reference } from '../type-service/find-references.ts';
import { answerAboutTypes, type ModuleTypes, symbolOffset } from '../module-types/module-types.ts';
import { renderModuleRows, rowsForCode } from './module-rows.ts';
import { otherMentions } from './other-mentions.ts';
import { resolveSymbol } from './resolve-symbol.ts';
import { pageTag } from '../read/page-tag.ts';

/** What to look for. */
export interface ReferencesRequest {
  readonly target: string;
  /** 1-based. */
  readonly page: number;
}

/**
 * The lines of modules that use a symbol, its declaration left out. Code gets a row for each use, `module:12: text`, and
 * `''` when there is none: as many rows as there are references.
 *
 * @throws ResourceError when nothing has the address, it is no symbol, or there can be no answer
 */
export async function listReferences(
  base: CodeBase,
  types: ModuleTypes,
  { request, context }: { readonly request: ReferencesRequest; readonly context: ToolContext },
): Promise<ToolOutput> {
  const target = await resolveSymbol(base, { address: request.target, verb: 'references' });
  const { source, path } = target;
  const place = { file: types.files.fileOf(source.module.path), offset: symbolOffset(target) };
  const { signal } = context;
  const answer = types.ask((service) => service.references(place, signal), signal);
  const found = await answerAboutTypes(answer, `<Grep:${symbolName(path.slice(-1))}>`);
  const groups = await usesByModule(base, types, found);
  const total = groups.reduce((sum, [, rows]) => sum + rows.length, 0);
  const known = new Set([source.module.path, ...groups.map(([module]) => module.path)]);
  const remarks = await otherMentions(base, { target, known }, signal);
  const count = total === 0 ? 'no references' : counted(total, 'reference');
  const where = total === 0 ? 'the project' : counted(groups.length, 'module');
  const head = [`${symbolName(path)} in ${source.module.name}: ${count} in ${where}`, ...remarks];
  const lines = groups.map(([{ name }, rows]) => ({ module: name, lines: linesOf(rows) }));
  const pages = pageTag(`references:${addressOf(target)}`, context);
  const text = renderModuleRows({ head, groups: lines, page: request.page, tagOf: pages });
  const output = { text, format: 'plain', rows: total, paged: true } as const;
  if (request.page > 1) return output;
  const uses = groups.map(([{ name }, rows]) => ({
    module: name,
    lines: rows.map((use) => `${use.line}: ${use.text}`),
  }));
  return { ...output, whole: () => rowsForCode(uses).join('\n') };
}

async function usesByModule(
  base: CodeBase,
  { files }: ModuleTypes,
  found: readonly Reference[],
): Promise<readonly (readonly [module: CodeModule, uses: readonly Reference[]])[]> {
  const catalog = await base.catalog();
  const uses = found.filter(({ isDefinition }) => !isDefinition);
  const groups = Map.groupBy(uses, ({ file }) => catalog.moduleAt(files.pathOf(file)));
  // What is installed or built is no module.
  return [...groups].flatMap(([module, rows]) => (module === undefined ? [] : [[module, rows] as const]));
}

/** A line that has several is shown once. */
function linesOf(rows: readonly Reference[]): readonly string[] {
  const byLine = Map.groupBy(rows, ({ line }) => line);
  return [...byLine].map(([line, [first, ...others]]) => {
    const times = others.length === 0 ? '' : ` (${others.length + 1} times)`;
    return `${line}: ${first?.text ?? ''}${times}`;
  });
}
