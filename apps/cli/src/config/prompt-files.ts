import { join } from 'node:path';
import { listFilesIn, readTextFile } from './disk.ts';

/** A prompt that is kept in a file, and is asked by its name: `/review src`. */
export interface PromptFile {
  readonly name: string;
  /** The first line, or the description that the file begins with. */
  readonly about: string;
  /** The text to ask. @param words what was typed behind the name */
  compose(words: readonly string[]): string;
}

const FRONT_MATTER = /^---\n([^]*?)\n---\n/;
const LONGEST_ABOUT = 60;

/**
 * The prompts of a project, `.agents/commands/*.md`, and of the user, `commands/*.md` in their folder; those of the
 * project go first. They are read when they are asked.
 */
export function findPromptFiles(root: string, userFolder: string): readonly PromptFile[] {
  const found = new Map<string, PromptFile>();
  for (const folder of [join(userFolder, 'commands'), join(root, '.agents', 'commands')])
    for (const file of listFilesIn(folder, '.md')) {
      const name = file.slice(0, -'.md'.length);
      if (/^[A-Za-z][\w-]*$/.test(name)) found.set(name, describePromptFile(name, join(folder, file)));
    }
  return [...found.values()];
}

function describePromptFile(name: string, path: string): PromptFile {
  const text = readTextFile(path);
  const described = /^description:[ \t]*(.+)$/m.exec(FRONT_MATTER.exec(text)?.[1] ?? '')?.[1];
  const [first = ''] = text.replace(FRONT_MATTER, '').trim().split('\n');
  const about = (described ?? first.replace(/^#+ /, '')).trim().replace(/^(["'])(.*)\1$/, '$2');
  return {
    name,
    about: about.length > LONGEST_ABOUT ? `${about.slice(0, LONGEST_ABOUT - 1)}…` : about,
    compose: (words) => fillPrompt(readTextFile(path).replace(FRONT_MATTER, '').trim(), words),
  };
}

/** Puts words where `$ARGUMENTS` or `$1` stand; where neither does, behind the text. */
export function fillPrompt(text: string, words: readonly string[]): string {
  const all = words.join(' ');
  if (!/\$(?:ARGUMENTS\b|\d)/.test(text)) return all === '' ? text : `${text}\n\n${all}`;
  return text.replaceAll(/\$(?:ARGUMENTS\b|(\d))/g, (_all, at?: string) =>
    at === undefined ? all : (words[Number(at) - 1] ?? ''),
  );
}
