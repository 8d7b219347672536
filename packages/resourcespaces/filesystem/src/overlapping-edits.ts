import { ConflictError, tool, type LineRange, type ToolCall, type ToolContext } from '@bae/core';
import { renderRange, formatPath, type WorkspaceFile, type WorkspaceRoot } from '@bae/workspace';
import { parseTarget } from './file-target.ts';
import { FILE_PARAMS } from './params.ts';

interface LineEditCall {
  readonly file: WorkspaceFile;
  readonly range: LineRange;
  /** Lines of the file that the numbers are those of. */
  readonly lines: number;
}

type Lines = readonly [first: number, last: number];

/**
 * Refuses an edit of lines that another edit of the same response changes too. The other one is refused by the same
 * rule, so neither is made.
 *
 * @throws ConflictError with the lines of all edits concerned
 */
export async function refuseOverlap(root: WorkspaceRoot, edit: LineEditCall, context: ToolContext): Promise<void> {
  const calls = context.batch.filter(
    ({ verb, space }) => verb === 'edit' && (space ?? context.space) === context.space,
  );
  if (calls.length < 2) return;
  const own = closeRange(edit.range, edit.lines);
  const all: Lines[] = [];
  for (const call of calls) {
    const range = await findEditedRange(root, call, { path: edit.file.path, context });
    if (range !== undefined) all.push(closeRange(range, edit.lines));
  }
  const concerned = findOverlapping(own, all);
  if (concerned.length < 2) return;
  const path = formatPath(edit.file.given);
  const named = concerned.map(([first, last]) => renderRange(first, last)).join(' and ');
  const whole = renderRange(concerned[0]![0], Math.max(...concerned.map(([, last]) => last)));
  throw new ConflictError(
    `edits of lines ${named} of ${path} overlap in one response; none of them was made. Send one edit of lines ${whole}.`,
    [`<E:${path}:${whole}>`],
  );
}

/** The lines that a call of the response wants to change in a file; undefined when it does something else. */
async function findEditedRange(
  root: WorkspaceRoot,
  call: ToolCall,
  { path, context }: { readonly path: string; readonly context: ToolContext },
): Promise<LineRange | undefined> {
  try {
    const { bindArguments, splitRange } = await import('@bae/core/pipeline');
    const bound = await bindArguments(EDIT, call);
    if (!bound.ok || bound.params['old'] !== undefined || bound.params['content'] === undefined) return undefined;
    const argument = String(bound.params['target']);
    const split = splitRange(argument);
    if ('error' in split || split.range === null) return undefined;
    const target = await parseTarget(root, split.target, { ...context, range: split.range, argument });
    return (await root.info(target.path)).path === path ? target.range : undefined;
  } catch {
    // What cannot be understood changes nothing.
    return undefined;
  }
}

const EDIT = tool('', FILE_PARAMS.edit, () => '', { body: 'content', range: true }).named('edit');

function closeRange([first, last]: LineRange, total: number): Lines {
  return [first, last ?? Math.max(first, total)];
}

/** The ranges that overlap with one of them, directly or through others, sorted. */
function findOverlapping(own: Lines, all: readonly Lines[]): readonly Lines[] {
  const isOwn = ([first, last]: Lines) => first === own[0] && last === own[1];
  const sorted = (all.some(isOwn) ? all : [...all, own]).toSorted((a, b) => a[0] - b[0] || a[1] - b[1]);
  let chain: Lines[] = [];
  for (const range of sorted) {
    if (chain.every(([, last]) => last < range[0])) {
      if (chain.some(isOwn)) break;
      chain = [];
    }
    chain.push(range);
  }
  return chain.some(isOwn) ? chain : [own];
}
