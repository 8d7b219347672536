import { join } from 'node:path';
import { formatQuantity, WorkspaceRoot } from '@bae/workspace';
import { printResult, type CommandContext } from '../command-line/command.ts';
import { UsageError } from '../command-line/errors.ts';
import { findFilesWith, getPathKind, listFilesBelow, readTextFile, writeUserFile } from '../config/disk.ts';
import { askOnce } from '../consent/ask-approval.ts';
import { locateDatabase } from '../kept-session.ts';
import { makeLineVisible } from '../terminal/terminal-text.ts';
import { getFolderKey, locateUserFolder } from '../user-key.ts';

const USAGE = 'bae memory forget TEXT';
/** Minimum length of a text to forget, in characters; a shorter one could be part of anything. */
const SHORTEST = 4;
const FACTS = '.agents/memory';

/**
 * Runs `bae memory forget`, which removes a text from everything that bae keeps about a folder and verifies the
 * removal.
 */
export async function runMemory(context: CommandContext): Promise<number> {
  const { positionals, options, terminal } = context;
  const [action, text = '', ...more] = positionals;
  if (action !== 'forget' || more.length > 0)
    throw new UsageError(
      `bae memory takes forget and one text, in quotes; got ${JSON.stringify(positionals.join(' '))}.`,
    );
  if (text.trim().length < SHORTEST)
    throw new UsageError(`${USAGE}: expected at least ${SHORTEST} characters; got ${JSON.stringify(text)}.`);
  if (options.json && !options.yes) throw new UsageError(`${USAGE} --json asks nothing: give it --yes.`);
  if (!options.yes && !(await confirmForgetting(text, context))) return 1;
  const forgotten = await forgetEverywhere(text, context);
  const searched = listFilesBelow(join(context.root, '.bae')).map((name) => join(context.root, '.bae', name));
  const database = locateDatabase(context.root, context);
  const files = new Set([...searched, database, `${database}-wal`].filter((file) => getPathKind(file) === 'file'));
  const left = [...new Set([...findFilesWith(text, [...files]), ...(forgotten.left > 0 ? [database] : [])])];
  printResult(context, { ...forgotten, left, searched: files.size }, () => renderReport(forgotten, files.size, left));
  if (left.length > 0) terminal.err.write(`${explainLeft(left)}\n`);
  return left.length === 0 ? 0 : 1;
}

async function confirmForgetting(text: string, { terminal, signal }: CommandContext): Promise<boolean> {
  const shown = makeLineVisible(JSON.stringify(text));
  if (!terminal.interactive) {
    terminal.err.write(`bae: not forgotten: no one is available to confirm it.\nTry: ${USAGE} --yes\n`);
    return false;
  }
  terminal.out.write(
    `${shown} will be removed, whatever its case, from the sessions of this folder, their kept results, what undo keeps, facts, and what you typed. This cannot be undone.\n`,
  );
  const choices = [
    ['yes', 'yes', true],
    ['no', 'no', false],
  ] as const;
  return (await askOnce<boolean>({ verb: 'forget it', choices }, terminal, signal)) ?? false;
}

/** Number of removed items, by place. */
interface Forgotten {
  readonly events: number;
  readonly records: number;
  readonly results: number;
  /** Number of compressed items in the database that still contain the text. */
  readonly left: number;
  /** Old contents of files, kept for undoing. */
  readonly undo: number;
  readonly facts: readonly string[];
  /** Lines typed in the shell. */
  readonly typed: number;
}

async function forgetEverywhere(text: string, context: CommandContext): Promise<Forgotten> {
  const { root, terminal } = context;
  const database = locateDatabase(root, context);
  let kept = { events: 0, records: 0, results: 0, left: 0 };
  if (getPathKind(database) === 'file') {
    const { Store } = await import('@bae/store');
    kept = Store.forget(database, text, { key: getFolderKey(terminal.env, root) });
  }
  // Not journaled on disk, because the journal would keep the text.
  using workspace = new WorkspaceRoot(root);
  const facts = await forgetFacts(text, workspace);
  return { ...kept, undo: await workspace.forgetText(text), facts, typed: forgetTyped(text, terminal.env) };
}

async function forgetFacts(text: string, workspace: WorkspaceRoot): Promise<readonly string[]> {
  if (!(await workspace.exists(FACTS))) return [];
  const wanted = text.toLowerCase();
  const names: string[] = [];
  for (const name of (await workspace.list(FACTS)).filter((file) => file.endsWith('.md'))) {
    const fact = await workspace.readText(`${FACTS}/${name}`);
    if (!`${name}\n${fact.text}`.toLowerCase().includes(wanted)) continue;
    await workspace.remove(`${FACTS}/${name}`);
    names.push(name.slice(0, -'.md'.length));
  }
  return names;
}

/** Removes lines from the history of the shell, which all folders share. */
function forgetTyped(text: string, env: CommandContext['terminal']['env']): number {
  const file = join(locateUserFolder(env), 'history');
  if (getPathKind(file) !== 'file') return 0;
  const lines = readTextFile(file).split('\n');
  const kept = lines.filter((line) => !line.toLowerCase().includes(text.toLowerCase()));
  if (kept.length < lines.length) writeUserFile(file, kept.join('\n'));
  return lines.length - kept.length;
}

function renderReport(
  { events, records, results, undo, facts, typed }: Forgotten,
  searched: number,
  left: readonly string[],
): readonly string[] {
  const counts = [
    formatQuantity(events, 'event'),
    formatQuantity(records, 'message'),
    formatQuantity(results, 'kept result'),
    formatQuantity(undo, 'old file'),
    formatQuantity(facts.length, 'fact'),
    formatQuantity(typed, 'typed line'),
  ];
  const named = facts.length === 0 ? '' : ` Facts: ${facts.map(makeLineVisible).join(', ')}.`;
  const proof = `The bytes of ${formatQuantity(searched, 'file')} were searched: it is in ${left.length === 0 ? 'none of them' : left.length}.`;
  return [`Forgotten in ${counts.join(', ')}.${named}`, proof];
}

function explainLeft(left: readonly string[]): string {
  const names = left.map(makeLineVisible).join(', ');
  const remedy = left.some((file) => file.endsWith('tasks.db'))
    ? 'Tasks are yours to change: bae tasks grep "…"'
    : `Another bae has it open. Close that one, then: ${USAGE}`;
  return `bae: it is still in ${names}.\nTry: ${remedy}`;
}
