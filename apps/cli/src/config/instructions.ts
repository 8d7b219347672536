import { createHash } from 'node:crypto';
import { basename, dirname, join, relative } from 'node:path';
import type { AgentOptions, Hook } from '@bae/core';
import { countUnits, UNITS_PER_TOKEN } from '@bae/core/pipeline';
import type { TrustSubject } from '@bae/plugins';
import type { CommandContext } from '../command-line/command.ts';
import { askOnce } from '../consent/ask-approval.ts';
import { createPainter, makeLineVisible } from '../terminal/terminal-text.ts';
import { locateUserFolder } from '../user-key.ts';
import { writeSlashes, findBelow, getPathKind, listAncestors, readTextFile, resolveLinks } from './disk.ts';

/**
 * Files with instructions for agents, by which projects describe how to work on them; only the first in a folder is
 * used.
 */
const NAMES = ['AGENTS.md', 'CLAUDE.md', '.github/copilot-instructions.md'] as const;
/** Maximum length of all instructions together, in tokens. */
const BUDGET = 1500;
/** Maximum number of lines of a file that are shown when the user is asked about it. */
const SHOWN_LINES = 12;
/** Maximum number of nested files that are named. */
const MOST_NESTED = 10;

interface InstructionFile {
  /** Absolute path of the file. */
  readonly path: string;
  readonly text: string;
  /** True for the user's own files, which need no trust. */
  readonly isOwn: boolean;
  /** Folder below the root to which it applies; absent if it applies everywhere. */
  readonly below?: string;
}

/** Instructions for agents that are followed in a folder. */
export interface Instructions {
  /** Text for the beginning of a conversation; empty if there are no instructions. */
  readonly text: string;
  /**
   * Creates the hooks that give a session the instructions of a nested folder, once, when it works there.
   *
   * @param resume the session that is resumed
   */
  readonly createHooks: (resume?: AgentOptions['resume']) => readonly Hook[];
}

/** Instructions of a session without a model. */
export const NO_INSTRUCTIONS: Instructions = { text: '', createHooks: () => [] };

/**
 * Loads the instructions for agents in a folder: those of the user, those of the project from its root down to the
 * folder, and those of nested folders. Project instructions are used once the user trusts the file; a person is asked
 * about it once. A line on standard error names the files that are not used.
 */
export async function loadInstructions(root: string, context: CommandContext): Promise<Instructions> {
  const found = [...findInstructions(root, locateUserFolder(context.terminal.env)), ...findNested(root)];
  if (found.length === 0) return NO_INSTRUCTIONS;
  const trusted = found.every(({ isOwn }) => isOwn) ? found : await keepTrusted(found, context);
  const nested = trusted.filter(({ below }) => below !== undefined);
  const first = trusted.filter(({ below }) => below === undefined);
  return {
    text: trusted.length === 0 ? '' : renderInstructions(first, nested, root),
    createHooks: (resume) => (nested.length === 0 ? [] : [tellNested(nested.map(renderNested), resume)]),
  };
}

/** Finds the instructions of nested folders, which apply only there. */
function findNested(root: string): readonly InstructionFile[] {
  const names = ['AGENTS.md', 'CLAUDE.md'].flatMap((name) => findBelow(root, name, MOST_NESTED));
  const folders = new Set(names.map((name) => dirname(name)).filter((folder) => folder !== '.'));
  return [...folders]
    .slice(0, MOST_NESTED)
    .flatMap((below) =>
      readInstructions(join(resolveLinks(root), below), resolveLinks(root)).map((file) => ({ ...file, below })),
    );
}

function renderNested({ below = '', text, path }: InstructionFile): NestedInstructions {
  const shown = takeWithin(text, BUDGET * UNITS_PER_TOKEN, `${below}/${basename(path)}`);
  const message = `[The user's instructions for what is below ${below}/.]\n${shown}\n[end of the instructions]`;
  return { below, message };
}

/** Finds the files with instructions for a folder, the nearest last. */
export function findInstructions(root: string, userFolder: string): readonly InstructionFile[] {
  const real = resolveLinks(root);
  const ancestors = listAncestors(real);
  // Without a repository, the parent folders do not belong to the project.
  const top = ancestors.findIndex((folder) => getPathKind(join(folder, '.git')) !== 'nothing');
  const folders = ancestors.slice(0, Math.max(top, 0) + 1).toReversed();
  const own = readInstructions(userFolder);
  return [...own, ...folders.flatMap((folder) => readInstructions(folder, folders[0]))];
}

/** @param project the folder of the project, without links; undefined for the user's own instructions */
function readInstructions(folder: string, project?: string): readonly InstructionFile[] {
  const isUsable = (file: string) =>
    getPathKind(file) === 'file' && (project === undefined || isTextOf(project, resolveLinks(file)));
  const path = NAMES.map((name) => join(folder, name)).find(isUsable);
  if (path === undefined) return [];
  const text = readTextFile(path).trim();
  return text === '' ? [] : [{ path, text, isOwn: project === undefined }];
}

/** Returns true for a text of a project. A link could lead to a secret, also long after the user has trusted it. */
function isTextOf(project: string, file: string): boolean {
  const way = writeSlashes(relative(project, file));
  return way.endsWith('.md') && !/^(?:\.\.\/|\/|[A-Za-z]:)/.test(way);
}

/** Describes a file with instructions for a trust decision, which remains valid if its content changes. */
export function describeInstructions(path: string): TrustSubject {
  const lines = readTextFile(path).trim().split('\n');
  const more = lines.length - SHOWN_LINES;
  const about = [
    'what it tells a model, in every conversation here:',
    ...lines.slice(0, SHOWN_LINES).map((line) => `  ${line}`),
  ];
  if (more > 0) about.push(`  … ${more} more lines`);
  const name = findReservedName(path) ?? path;
  return { kind: 'instructions', name, path, digest: createHash('sha256').update(path).digest('hex'), about };
}

/** Returns true for a file with a name reserved for instructions for agents. */
export function isInstructions(path: string): boolean {
  return findReservedName(path) !== undefined;
}

function findReservedName(path: string): string | undefined {
  return NAMES.find((name) => writeSlashes(path).endsWith(`/${name}`));
}

/** Lists the instructions in a folder about which the user has not decided. */
export async function listUntrustedInstructions(
  root: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<readonly TrustSubject[]> {
  const all = [...findInstructions(root, locateUserFolder(env)), ...findNested(root)];
  const foreign = all.filter(({ isOwn }) => !isOwn);
  if (foreign.length === 0) return [];
  const { TrustStore } = await import('@bae/plugins');
  const trust = TrustStore.ofUser(env);
  return foreign.map(({ path }) => describeInstructions(path)).filter((one) => trust.stateOf(one) === 'unknown');
}

async function keepTrusted(
  found: readonly InstructionFile[],
  { terminal, signal, root }: CommandContext,
): Promise<readonly InstructionFile[]> {
  const { TrustStore } = await import('@bae/plugins');
  const trust = TrustStore.ofUser(terminal.env);
  const subjects = new Map(found.filter(({ isOwn }) => !isOwn).map(({ path }) => [path, describeInstructions(path)]));
  const stateOf = (path: string) => trust.stateOf(subjects.get(path)!);
  const unknown = [...subjects.values()].filter((subject) => trust.stateOf(subject) === 'unknown');
  if (unknown.length > 0 && terminal.interactive) {
    const { out } = terminal;
    const paint = createPainter(out);
    const lines = unknown.flatMap(({ path, about }) => [
      paint('strong', makeLineVisible(path)),
      ...about.map(makeLineVisible),
    ]);
    out.write(`Instructions for agents that are new here:\n${lines.join('\n')}\n`);
    const choices = [
      ['yes', 'yes, follow them from now on', 'trusted'],
      ['no', 'no, and do not ask again', 'refused'],
    ] as const;
    const question = { verb: 'follow', object: 'them', choices } as const;
    const decision = await askOnce<'trusted' | 'refused'>(question, terminal, signal);
    if (decision !== undefined) trust.remember(unknown, decision);
  } else if (unknown.length > 0) {
    const names = unknown.map(({ path }) => makeLineVisible(relative(resolveLinks(root), path))).join(', ');
    const it = unknown.length === 1 ? 'it' : 'them';
    const named = unknown.length === 1 ? ` ${names}` : '';
    terminal.err.write(
      `${names}: not followed until you trust ${it}. To look at ${it} and trust ${it}: bae trust${named}\n`,
    );
  }
  return found.filter(({ path, isOwn }) => isOwn || stateOf(path) === 'trusted');
}

/** Renders the text before the first prompt, with as much of each file as fits and most of the nearest. */
function renderInstructions(
  files: readonly InstructionFile[],
  nested: readonly InstructionFile[],
  root: string,
): string {
  let left = BUDGET * UNITS_PER_TOKEN;
  const parts: string[] = [];
  for (const { path, text } of files.toReversed()) {
    const name = writeSlashes(relative(resolveLinks(root), path));
    const shown = takeWithin(text, left, name);
    left -= countUnits(shown);
    parts.unshift(`From ${name}:\n${shown}`);
  }
  const folders = nested.map(({ below = '' }) => `${below}/`).join(', ');
  const others =
    folders === '' ? [] : [`Parts with instructions of their own, which come when you get there: ${folders}`];
  return [
    "[The user's instructions for this project. What the user says later goes before them.]",
    ...parts,
    ...others,
    '[end of the instructions]',
  ].join('\n');
}

/** Returns the first lines that fit, followed by the headings of the rest. */
function takeWithin(text: string, room: number, name: string): string {
  if (countUnits(text) <= room) return text;
  const lines = text.split('\n');
  let used = 0;
  let count = 0;
  while (count < lines.length && used + countUnits(lines[count]!) + 1 <= room * 0.9)
    used += countUnits(lines[count++]!) + 1;
  const headings = lines.slice(count).filter((line) => /^#{1,3} /.test(line));
  const rest = headings.length === 0 ? '' : `: ${headings.map((line) => line.replace(/^#+ /, '')).join('; ')}`;
  const start = dirname(name).startsWith('..') ? '' : ` <R:${name}:${count + 1}->`;
  return [...lines.slice(0, count), `[${lines.length - count} more lines${rest}${start}]`].join('\n');
}

/** Instructions of a folder below the root. */
interface NestedInstructions {
  /** The folder, as a path below the root. */
  readonly below: string;
  /** Text for a session that works there. */
  readonly message: string;
}

/**
 * Creates the hook that appends the instructions of the folders that a session has reached to its next message, once.
 *
 * @param resume the session that is resumed: what is in its conversation is not told again
 */
function tellNested(nested: readonly NestedInstructions[], resume?: AgentOptions['resume']): Hook {
  const sessions = new Map<string, { readonly left: Set<NestedInstructions>; due: string[] }>();
  if (resume !== undefined && resume.isForeign !== true) {
    const isTold = ({ message }: NestedInstructions) => resume.messages.some(({ text }) => text.includes(message));
    sessions.set(resume.label, { left: new Set(nested.filter((one) => !isTold(one))), due: [] });
  }
  return {
    name: 'instructions',
    onEvent: (event) => {
      if (event.type === 'notice' && event.code === 'compacted') sessions.delete(event.label);
      if (event.type !== 'call-end' || event.files === undefined) return;
      const session = sessions.get(event.label) ?? { left: new Set(nested), due: [] };
      sessions.set(event.label, session);
      for (const folder of session.left) {
        if (!event.files.some((path) => `${path}/`.startsWith(`${folder.below}/`))) continue;
        session.left.delete(folder);
        session.due.push(folder.message);
      }
    },
    beforeSend: (_message, label) => sessions.get(label)?.due.splice(0).join('\n\n'),
  };
}
