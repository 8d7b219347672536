import { BaeError, type Change, type ToolContext, type ToolOutput } from '@bae/core';
import {
  EditError,
  formatQuantity,
  type LinePatch,
  refuseStale,
  renderUnifiedDiff,
  describeMoves,
  SeenFiles,
  splitLines,
  undoChanges,
  renderRange,
} from '@bae/workspace';
import { type CodeTarget, makeFileWords } from '../address/target.ts';
import { ParseError } from '../errors.ts';
import type { Outline, SyntaxProblem } from '../language/outline.ts';
import type { SourceModule } from '../modules/code-catalog.ts';
import { type ChangeVerdict, CodeBase, type ProposedChange } from '../modules/module-index.ts';
import { makeTextTag } from '../read/read-symbol.ts';
import { findTests } from '../tests/find-tests.ts';
import { hasFailed, renderFailures, renderTotals } from '../tests/render-results.ts';
import { runTests } from '../tests/run-tests.ts';

/** Options for the type check before a change is made. */
interface ChangeCheck {
  /** True to refuse a change that introduces problems. */
  readonly strict: boolean;
  /** A tag to try when the change is refused. */
  readonly instead: string;
  /** True to report even when there are no problems or nothing was checked. Default: false. */
  readonly always?: boolean;
  /** The renaming that the change makes. */
  readonly renamed?: { readonly from: string; readonly to: string };
}

const MOST = 5;
/** Maximum number of problems that are listed of a change that is not made: no tag shows them afterwards. */
export const MOST_REFUSED = 20;

/** Reports the problems that a change introduces, with its modules by name; empty when there are none. */
export function reportProblems(
  verdict: ChangeVerdict,
  { strict, instead, always = false }: ChangeCheck,
  { nameOf, tag }: { readonly nameOf: (path: string) => string; readonly tag: ToolContext['tag'] },
): readonly string[] {
  if (verdict.type !== 'checked') {
    const isUntyped = verdict.type === 'untyped';
    const reason = isUntyped ? 'no tsconfig includes this module' : verdict.reason;
    if (!strict) return isUntyped && !always ? [] : [`types were not checked: ${reason}`];
    const fact = `types could not be checked, and strict=true asks for it: ${reason}.`;
    throw new EditError(`${fact} Nothing was changed. Without strict it is changed unchecked.`, [instead]);
  }
  const { problems, kept, unchecked, version } = verdict;
  const were = unchecked === 1 ? ' was' : 's were';
  const rowsOf = (some: typeof problems, most = MOST, rest?: string) =>
    limitRows(
      some.map(({ path, line, message }) => `  ${nameOf(path)}:${line}: ${message}`),
      most,
      rest,
    );
  const stay = `${formatQuantity(kept.length, 'type error')} from before ${kept.length === 1 ? 'is' : 'are'}`;
  const missed = [
    ...(kept.length === 0 ? [] : [`${stay} still in the changed lines:`, ...rowsOf(kept)]),
    ...(unchecked === 0 ? [] : [`${unchecked} other module${were} not checked: no time`]),
  ];
  if (problems.length === 0) return always ? [`no new type errors with TypeScript ${version}`, ...missed] : missed;
  const count = `${formatQuantity(problems.length, 'type error')}${always ? ` with TypeScript ${version}` : ''}`;
  if (strict) {
    const rows = rowsOf(problems, MOST_REFUSED);
    throw new EditError([`it would introduce ${count}; nothing was changed:`, ...rows].join('\n'), [instead]);
  }
  return [
    `introduced ${count}:`,
    ...rowsOf(problems, MOST, tag('<diagnostics:>')),
    ...missed,
    `Try: ${tag('<undo:>')}`,
  ];
}

/** Returns the first rows of a list, and the number of the others, with the tag that shows them if there is one. */
export function limitRows(rows: readonly string[], most: number, tag?: string): readonly string[] {
  if (rows.length <= most) return rows;
  return [...rows.slice(0, most), `  … ${rows.length - most} more${tag === undefined ? '' : `: ${tag}`}`];
}

interface ModuleDraft extends ProposedChange {
  /** Default: the name of the module at the path. */
  readonly name?: string;
  /** SHA-256 of the current file; null when there is none. */
  readonly expected: string | null;
  /** Default: the whole module is written. */
  readonly action?: 'edit' | 'rename';
  readonly lines?: readonly [before: number, after: number];
}

interface ModuleChangeParts {
  readonly base: CodeBase;
  /** All files that change; empty when everything already has the requested content. */
  readonly files: readonly ModuleDraft[];
  /** Default: types are not checked. */
  readonly how?: ChangeCheck;
  /** The output after the change is made, or a function that writes its tags; problems are added to its text. */
  readonly output: ToolOutput | ((tag: ToolContext['tag']) => ToolOutput);
}

/** A change whose output is more than a text. */
export interface ModuleChange extends Change {
  apply(context: ToolContext): Promise<ToolOutput>;
}

/**
 * Plans to change modules. Applying the plan writes all files or none, and throws an EditError if the check refuses it.
 */
export async function planModules({ base, files, how, output }: ModuleChangeParts): Promise<ModuleChange> {
  const drafts = files.map(({ path, after, expected, action, lines }) => {
    return { file: base.root.open(path), content: after, expected, action, lines };
  });
  const planned = await base.root.planGroup(drafts);
  const catalog = await base.catalog();
  const nameOf = (path: string) => files.find((one) => one.path === path)?.name ?? catalog.moduleAt(path)?.name ?? path;
  return {
    touches: planned.touches,
    preview: () => planned.preview(),
    apply: async (context) => {
      const verdict = how && files.length > 0 ? await base.check?.(files, context, how.renamed) : undefined;
      const report = how && verdict ? reportProblems(verdict, how, { nameOf, tag: context.tag }) : [];
      const written = await planned.apply(context);
      const seen = new SeenFiles(context);
      const moves: string[] = [];
      for (const [index, { path, before = '', after, action, expected }] of files.entries()) {
        if (action === undefined) {
          seen.written(path, written[index]!);
          continue;
        }
        const patches = [findLinePatch(before, after)];
        moves.push(describeMoves(seen.view(path).patches, patches));
        seen.edited(path, written[index]!, { before: expected ?? '', patches });
      }
      // Of one module, the numbers above are its own.
      const moved = files.length === 1 ? moves.filter((text) => text !== '') : [];
      const done = typeof output === 'function' ? output(context.tag) : output;
      return { format: 'code', ...done, text: [done.text, ...moved, ...report].join('\n') };
    },
  };
}

interface PartChange {
  readonly base: CodeBase;
  readonly source: SourceModule;
  readonly after: string;
  /** Number of lines in the part. */
  readonly lines: readonly [before: number, after: number];
  readonly how: ChangeCheck;
  /** The beginning of the answer. */
  readonly done: string;
  /** The answer when the text already has the requested content. */
  readonly unchanged: string;
  readonly hint: string;
}

/** Plans to change a part of one module; the answer shows the difference. */
export function planPart({ base, source, after, ...change }: PartChange): Promise<ModuleChange> {
  const { lines, how, done, unchanged, hint } = change;
  const { text: before, hash: expected, module } = source;
  if (before === after) return planModules({ base, files: [], output: { text: unchanged } });
  const files = [{ path: module.path, before, after, expected, action: 'edit', lines }] as const;
  const output = (tag: ToolContext['tag']) => {
    const { first, added } = findLinePatch(before, after);
    const rest = added === 0 ? undefined : tag(`<R:${module.name}:${renderRange(first, first + added - 1)}>`);
    return { text: `${done}\n${renderShortDiff({ before, after }, rest)}`, hint };
  };
  return planModules({ base, files, how, output });
}

/** Refuses to change a module that differs from the version that the session has read last. */
export function refuseStaleModule(target: CodeTarget, context: ToolContext, name = target.source.module.name): void {
  const { source } = target;
  refuseStale(new SeenFiles(context).view(source.module.path), { name, tag: makeTextTag(target, context) }, source);
}

/**
 * Creates the error for invalid new code, with its location:
 * `the text of a does not parse: line 1: … Nothing was changed.`
 */
export function createParseError(fact: string, { line, message }: SyntaxProblem, tags: readonly string[]): ParseError {
  return new ParseError(`${fact}: line ${line}: ${message.replace(/\.$/, '')}. Nothing was changed.`, tags);
}

/** Refuses a change after which a module that currently parses would no longer parse. */
export function refuseSyntaxError(
  { module, outline }: SourceModule,
  { problem }: Outline,
  { what, tag }: Readonly<Record<'what' | 'tag', string>>,
): void {
  if (problem === undefined || outline.problem !== undefined) return;
  throw createParseError(`${module.name} would not parse with ${what}`, problem, [tag]);
}

/** Returns the lines that differ between two texts, from the first to the last difference. */
export function findLinePatch(before: string, after: string): LinePatch {
  const [old, now] = [splitLines(before), splitLines(after)];
  const shorter = Math.min(old.length, now.length);
  let same = 0;
  while (same < shorter && old[same] === now[same]) same++;
  let end = 0;
  while (end < shorter - same && old[old.length - 1 - end] === now[now.length - 1 - end]) end++;
  return { first: same + 1, removed: old.length - same - end, added: now.length - same - end };
}

const MOST_LINES = 20;

/**
 * Renders the difference between two texts, at most 20 lines of it.
 *
 * @param rest the tag that shows all new lines, if there are any
 */
export function renderShortDiff(
  { before, after }: { readonly before: string; readonly after: string },
  rest?: string,
): string {
  const lines = renderUnifiedDiff({ path: '', before, after }).split('\n').slice(2, -1);
  const more = lines.length - MOST_LINES;
  if (more <= 0) return lines.join('\n');
  return [
    ...lines.slice(0, MOST_LINES),
    `… ${formatQuantity(more, 'more line')} of changes${rest === undefined ? '' : `: ${rest}`}`,
  ].join('\n');
}

function makeTestTag(address: string): string {
  return `<source.tests.R:${address}>`;
}

/**
 * Wraps a change so that applying it also runs tests, and undoes the change unless they pass.
 *
 * @param test address of a test module or folder; undefined to run no tests
 * @returns a change that also throws EditError when the tests do not pass, ResourceError when they cannot be run, and
 *   the signal's reason; then nothing is changed
 */
export function keepIfGreen(base: CodeBase, change: ModuleChange, test: string | undefined): ModuleChange {
  if (test === undefined) return change;
  const { root, index } = base;
  const apply = async (context: ToolContext) => {
    try {
      await context.requestApproval(`it runs the tests ${test}`, test);
    } catch (error) {
      // No rule forbids the tests, but no answer was given: the change itself was allowed and is made without them.
      if (!BaeError.is(error) || !('isUnanswered' in error && error.isUnanswered === true)) throw error;
      const output = await change.apply(context);
      const refused = error.message.replace(/^.*? was not run: /s, '').replace(`it runs the tests ${test}, and `, '');
      return { ...output, text: `${output.text}\n${test} was not run: ${refused}` };
    }
    const output = await change.apply(context);
    try {
      const catalog = await index.catalog();
      const tests = await findTests(new CodeBase(root, index), test, { tagOf: makeTestTag });
      const results = await runTests(root, tests, { signal: context.signal });
      const cases = results.flatMap((result) => result.cases);
      if (hasFailed(results) || !cases.some(({ status }) => status === 'passed')) {
        const how = hasFailed(results) ? `${test} did not pass (${renderTotals(results)})` : `${test} ran no test`;
        const head = `${how}, and the change was undone.`;
        const nameOf = (file: string) => catalog.moduleOf(file)?.name ?? file;
        const failures = renderFailures(results, { nameOf, pathOf: (file) => catalog.moduleOf(file)?.path });
        const text = [head, failures].filter((part) => part !== '').join('\n');
        throw new EditError(text, [`<source.tests.R:${test}>`]);
      }
      return { ...output, text: `${output.text}\n${test}: ${renderTotals(results)}` };
    } catch (error) {
      if (change.touches.length === 0) throw error;
      const words = makeFileWords(await index.catalog());
      const { errors: [problem = error] = [] } = await undoChanges(root, { steps: 1, words }, context);
      throw problem;
    }
  };
  return { ...change, apply };
}
