import type { ToolContext } from '@bae/core';
import { formatQuantity, splitLines } from '@bae/workspace';
import { isComponent, type Span } from '../language/outline.ts';
import type { CodeModule } from '../modules/code-catalog.ts';
import type { CodeBase } from '../modules/module-index.ts';
import { findOccurrences, makeMentionPatterns, makeWordPattern } from '../type-service/identifier-name.ts';
import { limitRows } from './module-change.ts';

/** Maximum number of listed lines that still mention an old name, and the maximum length of one in characters. */
const MOST = 10;
const LONGEST = 80;
const isDocument = (path: string) => /\.(?:mdx?|txt|rst|adoc|html?)$/i.test(path);

interface RenamedModules {
  readonly name: string;
  readonly newName: string;
  readonly modules: readonly { readonly module: CodeModule; readonly after: string }[];
  /** Lines that are listed already: `queue:12`. */
  readonly listed?: ReadonlySet<string>;
}

type MentionContext = Pick<ToolContext, 'tag' | 'signal'>;

/** A line that mentions the name, and the call that shows or edits it. */
interface Mention {
  readonly where: string;
  readonly text: string;
  readonly kind: 'code' | 'strings' | 'comments' | 'documents';
  readonly call: string;
}

/** Lists mentions of the old name that remain in comments, texts and documents, with tags that show the lines. */
export async function listLeftMentions(
  { root, index }: CodeBase,
  { name, newName, modules, listed }: RenamedModules,
  { tag, signal }: MentionContext,
): Promise<readonly string[]> {
  const { mention, code } = makeMentionPatterns(name);
  // A short line is edited by its whole text, if that is in the module once and needs no quoting.
  const makeEditCall = ({ module, after }: RenamedModules['modules'][number], line: string): string | undefined => {
    if (line.length > LONGEST || /["\\<>]/.test(line) || after.split(line).length !== 2) return undefined;
    const renamed = line.replaceAll(new RegExp(code, 'g'), () => newName);
    return renamed === line ? undefined : `E:${module.name} old="${line}" new="${renamed}"`;
  };
  const inModules = (
    await Promise.all(
      modules.map(async ({ module, after }) => {
        const reader = await index.languages.readerOf(module.path);
        const { literals } = reader.parse({ text: after, path: module.path }, 'module');
        let start = 0;
        return splitLines(after).flatMap((text, index): Mention[] => {
          const where = `${module.name}:${index + 1}`;
          const at = start;
          start += text.length;
          if (!mention.test(text) || listed?.has(where) === true) return [];
          const kind = classifyMention(text, { at, name, literals });
          return [{ where, text, kind, call: makeEditCall({ module, after }, text.trim()) ?? `R:${where}` }];
        });
      }),
    )
  ).flat();
  const word = makeWordPattern(name);
  const { rows } = await root.grep({ pattern: word, isOwn: true, only: isDocument, limit: Infinity, signal });
  const inDocuments = rows
    .filter(({ text }) => mention.test(text))
    .map(({ path, line, text }): Mention => {
      return { where: `${path}:${line}`, text, kind: 'documents', call: `home.R:${path}:${line}` };
    });
  const all = [...inModules, ...inDocuments];
  if (all.length === 0) return [];
  const rankOf = ({ text, kind }: Mention): number => (kind === 'code' ? 0 : code.test(text) ? 1 : 2);
  const sorted = all.toSorted((a, b) => rankOf(a) - rankOf(b));
  const counts = KINDS.flatMap(([kind, what]) => {
    const count = all.filter((one) => one.kind === kind).length;
    return count === 0 ? [] : [`${count} ${what}`];
  });
  const head = `${name} still occurs in ${formatQuantity(all.length, 'line')}, not changed: ${counts.join(', ')}`;
  return [head, ...renderMentionRows(sorted, tag(`<home.Grep:${word}>`), tag)];
}

/** What the lines are called that mention an old name. */
const KINDS: readonly (readonly [Mention['kind'], string])[] = [
  ['code', 'in code (something else with this name, or a use whose type is unknown)'],
  ['strings', 'in strings (text, or keys)'],
  ['comments', 'in comments'],
  ['documents', 'in documents'],
];

/** Tells where a line of code mentions a name: in code, else in a string, else in a comment. */
function classifyMention(
  text: string,
  { at, name, literals }: { readonly at: number; readonly name: string; readonly literals: readonly Span[] },
): Mention['kind'] {
  const isInString = (offset: number): boolean => literals.some(({ start, end }) => start <= offset && offset < end);
  const classify = (column: number): Mention['kind'] => {
    if (isInString(at + column)) return 'strings';
    const marks = text.slice(0, column).matchAll(/^\s*(?:\*|#|<!--)|\/[/*]/g);
    return [...marks].some(({ index }) => !isInString(at + index)) ? 'comments' : 'code';
  };
  const found = new Set(findOccurrences(name, text).map(classify));
  return KINDS.find(([kind]) => found.has(kind))?.[0] ?? 'comments';
}

/** Lists mentions of the old name in components that were not changed: the compiler does not read their templates. */
export async function listComponentMentions(
  base: CodeBase,
  { name, known }: Pick<RenamedModules, 'name'> & { readonly known: readonly CodeModule[] },
  { tag, signal }: MentionContext,
): Promise<readonly string[]> {
  const others = (await base.catalog()).modules.filter((one) => isComponent(one.path) && !known.includes(one));
  const word = makeWordPattern(name);
  const { groups } = await base.grep(others, { pattern: word, limit: Number.MAX_SAFE_INTEGER, signal });
  const { code } = makeMentionPatterns(name);
  const all = [...groups].flatMap(([module, rows]) =>
    rows.flatMap(({ line, text }): Mention[] => {
      const where = `${module.name}:${line}`;
      return code.test(text) ? [{ where, text, kind: 'code', call: `R:${where}` }] : [];
    }),
  );
  if (all.length === 0) return [];
  const head = `${name} may be used in ${formatQuantity(all.length, 'line')} of components, not changed:`;
  return [head, ...renderMentionRows(all, tag(`<home.Grep:${word} path=**/*.{vue,svelte}>`), tag)];
}

function renderMentionRows(all: readonly Mention[], rest: string, tag: MentionContext['tag']): readonly string[] {
  const lines = all.map(({ where, text, call }) => `  ${where}: ${text.trim().slice(0, LONGEST)}  ${tag(`<${call}>`)}`);
  return limitRows(lines, MOST, rest);
}
