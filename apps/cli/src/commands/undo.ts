import { ConfigurationError, type BaeError } from '@bae/core';
import {
  formatLineChange,
  describeLeft,
  describeUnproven,
  renderFileChange,
  formatPath,
  WorkspaceRoot,
  type Operation,
  type UndoPreview,
  type UndoReport,
  type UndoRequest,
} from '@bae/workspace';
import { printResult, type CommandContext } from '../command-line/command.ts';
import { explainError, UsageError } from '../command-line/errors.ts';
import { clipLines, confirm, renderDiff } from '../consent/ask-approval.ts';
import { getFolderKey } from '../user-key.ts';
import { createPainter, makeVisible, makeLineVisible } from '../terminal/terminal-text.ts';

/** Runs `bae undo`, which undoes changes to files, the last one first, after a person has seen the effect. */
export async function runUndo(context: CommandContext): Promise<number> {
  const { options } = context;
  const steps = parseSteps(context);
  if (options.json && !options.yes && !options.list)
    throw new UsageError('bae undo --json asks nothing: give it --yes, or --list to undo nothing.');
  const journalKey = () => getFolderKey(context.terminal.env, context.root);
  using root = new WorkspaceRoot(context.root, { journal: 'disk', journalKey });
  const operations = await root.operations();
  const session = options.session === undefined ? operations[0]?.session : resolveSession(operations, options.session);
  const isListed = (one: Operation): boolean => options.session === undefined || one.session === session;
  if (options.list) {
    const listed = operations.filter(isListed);
    const lines = listed.length === 0 ? ['(nothing can be undone)'] : listed.map(renderOperation);
    const unproven = await root.unprovenOperations();
    const notice = unproven.length === 0 ? [] : [describeUnproven(unproven)];
    printResult(
      context,
      {
        operations: listed.map(serializeOperation),
        ...(unproven.length > 0 && { unproven: unproven.map(({ id }) => id) }),
      },
      () => [...lines, ...notice],
    );
    return 0;
  }
  if (session === undefined) {
    const fact = `nothing that bae did in ${root.name} can be undone.`;
    const unproven = describeUnproven(await root.unprovenOperations());
    throw new ConfigurationError(unproven === '' ? fact : `${fact} ${unproven}`, ['bae undo --list']);
  }
  return await undo(root, { steps, session }, context);
}

function parseSteps({ positionals, options }: CommandContext): number {
  const [text = '1', ...more] = positionals;
  const steps = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (steps >= 1 && more.length === 0 && (positionals.length === 0 || !options.list)) return steps;
  if (options.list) throw new UsageError('bae undo --list takes no number.');
  const got = JSON.stringify(positionals.join(' '));
  throw new UsageError(`bae undo takes the number of changes to undo, a whole number of at least 1; got ${got}.`);
}

/** Maximum number of sessions named in an error. */
const NAMED = 10;

/** Finds a session by the beginning of its id. @throws ConfigurationError when no session or several match */
export function resolveSession(operations: readonly Operation[], beginning: string): string {
  const ids = [...new Set(operations.map(({ session }) => session))];
  const [found, ...others] = ids.filter((id) => id.startsWith(beginning));
  if (found !== undefined && others.length === 0) return found;
  const [fact, meant] =
    found === undefined
      ? ['no session with changes that can be undone has an id that begins like this', ids]
      : ['several sessions have an id that begins like this', [found, ...others]];
  const named = meant.slice(0, NAMED).map((id) => id.slice(0, 12));
  const candidates = named.length === 0 ? '' : ` There are ${named.join(', ')}.`;
  throw new ConfigurationError(`--session ${beginning}: ${fact}.${candidates}`, ['bae undo --list']);
}

async function undo(root: WorkspaceRoot, request: UndoRequest, context: CommandContext): Promise<number> {
  const { options, terminal } = context;
  if (!options.yes) {
    const preview = await root.planUndo(request);
    for (const operation of preview.operations) terminal.out.write(`${renderOperation(operation)}\n`);
    if (preview.problem !== undefined) reportProblem(preview.problem, context);
    if (preview.operations.length === 0) return 1;
    if (!(await confirmUndo(renderUndo(preview), context))) return terminal.interactive ? 0 : 1;
    if (computeFingerprint(preview) !== computeFingerprint(await root.planUndo(request)))
      throw new ConfigurationError('not undone: other changes were made in the meantime.', ['bae undo']);
  }
  const done = await root.undo(request);
  const code = printUndo(done, context);
  const { steps = 1, session = '' } = request;
  const isFewer = new Set(done.undone.map(({ id, group = id }) => group)).size < steps;
  const all = `bae: that was all of session ${session.slice(0, ID)}.`;
  if (code === 0 && isFewer && (await root.operations()).length > 0)
    terminal.err.write(`${all} What other sessions changed is left: bae undo --list\n`);
  return code;
}

/** Shows the changes and asks for confirmation. */
function confirmUndo(change: string, context: CommandContext): Promise<boolean> {
  const { out, interactive } = context.terminal;
  const whole = renderDiff(change, { columns: out.columns(), paint: createPainter(out) });
  const { lines, clipped } = clipLines(whole, { rows: out.rows() });
  out.write(interactive ? `${lines.join('\n')}\n` : makeVisible(change));
  return confirm({ verb: 'undo', whole, clipped, refused: 'not undone', command: 'bae undo' }, context);
}

function computeFingerprint(preview: UndoPreview): string {
  return [...preview.operations.map(({ id }) => id), renderUndo(preview)].join('\n');
}

function printUndo({ undone, problem }: UndoReport, context: CommandContext): number {
  const { options, terminal } = context;
  if (options.json) {
    const failure = problem && { problem: { code: problem.code, message: problem.message, hints: problem.hints } };
    terminal.out.write(`${JSON.stringify({ undone: undone.map(serializeOperation), ...failure })}\n`);
  } else {
    for (const operation of undone) terminal.out.write(`undone: ${renderOperation(operation)}\n`);
    const left = describeLeft(undone);
    if (left !== '') terminal.out.write(`${makeLineVisible(left)}\n`);
    if (problem !== undefined) reportProblem(problem, context);
  }
  return problem === undefined ? 0 : 1;
}

function reportProblem(problem: BaeError, { terminal, options }: CommandContext): void {
  terminal.err.write(createPainter(terminal.err)('error', explainError(problem, options)));
}

function serializeOperation({ id, session, time, action, path, lines, unkept }: Operation): object {
  return { id, session, time, action, path, lines, ...(unkept && { unkept }) };
}

/** Length of a displayed session id, in characters. */
const ID = 8;

/** Renders a change as a line: `2026-11-20 10:21:05  edit docs/a.md (2 -> 3 lines)  1f2e3d4c`. */
export function renderOperation({ time, action, path, lines, session }: Operation): string {
  const [before, after] = lines;
  const when = new Date(time).toLocaleString('sv-SE');
  const change = `${action} ${formatPath(path)} (${formatLineChange(before, after)})`;
  return makeLineVisible(`${when}  ${change}  ${session.slice(0, ID)}`.trimEnd());
}

/** Renders the effect of an undo on the files as one unified diff, and what it leaves. */
export function renderUndo({ operations, changes }: UndoPreview): string {
  const left = describeLeft(operations);
  return [...changes.map(renderFileChange), left && `${left}\n`].join('');
}
