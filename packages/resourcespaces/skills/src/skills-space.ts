import {
  BaeError,
  findNearestName,
  inject,
  resourcespace,
  ResourceError,
  tool,
  type Provision,
  type Resourcespace,
  type SearchHit,
  type ToolContext,
} from '@bae/core';
import { COMMANDS, describeClosedCommands, type CommandAccess } from '@bae/project';
import { formatPath, formatQuantity, WORKSPACE_ROOT, WorkspaceRoot } from '@bae/workspace';
import { z } from 'zod';
import { readSkillFile, type SkillFile } from './skill-file.ts';

/** A folder that contains skills, in addition to those of the workspace. */
export interface SkillFolder {
  /** Absolute. */
  readonly path: string;
  /** Origin of the skills: `yours`, `of bae-resourcespace-tickets`. */
  readonly from: string;
}

const SKILLS = Symbol.for('bae.skills');

/** Provides the space with the skills of the user and of plugins. */
export function provideSkills(folders: readonly SkillFolder[]): Provision {
  return { token: SKILLS, value: folders };
}

/** Folders in which projects keep skills. */
export const PROJECT_FOLDERS: readonly string[] = ['.agents/skills', '.claude/skills'];
const FILE = 'SKILL.md';
const LONGEST_ROW = 160;
const MOST_FILES = 40;
const RUNS = /^scripts\/|\.(?:sh|py|js|mjs|ts|rb|pl|ps1)$/;

const PARAMS = {
  read: () =>
    z.object({
      target: z
        .string()
        .default('')
        .meta({ description: 'A skill, or a file of one (pdf/forms.md); default all', examples: [''] }),
    }),
  grep: () =>
    z.object({ words: z.string().meta({ description: 'Words of names and descriptions', examples: ['release'] }) }),
} as const;

/** A skill and its location. */
interface Skill {
  readonly file: SkillFile;
  readonly root: WorkspaceRoot;
  /** Path of its folder, relative to the root. */
  readonly path: string;
  readonly from: string;
}

/** Instructions for kinds of work, in folders with a `SKILL.md`, from the project, the user and plugins. */
@resourcespace({
  name: 'skills',
  description: 'Instructions for kinds of work: read the one that fits before you begin.',
})
export class SkillsSpace implements Resourcespace {
  readonly #project: WorkspaceRoot;
  readonly #folders: readonly SkillFolder[];
  readonly #commands: CommandAccess | undefined;
  #skills: Promise<readonly Skill[]> | undefined;
  readonly #opened: WorkspaceRoot[] = [];

  constructor(
    @inject(WORKSPACE_ROOT) project: WorkspaceRoot,
    @inject(SKILLS) folders: readonly SkillFolder[],
    @inject(COMMANDS, { isOptional: true }) commands?: CommandAccess,
  ) {
    this.#project = project;
    this.#folders = folders;
    this.#commands = commands;
  }

  async enter(): Promise<string> {
    const names = (await this.#load()).map(({ file }) => file.name);
    return names.length === 0 ? 'No skills.' : clipRow(`${formatQuantity(names.length, 'skill')}: ${names.join(', ')}`);
  }

  async status(): Promise<Readonly<Record<string, number>>> {
    return { skills: (await this.#load()).length };
  }

  async search(query: string, limit: number): Promise<readonly SearchHit[]> {
    const found = findByWords(await this.#load(), query);
    return found.slice(0, limit).map(({ file }) => ({ target: file.name, text: clipRow(file.description) }));
  }

  @tool({ description: 'All skills, the instructions of one, or one of its files.', params: PARAMS.read })
  async read({ target }: z.output<ReturnType<typeof PARAMS.read>>, { tag }: ToolContext) {
    this.#skills = undefined;
    const skills = await this.#load();
    const wanted = target.trim().replace(/\/$/, '');
    if (wanted === '') return this.#renderList(skills);
    const [name = '', ...rest] = wanted.split('/');
    const skill = skills.find(({ file }) => file.name === name) ?? this.#fail(name, skills);
    if (rest.length > 0) return this.#readFile(skill, rest.join('/'), tag);
    return { text: await this.#renderSkill(skill, tag), format: 'plain' as const };
  }

  @tool({ description: 'Skills with all of these words.', params: PARAMS.grep, effect: 'read' })
  async grep({ words }: z.output<ReturnType<typeof PARAMS.grep>>) {
    return this.#renderList(findByWords(await this.#load(), words));
  }

  dispose(): void {
    for (const root of this.#opened.splice(0)) root[Symbol.dispose]();
  }

  #load(): Promise<readonly Skill[]> {
    return (this.#skills ??= this.#find());
  }

  /**
   * Finds the skills of all folders, those of the project first; if several have the same name, only the first one
   * counts.
   */
  async #find(): Promise<readonly Skill[]> {
    this.dispose();
    const found = new Map<string, Skill>();
    const add = async (root: WorkspaceRoot, folder: string, from: string): Promise<void> => {
      for (const skill of await readSkills(root, folder, from))
        if (!found.has(skill.file.name)) found.set(skill.file.name, skill);
    };
    for (const folder of PROJECT_FOLDERS) await add(this.#project, folder, 'of this project');
    for (const { path, from } of this.#folders) {
      try {
        const root = new WorkspaceRoot(path);
        this.#opened.push(root);
        await add(root, '.', from);
      } catch {
        // A missing folder has no skills.
      }
    }
    return [...found.values()];
  }

  async #renderList(skills: readonly Skill[]) {
    const rows = skills.map(({ file: { name, description, problems }, from }) =>
      problems.length === 0
        ? clipRow(`${name} -- ${description} (${from})`)
        : clipRow(`${name} -- not usable: ${problems[0]!} (${from})`),
    );
    return { text: rows.join('\n') || '(no skills)', format: 'plain' as const, rows: rows.length };
  }

  async #renderSkill({ file, root, path, from }: Skill, tag: ToolContext['tag']): Promise<string> {
    const { name, description, text, compatibility, problems } = file;
    if (problems.length > 0)
      // At home, only the files of the project can be read.
      throw new ResourceError(`the skill ${name} is not usable: ${problems.join('; ')}.`, [
        root === this.#project ? `<home.R:${path}/${FILE}>` : '<R:>',
      ]);
    const files = (await listSkillFiles({ root, path })).filter((one) => one !== FILE);
    const shown = files.slice(0, MOST_FILES);
    const more = files.length > shown.length ? ` and ${files.length - shown.length} more` : '';
    const scripts = shown.some((one) => RUNS.test(one)) ? [this.#describeRunning()] : [];
    return [
      `${name} -- ${description} (${from})`,
      ...(compatibility === undefined ? [] : [`Needs: ${compatibility}`]),
      '',
      text,
      '',
      ...(files.length === 0 ? [] : [`Its files: ${shown.map((one) => tag(`<R:${name}/${one}>`)).join(' ')}${more}`]),
      ...scripts,
    ]
      .join('\n')
      .trim();
  }

  #describeRunning(): string {
    if (this.#commands?.isOpen === false) return `Its scripts cannot be run. ${describeClosedCommands(this.#commands)}`;
    const where = this.#commands === undefined ? '' : ': @terminal()';
    return `Its scripts run only through the tools that run commands, each with consent${where}.`;
  }

  async #readFile(skill: Skill, name: string, tag: ToolContext['tag']) {
    try {
      return await this.#openFile(skill, name, tag);
    } catch (error) {
      if (!BaeError.is(error) || error instanceof ResourceError) throw error;
      // The error names the file, and what can be read, as at home.
      throw new ResourceError(
        `${formatPath(name)} of the skill ${skill.file.name} cannot be read: ${error.message.split('\n', 1)[0]}`,
        [`<R:${skill.file.name}>`],
        error,
      );
    }
  }

  async #openFile({ root, path, file }: Skill, name: string, tag: ToolContext['tag']) {
    const wanted = path === '.' ? name : `${path}/${name}`;
    const inside = root.open(wanted).info;
    if (inside.path !== path && path !== '.' && !inside.path.startsWith(`${path}/`))
      throw new ResourceError(`${formatPath(name)} is not a file of the skill ${file.name}.`, [`<R:${file.name}>`]);
    if (inside.kind === 'folder') {
      const names = await root.list(wanted);
      return { text: names.map((one) => tag(`<R:${file.name}/${name}/${one}>`)).join('\n'), format: 'plain' as const };
    }
    if (inside.kind === 'missing') {
      const nearest = findNearestName(name, await listSkillFiles({ root, path }));
      const near = nearest === undefined ? '' : ` Did you mean ${formatPath(nearest)}?`;
      throw new ResourceError(`the skill ${file.name} has no file ${formatPath(name)}.${near}`, [
        nearest === undefined ? `<R:${file.name}>` : `<R:${file.name}/${nearest}>`,
      ]);
    }
    const { text } = await root.readText(wanted);
    return { text, format: name.endsWith('.md') ? ('markdown' as const) : ('plain' as const) };
  }

  #fail(name: string, skills: readonly Skill[]): never {
    const nearest = findNearestName(
      name,
      skills.map(({ file }) => file.name),
    );
    const near = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
    throw new ResourceError(`there is no skill ${JSON.stringify(name)}.${near}`, [
      nearest === undefined ? '<R:>' : `<R:${nearest}>`,
    ]);
  }
}

/** Lists the files of a skill, by their paths inside it. */
async function listSkillFiles({ root, path }: Pick<Skill, 'root' | 'path'>): Promise<readonly string[]> {
  const prefix = path === '.' ? '' : `${path}/`;
  return (await root.glob({ pattern: `${prefix}**`, all: true })).map((one) => one.slice(prefix.length));
}

/** Reads the skills in the subfolders of a folder; returns none if the folder does not exist. */
async function readSkills(root: WorkspaceRoot, folder: string, from: string): Promise<readonly Skill[]> {
  if (!(await root.exists(folder))) return [];
  const names = (await root.list(folder)).filter((name) => name.endsWith('/')).map((name) => name.slice(0, -1));
  const skills = await Promise.all(
    names.map(async (name): Promise<Skill | undefined> => {
      const path = folder === '.' ? name : `${folder}/${name}`;
      if (!(await root.exists(`${path}/${FILE}`))) return undefined;
      try {
        const { text } = await root.readText(`${path}/${FILE}`);
        return { file: await readSkillFile(text, name), root, path, from };
      } catch (error) {
        const problems = [`its ${FILE} cannot be read (${(error as Error).message.split('\n', 1)[0]})`];
        return { file: { name, description: '', text: '', problems }, root, path, from };
      }
    }),
  );
  return skills.filter((skill) => skill !== undefined);
}

function findByWords(skills: readonly Skill[], query: string): readonly Skill[] {
  const words = query.toLowerCase().split(/\s+/);
  return skills.filter(({ file: { name, description } }) =>
    words.every((word) => `${name} ${description}`.toLowerCase().includes(word)),
  );
}

function clipRow(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > LONGEST_ROW ? `${line.slice(0, LONGEST_ROW - 1).toWellFormed()}…` : line;
}
