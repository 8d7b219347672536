import { getPageLength, type ToolContext, type ToolOutput } from '@bae/core';
import { formatPath, formatQuantity, getWholeLength, splitLines, type WorkspaceRoot } from '@bae/workspace';
import { quotePath } from './read-target.ts';
import type { Git } from './run-git.ts';

/** Options for all commands that show diffs: no external programs, and no renames, so that each path is checked. */
const PLAIN = ['--no-ext-diff', '--no-textconv', '--ignore-submodules=dirty', '--no-renames', '--relative'] as const;

/** Widths, in characters, in which usual paths are not cut. */
const WIDE_STAT = '--stat=200,160';

export interface ChangesRequest {
  readonly root: WorkspaceRoot;
  readonly git: Git;
  /** Git command with its options. */
  readonly command: readonly [string, ...string[]];
  /** Revisions as given by the caller. */
  readonly revisions: readonly string[];
  /** Files and folders; empty for the whole workspace. */
  readonly paths: readonly string[];
  /** True to list the files, with the numbers of changed lines, without their diffs. */
  readonly stat: boolean;
}

/**
 * Shows diffs, without those of files that may hold secrets: whole ones as far as they fit on three pages, with a tag for
 * each of the others.
 */
export async function showChanges(request: ChangesRequest, context: ToolContext): Promise<ToolOutput> {
  const { git, root, command, revisions, paths, stat } = request;
  const { signal } = context;
  const run = (options: readonly string[], hidden: readonly string[] = []) =>
    git.run({
      args: [...command, ...PLAIN, ...options, '--end-of-options', ...revisions, '--', ...toPathspecs(paths, hidden)],
      signal,
    });
  const names = (await run(['--name-only', '--format=', '-z'])).split('\0').map((name) => name.trim());
  const secret = await listSecrets(root, names);
  const text = (await run(stat ? [WIDE_STAT] : ['--patch', '--stat'], secret)).trimEnd();
  const notes = secret.map((name) => `not shown, because it may hold secrets: ${formatPath(name)}`);
  const all = joinSections([text, ...notes]);
  if (stat) return { text: all, format: 'plain' };
  const shown = names.filter((name) => name !== '' && !secret.includes(name));
  const fitting = takeFittingFiles(text, context);
  if (fitting === undefined || fitting.left > shown.length) return { text: all, format: 'diff' };
  const others = fitting.left === 0 ? [] : describeOthers(shown.slice(-fitting.left), request, context);
  return { text: joinSections([fitting.text, ...others, ...notes]), format: 'diff', paged: true, whole: () => all };
}

function joinSections(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n');
}

/**
 * Returns the diffs of the first files that fit on the pages of one answer, and the number of the others; undefined if
 * not even the first one fits.
 */
function takeFittingFiles(text: string, { answerLimit }: ToolContext) {
  const length = getWholeLength(splitLines(text), getPageLength(answerLimit));
  const parts = text.split(/^(?=diff --git )/m);
  let size = 0;
  const count = parts.findIndex((part) => (size += part.length) > length);
  if (count === -1) return { text, left: 0 };
  // The first part is the list of files.
  return count < 2 ? undefined : { text: parts.slice(0, count).join('').trimEnd(), left: parts.length - count };
}

/** Maximum number of files that are named because their diffs are not shown. */
const MOST_OTHERS = 12;

function describeOthers(
  names: readonly string[],
  { command: [name, ...options], revisions }: ChangesRequest,
  { tag }: ToolContext,
): readonly string[] {
  const target = revisions.filter((revision) => name !== 'diff' || revision !== 'HEAD').join(' ');
  const staged = options.includes('--cached') ? ' staged=true' : '';
  const tags = names.slice(0, MOST_OTHERS).map((path) => {
    return tag(`<${name}:${target}${target === '' ? '' : ' '}path=${quotePath(path)}${staged}>`);
  });
  const more = names.length > MOST_OTHERS ? [`and ${formatQuantity(names.length - MOST_OTHERS, 'more file')}`] : [];
  return [`[${formatQuantity(names.length, 'more file')}: ${[...tags, ...more].join(', ')}]`];
}

/** Selects the files whose content is shown only with consent. */
export async function listSecrets(root: WorkspaceRoot, names: readonly string[]): Promise<readonly string[]> {
  const secret: string[] = [];
  for (const name of new Set(names.filter((one) => one !== ''))) {
    const info = await root.info(name).catch(() => undefined);
    if (info === undefined || info.secrecy !== undefined) secret.push(name);
  }
  return secret;
}

/** Converts paths to literal pathspecs for git; the whole workspace if there are none. */
export function toPathspecs(paths: readonly string[], hidden: readonly string[] = []): readonly string[] {
  const shown = paths.length === 0 ? ['.'] : paths.map((path) => `:(literal)${path}`);
  return [...shown, ...hidden.map((path) => `:(exclude,literal)${path}`)];
}
