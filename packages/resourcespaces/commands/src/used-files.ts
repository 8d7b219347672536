import { createHash } from 'node:crypto';
import { isAbsolute, posix } from 'node:path';
import type { ToolContext, Touch } from '@bae/core';
import type { WorkspaceRoot } from '@bae/workspace';

/** Words of a command, and the folder in which it runs. */
export interface NamedWords {
  readonly words: readonly string[];
  readonly folder: string;
  /** The whole command. Default: the words. */
  readonly command?: string;
  /** True if the words are those of a text for a shell, in which `cd` leads to other folders. */
  readonly isScript?: boolean;
  /** True if it is known to change no files. */
  readonly reads?: boolean;
}

/**
 * Asks about the files that a command names as their own tools would: before showing one whose content needs consent.
 * What a program does with files that it finds by itself is not known.
 *
 * @returns the files that the command may change, for rules that deny or ask about that
 * @throws ApprovalError when consent is refused
 */
export async function askAboutFiles(
  root: WorkspaceRoot,
  named: NamedWords,
  { requestApproval, signal }: Pick<ToolContext, 'requestApproval' | 'signal'>,
): Promise<readonly Touch[]> {
  const changed = new Set<string>();
  const asked = new Set<string>();
  for (const path of await listPossiblePaths(root, named, signal)) {
    const info = await root.info(path).catch(() => undefined);
    // A word such as `test` is a file only if there is one.
    if (info === undefined || info.path === '' || (info.kind === 'missing' && !NEW_PATH.test(path))) continue;
    if (info.secrecy !== undefined && info.kind !== 'missing' && !asked.has(info.path)) {
      asked.add(info.path);
      // With the command, so that a remembered answer applies to no other one.
      await requestApproval(`it is named by ${shortenCommand(named)}, and ${info.secrecy}`, { path: info.path });
    }
    if (named.reads !== true) changed.add(info.path);
  }
  return Array.from(changed, (path) => ({ path }));
}

/** Matches what is taken for the path of a new file. */
const NEW_PATH = /^(?!.*(?:^|\/)-)[^=@:,]*\/[^=@:,]*$/s;
/** Maximum length of a command in a reason; of a longer one, the digest tells it from others. */
const LONGEST_SHOWN = 120;
/** Where a path can begin in a word: `--file=a`, `@a`, `-fa`, `HEAD:a`, `a,b`. */
const BEGINNINGS = /(?<=^-[A-Za-z])|(?<=[=@:,])/;

async function listPossiblePaths(
  root: WorkspaceRoot,
  { words, folder, isScript = false }: NamedWords,
  signal: AbortSignal,
): Promise<ReadonlySet<string>> {
  const parts = words.flatMap((word) => {
    const pieces = word.split(BEGINNINGS);
    const tails = pieces.map((_, index) => pieces.slice(index).join(''));
    return [...tails, ...pieces.map((piece) => piece.replace(/[=@:,]$/, ''))];
  });
  const entered = isScript ? words.filter((_, index) => /^(?:cd|pushd|-C)$/.test(words[index - 1] ?? '')) : [];
  const folders = [folder, ...entered.map((name) => placeIn(folder, name))];
  const paths = new Set<string>();
  for (const part of new Set(parts)) {
    if (part === '' || part === '.') continue;
    for (const path of folders.map((one) => placeIn(one, part))) {
      paths.add(path);
      // The target of a link is relative to the folder of the link.
      if (path.startsWith('../')) paths.add(path.replace(/^(?:\.\.\/)+/, ''));
      if (!isScript || !/[*?[{]/.test(part)) continue;
      // A path that a shell completes.
      for (const found of await root.glob({ pattern: path, all: true, signal }).catch(() => [])) paths.add(found);
    }
  }
  return paths;
}

function shortenCommand({ words, folder, command: whole = words.join(' ') }: NamedWords): string {
  const command = whole.replace(/^command:/, '').replaceAll(/\s+/g, ' ');
  const place = folder === '' ? '' : ` in ${folder}`;
  if (command.length <= LONGEST_SHOWN) return `${command}${place}`;
  const digest = createHash('sha256').update(whole).digest('hex').slice(0, 16);
  return `${command.slice(0, LONGEST_SHOWN)}… (${digest})${place}`;
}

function placeIn(folder: string, name: string): string {
  return isAbsolute(name) || name.startsWith('~') ? name : posix.join(folder, name);
}
