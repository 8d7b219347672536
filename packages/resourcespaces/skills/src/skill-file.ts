/** Metadata and instructions of a `SKILL.md` file. */
export interface SkillFile {
  readonly name: string;
  readonly description: string;
  /** Text after the front matter, for the model. */
  readonly text: string;
  /** Requirements of the skill: `needs Python 3.12`. */
  readonly compatibility?: string;
  /** Violations of the rules of the format; empty for a valid file. */
  readonly problems: readonly string[];
}

const HEAD = /^---[ \t]*\r?\n(?<yaml>[^]*?)\r?\n---[ \t]*(?:\r?\n|$)/;
const NAME = /^[\p{Ll}\p{Lo}\p{N}]+(?:-[\p{Ll}\p{Lo}\p{N}]+)*$/u;
const LONGEST = { name: 64, description: 1024, compatibility: 500 } as const;
const FIELDS = ['name', 'description', 'license', 'compatibility', 'metadata', 'allowed-tools'];

/**
 * Reads a `SKILL.md` file according to the Agent Skills format. Never throws: errors are listed in `problems`.
 *
 * @param folder name of its folder, which has to be the name of the skill
 */
export async function readSkillFile(content: string, folder: string): Promise<SkillFile> {
  const head = HEAD.exec(content);
  const text = (head === null ? content : content.slice(head[0].length)).trim();
  if (head === null)
    return {
      name: folder,
      description: '',
      text,
      problems: ['it does not begin with frontmatter between two --- lines'],
    };
  const { fields, problem } = await readYaml(head.groups?.['yaml'] ?? '');
  if (fields === undefined) return { name: folder, description: '', text, problems: [problem] };
  const { description, compatibility } = fields;
  return {
    name: folder,
    description: typeof description === 'string' ? description.trim() : '',
    text,
    ...(typeof compatibility === 'string' && { compatibility }),
    problems: checkFields(fields, folder),
  };
}

async function readYaml(yaml: string): Promise<{
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly problem: string;
}> {
  // Loaded with the first skill: most folders have none.
  const { parse } = await import('yaml');
  try {
    // Aliases could expand a few lines to a text of any length.
    const fields: unknown = parse(yaml, { maxAliasCount: 0, logLevel: 'error' });
    if (typeof fields === 'object' && fields !== null && !Array.isArray(fields))
      return { fields: fields as Readonly<Record<string, unknown>>, problem: '' };
    return { problem: 'its frontmatter has no fields: expected name and description' };
  } catch (error) {
    return { problem: `its frontmatter is not YAML (${(error as Error).message.split('\n', 1)[0]})` };
  }
}

function checkFields(fields: Readonly<Record<string, unknown>>, folder: string): readonly string[] {
  const { name, description, compatibility, metadata } = fields;
  const problems: string[] = [];
  const expect = (isRight: boolean, problem: string): void => void (isRight || problems.push(problem));
  expect(
    isTextWithin(name, LONGEST.name) && NAME.test((name as string).normalize('NFKC')),
    `name: expected lowercase letters, digits and single hyphens, at most ${LONGEST.name}; got ${show(name)}`,
  );
  expect(name === folder || name === undefined, `name: expected that of its folder, ${folder}; got ${show(name)}`);
  expect(
    isTextWithin(description, LONGEST.description),
    `description: expected a text of at most ${LONGEST.description} characters; got ${show(description)}`,
  );
  expect(
    compatibility === undefined || isTextWithin(compatibility, LONGEST.compatibility),
    `compatibility: expected a text of at most ${LONGEST.compatibility} characters; got ${show(compatibility)}`,
  );
  expect(
    metadata === undefined || (typeof metadata === 'object' && metadata !== null && !Array.isArray(metadata)),
    `metadata: expected names with values; got ${show(metadata)}`,
  );
  for (const field of Object.keys(fields))
    expect(FIELDS.includes(field), `${field}: there is no such field. There are ${FIELDS.join(', ')}`);
  return problems;
}

function isTextWithin(value: unknown, most: number): boolean {
  return typeof value === 'string' && value.trim() !== '' && value.length <= most;
}

function show(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 59).toWellFormed()}… (${text.length} characters)` : text;
}
