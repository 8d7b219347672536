import { asModelText, type SpacePath, type SpaceTree } from '@bae/core';
import { parse } from '@bae/core/pipeline';
import { collectNames } from '../space-outline.ts';

/** What a line of the shell means; `switch` turns code mode on or off, `mistake` explains a mistyped command. */
export type ShellInput =
  | { readonly kind: 'nothing' | 'exit' | 'switch' }
  | { readonly kind: 'tags' | 'question' | 'mistake'; readonly text: string }
  /** A question to another session; without a text, only the way there. */
  | { readonly kind: 'session'; readonly label: string; readonly text: string }
  /** A command of bae, with the words behind it. */
  | { readonly kind: 'command'; readonly name: string; readonly words: readonly string[] }
  /** A run block, and a hint in case it fails. */
  | { readonly kind: 'code'; readonly text: string; readonly hint?: string };

export interface ShellPlace {
  readonly tree: SpaceTree;
  readonly location: SpacePath;
  /** True when lines are taken as code. Default: false. */
  readonly inCode?: boolean;
  /** Commands of bae that can be typed with a slash before them. Default: none. */
  readonly commands?: readonly string[];
  /** Labels of the sessions that there are. Default: none. */
  readonly labels?: readonly string[];
}

export const MOVES = ['home', 'back', 'up', 'nav'];

export function wrapCode(code: string): ShellInput {
  if (/^\s*<\/run>|<\/run>\s*$/im.test(code))
    return { kind: 'mistake', text: 'code has no </run> at the start or end of a line: that ends a block.' };
  return { kind: 'code', text: `<run>\n${code}\n</run>` };
}

export function listTools({ tree, location }: ShellPlace): readonly string[] {
  return Object.keys(tree.at(location)?.tools ?? {});
}

export function classifyText(text: string, { tree }: ShellPlace): ShellInput {
  const { calls, runs, problems } = parse(asModelText(text), { ...collectNames(tree), misspeltSpaces: 'problem' });
  const executable = calls.length + runs.length + problems.length > 0;
  return executable ? { kind: 'tags', text } : { kind: 'question', text: text.trim() };
}
