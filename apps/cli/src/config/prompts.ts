import { basename, dirname, join } from 'node:path';
import { homedir } from 'node:os';
import { PROJECT_FOLDERS, type SkillFolder } from '@bae/skills';
import { asModelText, type Agent, type SpaceTree } from '@bae/core';
import { locateUserFolder } from '../user-key.ts';
import type { Settings } from './settings.ts';
import { getPathKind, listFilesIn, listFoldersIn, readTextFile } from './disk.ts';

/** Prompt or skill in a file, which is requested by name: `/review src`. */
export interface PromptFile {
  readonly name: string;
  /** First line, or the description at the start of the file. */
  readonly about: string;
  /** True for a file of the project: what it says are not words of the user, who may never have read it. */
  readonly isOfProject: boolean;
  /** Returns the text to ask. @param words the words typed after the name */
  compose(words: readonly string[]): string;
}

const FRONT_MATTER = /^---\r?\n([^]*?)\r?\n---\r?\n/;
const LONGEST_ABOUT = 60;
const NAME = /^[A-Za-z][\w-]*$/;

/**
 * Finds the prompts of a project (`.agents/commands/*.md`) and of the user (`commands/*.md` in the user's folder), and
 * the skills of both and of packages. Commands come before skills, and those of the project come first. A file is read
 * when it is requested; a link of the project is not one of them, because it may lead to a secret.
 */
export function findPromptFiles(
  settings: Pick<Settings, 'root' | 'packages'>,
  env: Readonly<Record<string, string | undefined>>,
): readonly PromptFile[] {
  const found = new Map<string, PromptFile>();
  const skills = findSkills(settings, env);
  const add = (name: string, path: string, isOfProject: boolean) => {
    if (NAME.test(name)) found.set(name, { ...describePromptFile(name, path), isOfProject });
  };
  for (const folder of [...skills.ofProject, ...skills.folders.map(({ path }) => path)].toReversed()) {
    const isOfProject = skills.ofProject.includes(folder);
    for (const name of listFoldersIn(folder)) {
      const file = join(folder, name, SKILL);
      const isThere = isOfProject ? listFilesIn(dirname(file), SKILL).includes(SKILL) : getPathKind(file) === 'file';
      if (isThere) add(name, file, isOfProject);
    }
  }
  for (const own of [locateUserFolder(env), join(settings.root, '.agents')]) {
    const folder = join(own, 'commands');
    for (const file of listFilesIn(folder, '.md'))
      add(file.slice(0, -'.md'.length), join(folder, file), own !== locateUserFolder(env));
  }
  return [...found.values()];
}

const SKILL = 'SKILL.md';

function describePromptFile(name: string, path: string): Omit<PromptFile, 'isOfProject'> {
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

/** Prompt of a server of the Model Context Protocol, which is requested by name: `/linear:triage bug`. */
export interface ServerPrompt {
  readonly name: string;
  readonly about: string;
  /** Names of its arguments, in order. */
  readonly fields: readonly string[];
}

/** Lists the prompts of the servers in a tree; those of servers that have not been entered are unknown. */
export function listServerPrompts(tree: SpaceTree): readonly ServerPrompt[] {
  return tree.below([]).flatMap(({ name: server }) => {
    const space = tree.at([server, 'prompts']);
    if (space?.description !== `Prompts of the server ${server}.`) return [];
    return Object.values(space.tools).map(({ name, description, spec }) => ({
      name: `${server}:${name}`,
      about: description,
      fields: spec.params.map((param) => param.name),
    }));
  });
}

/** Fetches the text of a prompt from its server. Each word is one field; the last field takes the rest. */
export async function fetchServerPrompt(
  { name, fields }: ServerPrompt,
  words: readonly string[],
  { agent, signal }: { readonly agent: Agent; readonly signal: AbortSignal },
): Promise<string> {
  const last = fields.length - 1;
  const values = fields.map((field, at) => [field, at < last ? words[at] : words.slice(at).join(' ')] as const);
  const call = {
    name: name.replace(':', '.prompts.'),
    arguments: Object.fromEntries(values.filter(([, value]) => value !== undefined && value !== '')),
  };
  // Nothing in a word may be interpreted as a tag.
  const json = JSON.stringify(call).replaceAll('<', String.raw`\u003c`);
  const { calls } = await agent.run(asModelText(`<tool_call>${json}</tool_call>`), { signal });
  const result = calls[0]?.result;
  if (result?.ok === true) return result.text;
  throw new Error(result?.text ?? `the server did not answer for /${name}.`);
}
