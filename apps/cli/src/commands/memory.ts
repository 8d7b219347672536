import { basename, dirname, join, relative } from 'node:path';
import { FACTS_FOLDER, forgetFacts } from '@bae/memory';
import { formatQuantity, WorkspaceRoot } from '@bae/workspace';
import type { ForgetReport } from '@bae/store';
import { printResult, type CommandContext } from '../command-line/command.ts';
import { UsageError } from '../command-line/errors.ts';
import { findFilesWith, getPathKind, listFilesBelow, readTextFile, writeUserFile } from '../config/disk.ts';
import { confirm } from '../consent/ask-approval.ts';
import { getStoreKeys, locateDatabase } from '../kept-session.ts';
import { makeLineVisible } from '../terminal/terminal-text.ts';
import { getFolderKey, locateHistory, locateServerData } from '../user-key.ts';

const USAGE = 'bae memory forget TEXT';
/** Minimum length of a text to forget, in characters; a shorter one could be part of anything. */
const SHORTEST = 4;

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
  if (!(await confirmForgetting(text, context))) return 1;
  const { createTextTest } = await import('@bae/store');
  const wanted: Wanted = { text, isIn: createTextTest(text) };
  const places = locatePlaces(context);
  const forgotten = await forgetEverywhere(wanted, places, context);
  const files = listSearched(places, context);
  const found = findFilesWith(files, wanted.isIn, text.length * MOST_BYTES);
  const left = [...new Set([...found, ...forgotten.packedIn])];
  const { packedIn: _, ...counts } = forgotten;
  printResult(context, { ...counts, left, searched: files.length }, () => [
    ...renderReport(forgotten, files.length, left),
    renderSearched(files, context),
  ]);
  if (left.length > 0) terminal.err.write(`${explainLeft(left)}\n`);
  return left.length === 0 ? 0 : 1;
}

/** Maximum number of bytes that one character of the text takes, with its marks and in any case. */
const MOST_BYTES = 24;

interface Wanted {
  readonly text: string;
  readonly isIn: (content: string) => boolean;
}

/** Databases that contain texts. */
interface Places {
  /** Sessions of the folder; undefined if there are none. */
  readonly database: string | undefined;
  /** Folders of the data of servers. */
  readonly served: readonly string[];
}

function locatePlaces(context: CommandContext): Places {
  const given = locateDatabase(context.root, context);
  const served = new Set([locateServerData(context)]);
  // The database of a server has another one beside it.
  if (basename(given) === SESSIONS && getPathKind(join(dirname(given), SERVER)) === 'file') served.add(dirname(given));
  const isServed = served.has(dirname(given)) && basename(given) === SESSIONS;
  return {
    database: isServed || getPathKind(given) !== 'file' ? undefined : given,
    served: [...served].filter((folder) =>
      [SESSIONS, SERVER].every((name) => getPathKind(join(folder, name)) === 'file'),
    ),
  };
}

const SESSIONS = 'sessions.db';
const SERVER = 'server.db';

/** Lists the files whose bytes are searched. */
function listSearched({ database, served }: Places, { root, terminal }: CommandContext): readonly string[] {
  const folders = ['.bae', FACTS_FOLDER].map((name) => join(root, name));
  const databases = [
    ...(database === undefined ? [] : [database]),
    ...served.flatMap((folder) => [SESSIONS, SERVER].map((name) => join(folder, name))),
  ];
  const files = [
    ...folders.flatMap((folder) => listFilesBelow(folder).map((name) => join(folder, name))),
    ...databases.flatMap((file) => [file, `${file}-wal`]),
    locateHistory(terminal.env),
  ];
  return [...new Set(files)].filter((file) => getPathKind(file) === 'file');
}

function renderSearched(files: readonly string[], { root }: CommandContext): string {
  const folders = files.map((file) => {
    const path = relative(root, file);
    const [first = ''] = path.split(/[/\\]/);
    return first === '..' || first === '' ? dirname(file) : first === '.agents' ? FACTS_FOLDER : first;
  });
  const searched = [...new Set(folders)].map(makeLineVisible).join(', ');
  return `Searched: ${searched}. Not searched: your own files, and databases elsewhere (--db, --data, --database).`;
}

function confirmForgetting(text: string, context: CommandContext): Promise<boolean> {
  const about = `${makeLineVisible(JSON.stringify(text))} will be removed, whatever its case, from the sessions of this folder and of bae serve, their kept results, what undo keeps, facts, and what you typed. This cannot be undone.\n`;
  return confirm({ verb: 'forget', about, refused: 'not forgotten', command: USAGE }, context);
}

/** Number of removed items, by place. */
interface Forgotten {
  readonly events: number;
  readonly records: number;
  readonly results: number;
  /** Prompts, questions and other rows of servers. */
  readonly served: number;
  /** Databases with compressed items that still contain the text. */
  readonly packedIn: readonly string[];
  /** Old contents of files, kept for undoing. */
  readonly undo: number;
  readonly facts: readonly string[];
  /** Lines typed in the shell. */
  readonly typed: number;
}

async function forgetEverywhere(
  wanted: Wanted,
  { database, served }: Places,
  context: CommandContext,
): Promise<Forgotten> {
  const { root, terminal } = context;
  const kept: { readonly file: string; readonly report: ForgetReport & { readonly rows?: number } }[] = [];
  if (database !== undefined) {
    const { Store } = await import('@bae/store');
    const keys = getStoreKeys(root, context);
    kept.push({ file: database, report: Store.forget(database, wanted.text, keys) });
  }
  for (const folder of served) {
    const { forgetInFileStore } = await import('@bae/server');
    const key = getFolderKey(terminal.env, folder);
    kept.push({ file: join(folder, SESSIONS), report: forgetInFileStore(folder, wanted.text, { key }) });
  }
  const sum = (count: (report: (typeof kept)[number]['report']) => number): number =>
    kept.reduce((total, { report }) => total + count(report), 0);
  // Not journaled on disk, because the journal would keep the text.
  using workspace = new WorkspaceRoot(root);
  const facts = await forgetFacts(workspace, wanted.isIn);
  return {
    events: sum(({ events }) => events),
    records: sum(({ records }) => records),
    results: sum(({ results }) => results),
    served: sum(({ rows = 0 }) => rows),
    packedIn: kept.filter(({ report }) => report.left > 0).map(({ file }) => file),
    undo: await workspace.forgetText(wanted.isIn),
    facts,
    typed: forgetTyped(wanted, terminal.env),
  };
}

/** Removes lines from the history of the shell, which all folders share. */
function forgetTyped({ isIn }: Wanted, env: CommandContext['terminal']['env']): number {
  const file = locateHistory(env);
  if (getPathKind(file) !== 'file') return 0;
  const lines = readTextFile(file).split('\n');
  const kept = lines.filter((line) => !isIn(line));
  if (kept.length < lines.length) writeUserFile(file, kept.join('\n'));
  return lines.length - kept.length;
}

function renderReport(
  { events, records, results, served, undo, facts, typed }: Forgotten,
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
    ...(served === 0 ? [] : [`${formatQuantity(served, 'row')} of bae serve`]),
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
