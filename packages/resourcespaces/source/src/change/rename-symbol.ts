import { ConflictError, type ToolContext } from '@bae/core';
import { EditError, escapePattern, formatQuantity, splitLines } from '@bae/workspace';
import { listFirst, resolveSymbol } from '../address/resolve-address.ts';
import { formatAddress, formatSymbolPath, type SymbolTarget } from '../address/target.ts';
import { applyEdits } from '../language/outline.ts';
import type { CodeBase } from '../modules/module-index.ts';
import type { CodeCatalog, CodeModule } from '../modules/code-catalog.ts';
import type { ArgsOf } from '../params.ts';
import { makeModuleTextTag } from '../read/read-symbol.ts';
import { listOtherMentions } from '../type-queries/list-references.ts';
import { findSymbolOffset, queryTypes, renderTypeError } from '../type-queries/query-types.ts';
import { planSymbolRename, type RenamePlan } from '../type-service/plan-rename.ts';
import type { TypeService } from '../type-service/type-service.ts';
import { limitRows, type ModuleChange, planModules, refuseStaleModule } from './module-change.ts';

interface Renaming {
  readonly types: TypeService;
  readonly request: ArgsOf<'rename'>;
  readonly context: ToolContext;
}

const MOST = 5;
const MOST_MODULES = 20;
/** Maximum number of listed lines that still mention an old name, and the maximum length of one in characters. */
const MOST_LEFT = 10;
const LONGEST_LEFT = 80;
const isDocument = (path: string) => /\.(?:mdx?|txt|rst|adoc|html?)$/i.test(path);

/**
 * Plans to rename a symbol and all its uses, in all modules or in none.
 *
 * @throws ResourceError when nothing has the address, or types cannot be queried; EditError when the rename is refused;
 *   ConflictError when a module changed since the session was shown it, or while the rename was planned
 */
export async function planRename(base: CodeBase, renaming: Renaming): Promise<ModuleChange> {
  const { types, request, context } = renaming;
  const { signal, definition, tag } = context;
  const target = await resolveSymbol(base, { address: request.target, definition });
  const place = { file: types.files.fileOf(target.source.module.path), offset: findSymbolOffset(target) };
  const newName = request.to.trim();
  const edits = types.run((all) => planSymbolRename(all, { ...place, newName }), signal);
  const plan = await queryTypes(edits, `<references:${formatAddress(target)}>`);
  const catalog = await base.catalog();
  if (plan.type !== 'edits') throw createRefusal(plan, { target, newName }, catalog);
  const modules = await Promise.all(
    plan.files.map(async ({ file, edits }) => {
      const module = catalog.moduleOf(file);
      if (module === undefined) {
        const path = types.files.pathOf(file);
        throw new EditError(`the uses in ${path} are in no module. Nothing was changed.`, ['<R:>']);
      }
      const source = await base.index.load(module);
      const { text, hash } = source;
      refuseStaleModule({ source, path: [] }, context);
      if (!edits.every(({ start, end }) => text.slice(start, end) === plan.oldName)) {
        const fact = `${module.name} changed while ${plan.oldName} was looked for. Nothing was changed.`;
        throw new ConflictError(fact, [makeModuleTextTag(source)]);
      }
      return { module, before: text, after: applyEdits(text, edits), expected: hash, places: edits.length };
    }),
  );
  const known = new Set(modules.map(({ module }) => module.path));
  const places = modules.reduce((sum, one) => sum + one.places, 0);
  const rows = modules.map(({ module, places }) => `  ${module.name} (${places})`);
  const unchecked = plan.unchecked.map((file) => catalog.moduleOf(file)?.name ?? file);
  const count = formatQuantity(modules.length, 'module');
  const what = `${formatSymbolPath(target.path)} in ${target.source.module.name} to ${newName}`;
  const lines = [
    `Renamed ${what}: ${formatQuantity(places, 'place')} in ${count}`,
    ...limitRows(rows, MOST_MODULES),
    ...(unchecked.length === 0 ? [] : [`can be checked when it is built again: ${unchecked.join(', ')}`]),
    ...(await listOtherMentions(base, { target, known }, signal)),
    ...(await listLeftMentions(base, { name: plan.oldName, newName, modules }, context)),
    `Undo it with ${tag('<undo:>')}`,
  ];
  return planModules({
    base,
    files: modules.map(({ module: { path }, places, ...draft }) => {
      return { ...draft, path, action: 'rename', lines: [places, places] };
    }),
    how: { strict: false, instead: `<references:${formatAddress(target)}>`, always: true },
    output: { text: lines.join('\n'), format: 'plain', rows: modules.length, hint: count },
  });
}

interface RenamedModules {
  readonly name: string;
  readonly newName: string;
  readonly modules: readonly { readonly module: CodeModule; readonly after: string }[];
}

/** Lists mentions of the old name that remain in comments, texts and documents, with tags that show the lines. */
async function listLeftMentions(
  { root }: CodeBase,
  { name, newName, modules }: RenamedModules,
  { tag, signal }: Pick<ToolContext, 'tag' | 'signal'>,
): Promise<readonly string[]> {
  const { mention, code } = makeMentionPatterns(name);
  // A short line is edited by its whole text, if that is in the module once and needs no quoting.
  const makeEditCall = ({ module, after }: RenamedModules['modules'][number], line: string): string | undefined => {
    if (line.length > LONGEST_LEFT || /["\\<>]/.test(line) || after.split(line).length !== 2) return undefined;
    const renamed = line.replaceAll(new RegExp(code, 'g'), () => newName);
    return renamed === line ? undefined : `E:${module.name} old="${line}" new="${renamed}"`;
  };
  const inModules = modules.flatMap(({ module, after }) =>
    splitLines(after).flatMap((text, index) => {
      const where = `${module.name}:${index + 1}`;
      return mention.test(text)
        ? [{ where, text, call: makeEditCall({ module, after }, text.trim()) ?? `R:${where}` }]
        : [];
    }),
  );
  const word = makeWordPattern(name);
  const { rows } = await root.grep({ pattern: word, only: isDocument, limit: Number.MAX_SAFE_INTEGER, signal });
  const inDocuments = rows
    .filter(({ text }) => mention.test(text))
    .map(({ path, line, text }) => ({ where: `${path}:${line}`, text, call: `home.R:${path}:${line}` }));
  const all = [...inModules, ...inDocuments];
  if (all.length === 0) return [];
  const isCode = ({ text }: (typeof all)[number]): boolean => code.test(text);
  const lines = [...all.filter(isCode), ...all.filter((one) => !isCode(one))].map(({ where, text, call }) => {
    return `  ${where}: ${text.trim().slice(0, LONGEST_LEFT)}  ${tag(`<${call}>`)}`;
  });
  const what = all.length === 1 ? 'which is not a use and was' : 'which are not uses and were';
  const head = `${name} still occurs in ${formatQuantity(all.length, 'line')}, ${what} not changed:`;
  return [head, ...limitRows(lines, MOST_LEFT, tag(`<home.Grep:${word}>`))];
}

/** Returns the pattern of a whole name. */
function makeWordPattern(name: string): string {
  return /^\w+$/.test(name) ? String.raw`\b${name}\b` : escapePattern(name);
}

/**
 * Returns the patterns of a mention of a name, and of one that certainly is the name. A name that may be a word of prose
 * is that only where it is written as code: called, quoted, or behind a dot. Paths mention nothing.
 */
function makeMentionPatterns(name: string): { readonly mention: RegExp; readonly code: RegExp } {
  const escaped = escapePattern(name);
  const end = String.raw`(?![\w$]|\.[cm]?[jt]sx?\b)`;
  const mention = new RegExp(String.raw`(?<![\w$#/])${escaped}${end}`);
  if (!/^[a-z]+$/.test(name)) return { mention, code: mention };
  const forms = [
    String.raw`(?<=[\w$)\]][.#])${escaped}${end}`,
    String.raw`(?<![\w$#./-])${escaped}(?=\()`,
    `(?<=[\`'"])${escaped}(?=[\`'"])`,
  ];
  return { mention, code: new RegExp(forms.join('|')) };
}

function createRefusal(
  plan: Exclude<RenamePlan, { readonly type: 'edits' }>,
  { target, newName }: { readonly target: SymbolTarget; readonly newName: string },
  catalog: CodeCatalog,
): EditError {
  const nameOf = (file: string) => catalog.moduleOf(file)?.name ?? 'a file that is not a module';
  const fact = `${formatSymbolPath(target.path)} in ${target.source.module.name} was not renamed`;
  const tags = [`<references:${formatAddress(target)}>`];
  if (plan.type === 'breaking' && plan.introduced.length > 0) {
    const rows = plan.introduced.map((one) => `  ${nameOf(one.file)}:${one.line}: ${renderTypeError(one, catalog)}`);
    const count = formatQuantity(rows.length, 'new type error');
    return new EditError([`${fact}; it would bring ${count}:`, ...limitRows(rows, MOST)].join('\n'), tags);
  }
  const cause =
    plan.type === 'refused'
      ? plan.reason
      : `${newName} already means something else in ${listFirst(plan.captured.map(nameOf), MOST)}`;
  return new EditError(`${fact}: ${cause}. Nothing was changed.`, tags);
}
