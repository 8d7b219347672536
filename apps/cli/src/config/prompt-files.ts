import { basename, dirname, join } from 'node:path';
import { locateUserFolder } from '../user-key.ts';
import type { Settings } from './settings.ts';
import { getPathKind, listFilesIn, listFoldersIn, readTextFile } from './disk.ts';
import { homedir } from 'node:os';
import { PROJECT_FOLDERS, type SkillFolder } from '@bae/skills';

/** Prompt or skill in a file, which is requested by name: `/review src`. */
export interface PromptFile {
  readonly name: string;
  /** First line, or the description at the start of the file. */
  readonly about: string;
  /** Returns the text to ask. @param words the words typed after the name */
  compose(words: readonly string[]): string;
}

const FRONT_MATTER = /^---\r?\n([^]*?)\r?\n---\r?\n/;
const LONGEST_ABOUT = 60;
const NAME = /^[A-Za-z][\w-]*$/;

/**
 * Finds the prompts of a project (`.agents/commands/*.md`) and of the user (`commands/*.md` in the user's folder), and
 * the skills of both and of packages. Commands come before skills, and those of the project come first. A file is read
 * when it is requested.
 */
export function findPromptFiles(
  settings: Pick<Settings, 'root' | 'packages'>,
  env: Readonly<Record<string, string | undefined>>,
): readonly PromptFile[] {
  const found = new Map<string, PromptFile>();
  const skills = findSkills(settings, env);
  for (const folder of [...skills.ofProject, ...skills.folders.map(({ path }) => path)].toReversed())
    for (const name of listFoldersIn(folder)) {
      const file = join(folder, name, SKILL);
      if (NAME.test(name) && getPathKind(file) === 'file') found.set(name, describePromptFile(name, file));
    }
  for (const folder of [locateUserFolder(env), join(settings.root, '.agents')].map((own) => join(own, 'commands')))
    for (const file of listFilesIn(folder, '.md')) {
      const name = file.slice(0, -'.md'.length);
      if (NAME.test(name)) found.set(name, describePromptFile(name, join(folder, file)));
    }
  return [...found.values()];
}

const SKILL = 'SKILL.md';

function describePromptFile(name: string, path: string): PromptFile {
  const compose: PromptFile['compose'] = (words) => {
    const text = fillPrompt(readTextFile(path).replace(FRONT_MATTER, '').trim(), words);
    // A skill refers to files in its folder.
    return basename(path) === SKILL
      ? `${text}\n\n(This is the skill ${name}; its files are in ${dirname(path)}.)`
      : text;
  };
  try {
    return { name, about: readAbout(readTextFile(path)), compose };
  } catch {
    return { name, about: '(cannot be read)', compose };
  }
}

function readAbout(text: string): string {
  const described = /^description:[ \t]*(.+)$/m.exec(FRONT_MATTER.exec(text)?.[1] ?? '')?.[1];
  const [first = ''] = text.replace(FRONT_MATTER, '').trim().split('\n');
  const about = (described ?? first.replace(/^#+ /, '')).trim().replace(/^(["'])(.*)\1$/, '$2');
  return about.length > LONGEST_ABOUT ? `${about.slice(0, LONGEST_ABOUT - 1)}…` : about;
}

/** Replaces `$ARGUMENTS` or `$1` with words; if the text has neither, appends the words. */
export function fillPrompt(text: string, words: readonly string[]): string {
  const all = words.join(' ');
  if (!/\$(?:ARGUMENTS\b|\d)/.test(text)) return all === '' ? text : `${text}\n\n${all}`;
  return text.replaceAll(/\$(?:ARGUMENTS\b|(\d))/g, (_all, at?: string) =>
    at === undefined ? all : (words[Number(at) - 1] ?? ''),
  );
}

/** Existing folders with skills. */
interface FoundSkills {
  /** Skill folders of the user, and of the packages that the user trusts. */
  readonly folders: readonly SkillFolder[];
  /** Skill folders of the project, as absolute paths. */
  readonly ofProject: readonly string[];
}

/** Finds the folders with skills. If names are equal, skills of the project come first, then those of the user. */
export function findSkills(
  { root, packages = [] }: Pick<Settings, 'root' | 'packages'>,
  env: Readonly<Record<string, string | undefined>>,
): FoundSkills {
  const home = env['HOME'] ?? homedir();
  const own = [join(locateUserFolder(env), 'skills'), ...PROJECT_FOLDERS.map((folder) => join(home, folder))];
  const folders = [
    ...own.map((path) => ({ path, from: 'yours' })),
    ...packages.map(({ name, folder }) => ({ path: join(folder, 'skills'), from: `of ${name}` })),
  ].filter(({ path }) => getPathKind(path) === 'folder');
  const ofProject = PROJECT_FOLDERS.map((folder) => join(root, folder)).filter(
    (path) => getPathKind(path) === 'folder',
  );
  return { folders, ofProject };
}
