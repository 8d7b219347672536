import { createHash } from 'node:crypto';
import { basename, dirname, join, relative } from 'node:path';
import type { Agent } from '@bae/core';
import { countUnits, UNITS_PER_TOKEN } from '@bae/core/pipeline';
import type { TrustSubject } from '@bae/plugins';
import type { CommandContext } from '../command-line/command.ts';
import { askOnce } from '../consent/ask-approval.ts';
import { createPainter, makeLineVisible } from '../terminal/terminal-text.ts';
import { locateUserFolder } from '../user-key.ts';
import { findBelow, getPathKind, listAncestors, readTextFile, resolveLinks } from './disk.ts';

/** Files in which projects tell agents how to work on them; of a folder only the first counts. */
const NAMES = ['AGENTS.md', 'CLAUDE.md', '.github/copilot-instructions.md'] as const;
/** Tokens that all instructions have together. */
const BUDGET = 1500;
/** Lines of a file that are shown when its user is asked about it. */
const SHOWN_LINES = 12;
/** Nested files that are named. */
const MOST_NESTED = 10;

/** A file with instructions. */
interface InstructionFile {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
  /** True for the user's own, which need no trust. */
  readonly isOwn: boolean;
  /** The folder below the root that it is for; absent where it is for all of it. */
  readonly below?: string;
}

/** The instructions for agents in a folder that are followed. */
export interface Instructions {
  /** For the beginning of a conversation; empty when there are none. */
  readonly text: string;
  /** Tells an agent the instructions of folders below when it works in them, each once. Returns the function that stops it. */
  watch(agent: Pick<Agent, 'subscribe' | 'tell'>): () => void;
}

/** Of a session without a model. */
export const NO_INSTRUCTIONS: Instructions = { text: '', watch: () => () => undefined };

/**
 * The instructions for agents in a folder: those of the user, then those of the project, from its root down to the
 * folder, and those of folders below. Instructions of a project are used once the user trusts the file, which a person
 * is asked about once; a line on standard error names those that are not used.
 */
export async function loadInstructions(root: string, context: CommandContext): Promise<Instructions> {
  const found = [...findInstructions(root, locateUserFolder(context.terminal.env)), ...findNested(root)];
  if (found.length === 0) return NO_INSTRUCTIONS;
  const trusted = found.every(({ isOwn }) => isOwn) ? found : await keepTrusted(found, context);
  const nested = trusted.filter(({ below }) => below !== undefined);
  const first = trusted.filter(({ below }) => below === undefined);
  return {
    text: trusted.length === 0 ? '' : renderInstructions(first, nested, root),
    watch: (agent) => tellNested(nested, agent),
  };
}

/** Those in folders below, which hold there. */
function findNested(root: string): readonly InstructionFile[] {
  const names = ['AGENTS.md', 'CLAUDE.md'].flatMap((name) => findBelow(root, name, MOST_NESTED));
  const folders = new Set(names.map((name) => dirname(name)).filter((folder) => folder !== '.'));
  return [...folders]
    .slice(0, MOST_NESTED)
    .flatMap((below) => readInstructions(join(resolveLinks(root), below), false).map((file) => ({ ...file, below })));
}

function tellNested(
  nested: readonly InstructionFile[],
  agent: Parameters<Instructions['watch']>[0],
): ReturnType<Instructions['watch']> {
  const left = new Set(nested);
  return agent.subscribe(async (event) => {
    if (event.type !== 'call-start' || left.size === 0) return;
    const values = Object.values(event.arguments).filter((value) => typeof value === 'string');
    const paths = values.map((value) => value.replace(/^(?:\.\/)+/, ''));
    for (const file of left) {
      const { below = '', text, path: own } = file;
      if (!paths.some((path) => path === below || path.startsWith(`${below}/`))) continue;
      left.delete(file);
      const shown = takeWithin(text, BUDGET * UNITS_PER_TOKEN, `${below}/${basename(own)}`);
      await agent.tell(`[The user's instructions for what is below ${below}/.]\n${shown}\n[end of the instructions]`);
    }
  });
}

/** The files with instructions for a folder, the nearest last. */
export function findInstructions(root: string, userFolder: string): readonly InstructionFile[] {
  const real = resolveLinks(root);
  const ancestors = listAncestors(real);
  // Without a repository, folders above are somebody else's.
  const top = ancestors.findIndex((folder) => getPathKind(join(folder, '.git')) !== 'nothing');
  const folders = ancestors.slice(0, Math.max(top, 0) + 1).toReversed();
  const own = readInstructions(userFolder, true);
  return [...own, ...folders.flatMap((folder) => readInstructions(folder, false))];
}

function readInstructions(folder: string, isOwn: boolean): readonly InstructionFile[] {
  const path = NAMES.map((name) => join(folder, name)).find((file) => getPathKind(file) === 'file');
  if (path === undefined) return [];
  const text = readTextFile(path).trim();
  return text === '' ? [] : [{ path, text, isOwn }];
}

/** What a person trusts when they trust instructions: the file, whatever it says later. */
export function describeInstructions(path: string): TrustSubject {
  const lines = readTextFile(path).trim().split('\n');
  const more = lines.length - SHOWN_LINES;
  const about = [
    'what it tells a model, in every conversation here:',
    ...lines.slice(0, SHOWN_LINES).map((line) => `  ${line}`),
  ];
  if (more > 0) about.push(`  … ${more} more lines`);
  const name = NAMES.find((one) => path.endsWith(one)) ?? path;
  return { kind: 'instructions', name, path, digest: createHash('sha256').update(path).digest('hex'), about };
}

/** True for a file whose name says that it is instructions for agents. */
export function isInstructions(path: string): boolean {
  return NAMES.some((name) => path.endsWith(`/${name}`));
}

/** The instructions in a folder that the user has not decided about. */
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
    const decision = await askOnce<'trusted' | 'refused'>({ verb: 'follow them', choices }, terminal, signal);
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

/** The text before the first prompt: every file as far as there is room, the nearest with most of it. */
function renderInstructions(
  files: readonly InstructionFile[],
  nested: readonly InstructionFile[],
  root: string,
): string {
  let left = BUDGET * UNITS_PER_TOKEN;
  const parts: string[] = [];
  for (const { path, text } of files.toReversed()) {
    const name = relative(resolveLinks(root), path);
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

/** The first lines that fit, then the headings of the rest. */
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
