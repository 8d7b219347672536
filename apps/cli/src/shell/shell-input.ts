import { posix } from 'node:path';
import { asModelText, type SpacePath, type SpaceTree } from '@bae/core';
import { parse } from '@bae/core/pipeline';
import { collectNames } from '../space-outline.ts';

/** Meaning of a line of the shell. `switch` turns code mode on or off; `mistake` explains a mistyped command. */
export type ShellInput =
  | { readonly kind: 'nothing' | 'exit' | 'switch' }
  | { readonly kind: 'tags' | 'question' | 'mistake'; readonly text: string }
  /** A question to another session; an empty text only switches to it. */
  | { readonly kind: 'session'; readonly label: string; readonly text: string }
  /** A change of the folder in which commands of this machine run. */
  | { readonly kind: 'folder'; readonly path: string }
  /** Several inputs, one after the other. */
  | { readonly kind: 'several'; readonly inputs: readonly ShellInput[] }
  /** A bae command, with the words after its name. */
  | { readonly kind: 'command'; readonly name: string; readonly words: readonly string[] }
  /** A run block, and a hint to show if it fails. */
  | { readonly kind: 'code'; readonly text: string; readonly hint?: string };

export interface ShellPlace {
  readonly tree: SpaceTree;
  readonly location: SpacePath;
  /** True while lines are interpreted as code. Default: false. */
  readonly inCode?: boolean;
  /** Folder in which commands of this machine run, relative to that of the project. Default: that of the project. */
  readonly folder?: string;
  /** Commands of bae that can be typed after a slash. Default: none. */
  readonly commands?: readonly string[];
  /** Those of them that the command line has as well, such as `bae sessions`. Default: none. */
  readonly sharedCommands?: readonly string[];
  /** Labels of the existing sessions. Default: none. */
  readonly labels?: readonly string[];
}

/** What can be typed everywhere without a tag: moves, and questions about the place. */
export const MOVES = ['home', 'back', 'up', 'nav', 'where'];

export function wrapCode(code: string): ShellInput {
  if (/^\s*<\/run>|<\/run>\s*$/im.test(code))
    return {
      kind: 'mistake',
      text: 'code cannot contain </run> at the start or end of a line: it would end the block.',
    };
  return { kind: 'code', text: `<run>\n${code}\n</run>` };
}

export function listTools({ tree, location }: Pick<ShellPlace, 'tree' | 'location'>): readonly string[] {
  return Object.keys(tree.at(location)?.tools ?? {});
}

export function classifyText(text: string, { tree }: ShellPlace): ShellInput {
  const { calls, runs, problems } = parse(asModelText(text), { ...collectNames(tree), misspeltSpaces: 'problem' });
  const executable = calls.length + runs.length + problems.length > 0;
  return executable ? { kind: 'tags', text } : { kind: 'question', text: text.trim() };
}

/** Returns true for the tag of a tool that takes a text, without the text and the tag at its end. */
export function needsBody(tag: string, { tree }: ShellPlace): boolean {
  return parse(asModelText(tag), collectNames(tree)).problems.some(({ code }) => code === 'unclosed-body');
}

/**
 * Resolves the folder that `!cd` names, relative to the one before; empty for the folder of the project, where commands
 * run at first. Returns undefined for what is no folder of the project.
 */
export async function resolveCommandFolder(
  typed: string,
  {
    folder,
    listFolder,
  }: { readonly folder: string; readonly listFolder: (folder: string) => Promise<readonly string[]> },
): Promise<string | undefined> {
  const wanted = typed.replace(/^(["'])(.*)\1$/, '$2').replace(/^~$/, '');
  if (wanted === '') return '';
  const path = posix.join(folder, wanted).replace(/\/$/, '');
  if (path === '.' || path === '') return '';
  if (posix.isAbsolute(wanted) || path === '..' || path.startsWith('../')) return undefined;
  const names = await listFolder(posix.dirname(path));
  return names.includes(`${posix.basename(path)}/`) ? path : undefined;
}
