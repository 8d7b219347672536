import { ConfigurationError, type BaeError } from '@bae/core';
import { WorkspaceRoot, type Operation, type UndoPreview, type UndoReport, type UndoRequest } from '@bae/workspace';
import { UsageError } from '../arguments/usage-error.ts';
import { workingFolder } from '../config/settings.ts';
import { explainError } from '../explain-error.ts';
import { makeVisible } from '../terminal/make-visible.ts';
import { painterFor } from '../terminal/paint.ts';
import { confirmUndo } from '../undo/confirm-undo.ts';
import { findSession } from '../undo/find-session.ts';
import { operationLine, undoDiff } from '../undo/undo-texts.ts';
import type { CommandContext } from './command.ts';

/** `bae undo`: takes back changes of files, the last one first, once a person has seen what that does. */
export async function runUndo(context: CommandContext): Promise<number> {
  const { options, terminal } = context;
  const steps = stepsOf(context);
  if (options.json && !options.yes && !options.list)
    throw new UsageError('bae undo --json asks nothing: give it --yes, or --list to undo nothing.', {
      command: 'undo',
    });
  const root = new WorkspaceRoot(workingFolder(options, terminal.cwd), { journal: 'disk' });
  const operations = await root.operations();
  const session = options.session === undefined ? operations[0]?.session : findSession(operations, options.session);
  if (options.list)
    return list(
      operations.filter((one) => options.session === undefined || one.session === session),
      context,
    );
  if (session === undefined)
    throw new ConfigurationError(`nothing that bae did in ${root.name} can be undone.`, ['bae undo --list']);
  return undo(root, { steps, session }, context);
}

function stepsOf({ positionals, options }: CommandContext): number {
  const [text = '1', ...more] = positionals;
  const steps = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (steps >= 1 && more.length === 0 && (positionals.length === 0 || !options.list)) return steps;
  if (options.list) throw new UsageError('bae undo --list takes no number.', { command: 'undo' });
  const got = JSON.stringify(positionals.join(' '));
  throw new UsageError(`bae undo takes how many changes to take back, a whole number of at least 1; got ${got}.`, {
    command: 'undo',
  });
}

function list(operations: readonly Operation[], { options, terminal }: CommandContext): number {
  const lines = operations.map(operationLine);
  if (options.json) terminal.out.write(`${JSON.stringify({ operations: operations.map(asData) })}\n`);
  else terminal.out.write(lines.length === 0 ? '(nothing can be undone)\n' : `${lines.join('\n')}\n`);
  return 0;
}

async function undo(root: WorkspaceRoot, request: UndoRequest, context: CommandContext): Promise<number> {
  const { options, terminal } = context;
  if (!options.yes) {
    const preview = await root.previewUndo(request);
    for (const operation of preview.operations) terminal.out.write(`${operationLine(operation)}\n`);
    if (preview.problem !== undefined) complain(preview.problem, context);
    if (preview.operations.length === 0 || !canAsk(preview, terminal)) return 1;
    if (!(await confirmUndo(undoDiff(preview), terminal, context.signal))) return 0;
    if (fingerprint(preview) !== fingerprint(await root.previewUndo(request)))
      throw new ConfigurationError('not undone: other changes were made meanwhile.', ['bae undo']);
  }
  const done = await root.undo(request);
  const code = report(done, context);
  if (code === 0 && isFewer(done, request) && (await root.operations()).length > 0) tellOthers(request, context);
  return code;
}

/** True when there was less to take back than was asked for. */
function isFewer({ undone }: UndoReport, { steps = 1 }: UndoRequest): boolean {
  return new Set(undone.map(({ id, group = id }) => group)).size < steps;
}

function tellOthers({ session = '' }: UndoRequest, { terminal }: CommandContext): void {
  terminal.err.write(
    `bae: that was all of session ${session.slice(0, 8)}. What other sessions changed is left: bae undo --list\n`,
  );
}

function canAsk(preview: UndoPreview, { interactive, out, err }: CommandContext['terminal']): boolean {
  if (interactive) return true;
  out.write(makeVisible(undoDiff(preview)));
  err.write('bae: not undone: nobody is here to confirm it.\nTry: bae undo --yes\n');
  return false;
}

/** The same for previews that show the same. */
function fingerprint(preview: UndoPreview): string {
  return [...preview.operations.map(({ id }) => id), undoDiff(preview)].join('\n');
}

function report({ undone, problem }: UndoReport, context: CommandContext): number {
  const { options, terminal } = context;
  if (options.json) {
    const failure = problem && { problem: { code: problem.code, message: problem.message, hints: problem.hints } };
    terminal.out.write(`${JSON.stringify({ undone: undone.map(asData), ...failure })}\n`);
  } else {
    for (const operation of undone) terminal.out.write(`undone: ${operationLine(operation)}\n`);
    if (problem !== undefined) complain(problem, context);
  }
  return problem === undefined ? 0 : 1;
}

function complain(problem: BaeError, { terminal, options }: CommandContext): void {
  terminal.err.write(painterFor(terminal.err)('error', explainError(problem, options)));
}

function asData({ id, session, time, action, path, lines }: Operation): object {
  return { id, session, time, action, path, lines };
}
