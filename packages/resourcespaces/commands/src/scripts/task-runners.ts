import { formatPath, type WorkspaceRoot } from '@bae/workspace';
import { makeFingerprint, type Script } from './script.ts';
import { NOT_READ, type ReadTasks, readDenoTasks, readTaskfile, readToxTasks } from './task-files.ts';

/** Task runner whose task names can be read from its file without running it. */
interface TaskRunner {
  readonly command: readonly [string, ...string[]];
  readonly files: readonly string[];
  readonly read: (text: string) => ReadTasks;
  /** True for a program that is one of the packages of the project. */
  readonly isPackage?: boolean;
  /** True if what follows the name of a task is given to it, and is no other task. */
  readonly passesWords?: boolean;
}

/** Matches files that may define tasks whose names are known only at run time. */
const HIDING = {
  jake: /\btask\s*\(\s*(?:[^\s'"`)]|`[^`\n]*\$\{)|\b(?:test|package|publish)Task\s*\(|\bnew\s+(?:jake\.)?\w+Task\b/i,
  grunt: /\bregister(?:Multi)?Task\s*\(\s*[^\s'"`]|\bloadNpmTasks\b|\bloadTasks\b|load-grunt|jit-grunt/,
  gulp: /\btask\s*\(\s*[A-Za-z`]|^(?:module\.)?exports\s*=|^(?:module\.)?exports\[|^export\s*(?:\{|\*)|require-dir/m,
};

const GRUNT_TASK = /\bregister(?:Multi)?Task\s*\(\s*(["'`])(?<name>[\w:.-]+)\1/g;
const GULP_TASK =
  /\btask\s*\(\s*(["'`])(?<name>[\w:.-]+)\1|^(?:module\.)?exports\.(?<set>[\w$]+)\s*=|^export\s+(?:const|let|var|(?:async\s+)?function\*?)\s+(?<made>[\w$]+)|^export\s+(?<unnamed>default)\b/gm;

/** Length of the longest file that is read for names. */
const MAX_LENGTH = 64 * 1024;

const RUNNERS: readonly TaskRunner[] = [
  {
    command: ['jake'],
    files: ['Jakefile', 'Jakefile.js', 'jakefile', 'jakefile.js'],
    read: (text) => readTaskCode(text, readJakeNames, HIDING.jake),
    isPackage: true,
  },
  {
    command: ['grunt'],
    files: ['Gruntfile.js', 'gruntfile.js', 'Gruntfile.cjs', 'Gruntfile.ts'],
    read: (text) => readTaskCode(text, (code) => readMatches(code, GRUNT_TASK), HIDING.grunt),
    isPackage: true,
  },
  {
    command: ['gulp'],
    files: ['gulpfile.js', 'gulpfile.mjs', 'gulpfile.cjs', 'gulpfile.ts', 'Gulpfile.js', 'gulpfile.babel.js'],
    read: (text) => readTaskCode(text, (code) => readMatches(code, GULP_TASK), HIDING.gulp),
    isPackage: true,
  },
  {
    command: ['task'],
    files: ['Taskfile.yml', 'Taskfile.yaml', 'taskfile.yml', 'taskfile.yaml'],
    read: readTaskfile,
  },
  { command: ['deno', 'task'], files: ['deno.json', 'deno.jsonc'], read: readDenoTasks, passesWords: true },
  { command: ['tox', '-e'], files: ['tox.ini'], read: readToxTasks },
  { command: ['nox', '-s'], files: ['noxfile.py'], read: readNoxTasks },
];

interface FoundRunner extends ReadTasks {
  readonly runner: TaskRunner;
  readonly file: string;
  readonly text: string;
}

/** Finds the files of task runners in a folder. */
async function findRunners(root: WorkspaceRoot, folder: string): Promise<readonly FoundRunner[]> {
  const names = new Set(await root.list(folder));
  const found: FoundRunner[] = [];
  for (const runner of RUNNERS) {
    const name = runner.files.find((one) => names.has(one));
    if (name === undefined) continue;
    const file = folder === '' ? name : `${folder}/${name}`;
    const { text } = await root.readText(file);
    const read = text.length > MAX_LENGTH ? NOT_READ : runner.read(text.replaceAll('\r\n', '\n'));
    found.push({ runner, file, text, ...read });
  }
  return found;
}

/** Lists the tasks of Jake, Grunt, gulp, Task, Deno, tox and nox whose names are in their files. */
export async function listRunnerScripts(root: WorkspaceRoot, folder: string): Promise<readonly Script[]> {
  const scripts: Script[] = [];
  for (const { runner, file, text, tasks } of await findRunners(root, folder)) {
    const [program, ...args] = runner.command;
    const isInstalled = runner.isPackage === true && (await hasProgram(root, folder, program));
    const command: Script['command'] = isInstalled ? ['npx', '--no-install', program, ...args] : runner.command;
    for (const { name, runs = `what ${formatPath(file)} says` } of tasks)
      scripts.push({
        name,
        file,
        steps: [{ name, text: runs }],
        fingerprint: makeFingerprint(file, text),
        command: [...command, name],
        ...(runner.passesWords !== true && { takesWords: false }),
      });
  }
  return scripts;
}

/** Says which files may define more tasks than were found. */
export async function describeHiddenTasks(root: WorkspaceRoot, folder: string): Promise<readonly string[]> {
  const found = await findRunners(root, folder);
  return found
    .filter(({ hasMore }) => hasMore)
    .map(({ file }) => `${formatPath(file)} may define more tasks, whose names could not be read from it.`);
}

async function hasProgram(root: WorkspaceRoot, folder: string, program: string): Promise<boolean> {
  const places = folder === '' ? [''] : [`${folder}/`, ''];
  const found = await Promise.all(places.map((place) => root.exists(`${place}node_modules/.bin/${program}`)));
  return found.includes(true);
}

/** Reads the names in code, without its comments. */
function readTaskCode(text: string, read: (code: string) => readonly string[], hiding: RegExp): ReadTasks {
  const code = dropComments(text);
  return { tasks: Array.from(new Set(read(code)), (name) => ({ name })), hasMore: hiding.test(code) };
}

/** Reads the names that a pattern finds. */
function readMatches(text: string, pattern: RegExp): readonly string[] {
  return Array.from(text.matchAll(pattern), ({ groups = {} }) => Object.values(groups).find(Boolean) ?? '');
}

/** Removes comments that are lines of their own. */
function dropComments(text: string): string {
  return text.replaceAll(/^[ \t]*(?:\/\/|#).*$|^[ \t]*\/\*[^]*?(?:\*\/|$(?![^]))/gm, '');
}

/** Matches what a Jakefile defines, or else a string or parenthesis; parentheses in strings are skipped. */
const JAKE_PART =
  /(?<![\w$.])(?:jake\.)?(?<kind>task|namespace)\s*\(\s*(["'`])(?<name>[\w.-]+)\2|'[^'\n]*'|"[^"\n]*"|[()]/g;

/** Reads `task('name', …)`, with the names of the namespaces around it: `doc:build`. */
function readJakeNames(code: string): readonly string[] {
  const spaces: { readonly name: string; readonly depth: number }[] = [];
  const names: string[] = [];
  let depth = 0;
  for (const { 0: part, groups = {} } of code.matchAll(JAKE_PART)) {
    const { kind, name = '' } = groups;
    if (kind === 'task') names.push([...spaces.map((space) => space.name), name].join(':'));
    if (kind === 'namespace') spaces.push({ name, depth });
    if (kind !== undefined || part === '(') depth++;
    if (part === ')') depth--;
    if (part === ')' && spaces.at(-1)?.depth === depth) spaces.pop();
  }
  return names;
}

/** Reads the names of nox: of a session, or of its function. */
function readNoxTasks(text: string): ReadTasks {
  const names: string[] = [];
  let hasMore = false;
  let from = 0;
  for (const { index, 1: made = '' } of text.matchAll(/^(?:async[ \t]+)?def[ \t]+(\w+)/gm)) {
    const before = text.slice(from, index);
    from = index;
    const call = /^@(?:nox\.)?session\b([^]*?)(?:^@|$(?![^]))/m.exec(before)?.[1];
    if (call === undefined) continue;
    const [, quote, name] = /\bname\s*=\s*(?:(["'])([^"'\n]+)\1)?/.exec(call) ?? ['', 'none', made];
    if (name === undefined || quote === undefined) hasMore = true;
    else names.push(name);
  }
  return { tasks: Array.from(new Set(names), (name) => ({ name })), hasMore };
}
