/** A task that a file names, and what it runs where the file says that plainly. */
export interface NamedTask {
  readonly name: string;
  readonly runs?: string;
}

/** What was read from a file. */
export interface ReadTasks {
  readonly tasks: readonly NamedTask[];
  /** True if the file may define more tasks than these. */
  readonly hasMore: boolean;
}

/** For a file of which nothing is certain. */
export const NOT_READ: ReadTasks = { tasks: [], hasMore: true };

/** Matches a text of YAML that is neither quoted nor anything but a text. */
const PLAIN = /^(?![-?:,[\]{}#&*!|>'"%@`])(?!.*:(?:\s|$))(?!.* #).+$/;
const KEY = /^(["']?)(?<name>[\w:.-]+)\1:(?:\s+(?<value>.*))?$/;

function countIndent(line: string): number {
  return line.length - line.trimStart().length;
}

/** Splits lines at those that are indented the least; undefined if these are not all indented like the first. */
function splitByIndent(lines: readonly string[]): readonly (readonly string[])[] | undefined {
  const indent = countIndent(lines[0] ?? '');
  const parts: string[][] = [];
  for (const line of lines) {
    if (countIndent(line) < indent) return undefined;
    if (countIndent(line) === indent) parts.push([line.trim()]);
    else parts.at(-1)!.push(line);
  }
  return parts;
}

/** Reads the keys below `tasks:`, and what they run if that is a list of plain commands. */
export function readTaskfile(text: string): ReadTasks {
  const lines = text.split('\n').filter((line) => !/^\s*(?:#|$)/.test(line));
  const start = lines.findIndex((line) => /^(["']?)tasks\1\s*:/.test(line));
  const hasIncludes = lines.some((line) => line.startsWith('includes:'));
  if (start === -1) return { tasks: [], hasMore: hasIncludes };
  if (!/:\s*(?:#.*)?$/.test(lines[start]!)) return NOT_READ;
  const below = lines.slice(start + 1);
  const end = below.findIndex((line) => countIndent(line) === 0);
  const parts = splitByIndent(end === -1 ? below : below.slice(0, end));
  if (parts === undefined) return NOT_READ;
  const tasks = parts.map(([head = '', ...body]) => readYamlTask(head, body));
  return {
    tasks: tasks.filter((task) => task !== undefined && task !== 'internal'),
    hasMore: hasIncludes || tasks.includes(undefined),
  };
}

/** Reads a task of a Taskfile; undefined if its name is not certain. */
function readYamlTask(head: string, body: readonly string[]): NamedTask | 'internal' | undefined {
  const { name, value = '' } = KEY.exec(head)?.groups ?? {};
  if (name === undefined) return undefined;
  const fields = splitByIndent(body) ?? [];
  if (/\binternal:\s*true\b/.test([value, ...fields.map(([field]) => field)].join('\n'))) return 'internal';
  const runs = value === '' || value.startsWith('#') ? joinTaskCommands(fields) : body.length === 0 ? value : '';
  return { name, ...(runs.split(' && ').every((line) => PLAIN.test(line)) && { runs }) };
}

/** Joins the commands of a task that runs nothing else. */
function joinTaskCommands(fields: readonly (readonly string[])[]): string {
  if (fields.some(([head = '']) => head.startsWith('deps:'))) return '';
  const at = fields.findIndex(([head = '']) => /^cmds:\s*(?:#.*)?$/.test(head));
  const [, ...below] = fields[at] ?? [];
  const next = fields.slice(at + 1);
  const other = next.findIndex(([head = '']) => !head.startsWith('- '));
  // A list may be indented no more than its key.
  const items = below.length > 0 ? splitByIndent(below) : next.slice(0, other === -1 ? undefined : other);
  const isPlain = items?.every(([head = '', ...more]) => head.startsWith('- ') && more.length === 0);
  return at !== -1 && items && isPlain ? items.map(([head = '']) => head.replace(/^- +/, '')).join(' && ') : '';
}

const STRING_OR_COMMENT = /"(?:[^"\\\n]|\\.)*"?|\/\/.*|\/\*[^]*?(?:\*\/|$)/g;
const STRING_OR_LAST_COMMA = /"(?:[^"\\\n]|\\.)*"?|,(?=\s*[}\]])/g;

function keepString(part: string): string {
  return part.startsWith('"') ? part : ' ';
}

/** Reads the tasks of Deno: a command, or an object with one. */
export function readDenoTasks(text: string): ReadTasks {
  try {
    const { tasks } = JSON.parse(
      text.replaceAll(STRING_OR_COMMENT, keepString).replaceAll(STRING_OR_LAST_COMMA, keepString),
    ) as { readonly tasks?: object };
    const read = Object.entries(tasks ?? {}).map(([name, value]: [string, unknown]) => {
      const runs = typeof value === 'object' && value !== null && 'command' in value ? value.command : value;
      return { name, ...(typeof runs === 'string' && { runs }) };
    });
    return { tasks: read, hasMore: false };
  } catch {
    return NOT_READ;
  }
}

/** Reads the environments of tox that have a section or are named in its list. */
export function readToxTasks(text: string): ReadTasks {
  const lines = text.split('\n').filter((line) => !/^\s*[#;]/.test(line));
  const listed: string[] = [];
  const commands = new Map<string, string[]>();
  let [section, key, hasMore] = ['', '', false];
  for (const line of lines) {
    const head = /^\[([^\]]*)\]/.exec(line)?.[1];
    const field = /^(\w+)\s*=(.*)$/.exec(line);
    if (head !== undefined) [section, key] = [head, ''];
    else if (field !== null) key = field[1]!;
    const name = section.startsWith('testenv:') ? section.slice('testenv:'.length) : undefined;
    if (head !== undefined && name !== undefined) {
      if (isToxName(name)) commands.set(name, []);
      else hasMore = true;
    }
    const value = (field?.[2] ?? (/^\s/.test(line) ? line : '')).replace(/\s#.*$/, '').trim();
    if (value === '') continue;
    if (key === 'commands' && name !== undefined) commands.get(name)?.push(value);
    if (!/^env_?list$/.test(key)) continue;
    const names = value.split(/[\s,]+/).filter(Boolean);
    // After a brace that is open, names are parts of others.
    if (hasMore || !names.every(isToxName)) hasMore = true;
    else listed.push(...names);
  }
  const names = [...new Set([...listed, ...commands.keys()])];
  return {
    tasks: names.map((name) => ({
      name,
      ...(commands.get(name)?.length && { runs: commands.get(name)!.join(' && ') }),
    })),
    hasMore,
  };
}

function isToxName(name: string): boolean {
  return /^[\w.-]+$/.test(name);
}
