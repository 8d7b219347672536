import { formatPath, type WorkspaceRoot } from '@bae/workspace';
import { makeFingerprint, type Script } from './script.ts';

/** A task that a file names, and what it runs where the file says that plainly. */
interface NamedTask {
  readonly name: string;
  readonly runs?: string;
}

/** A program for tasks whose names can be read from its file, which is not run for it. */
interface TaskRunner {
  readonly command: readonly [string, ...string[]];
  readonly files: readonly string[];
  readonly read: (text: string) => readonly NamedTask[];
  /** What a file has that defines tasks under names which only running it tells. */
  readonly hides?: RegExp;
  /** True for a program that is one of the packages of the project. */
  readonly isPackage?: boolean;
}

const RUNNERS: readonly TaskRunner[] = [
  {
    command: ['jake'],
    files: ['Jakefile', 'Jakefile.js', 'jakefile', 'jakefile.js'],
    read: readJakeTasks,
    hides: /\btask\s*\(\s*(?:[^\s'"`)]|`[^`\n]*\$\{)|\b(?:test|package|publish)Task\s*\(|\bnew\s+(?:jake\.)?\w+Task\b/i,
    isPackage: true,
  },
  {
    command: ['grunt'],
    files: ['Gruntfile.js', 'gruntfile.js', 'Gruntfile.cjs', 'Gruntfile.ts'],
    read: (text) => readMatches(dropComments(text), /\bregister(?:Multi)?Task\s*\(\s*(["'`])(?<name>[\w:.-]+)\1/g),
    hides: /\bregister(?:Multi)?Task\s*\(\s*[^\s'"`]|\bloadNpmTasks\b|\bloadTasks\b|load-grunt|jit-grunt/,
    isPackage: true,
  },
  {
    command: ['gulp'],
    files: ['gulpfile.js', 'gulpfile.mjs', 'gulpfile.cjs', 'gulpfile.ts', 'Gulpfile.js', 'gulpfile.babel.js'],
    read: (text) =>
      readMatches(
        dropComments(text),
        /\btask\s*\(\s*(["'`])(?<name>[\w:.-]+)\1|^(?:module\.)?exports\.(?<set>[\w$]+)\s*=|^export\s+(?:const|let|var|(?:async\s+)?function\*?)\s+(?<made>[\w$]+)|^export\s+(?<unnamed>default)\b/gm,
      ),
    hides: /\btask\s*\(\s*[A-Za-z`]|^(?:module\.)?exports\s*=|^(?:module\.)?exports\[|^export\s*(?:\{|\*)|require-dir/m,
    isPackage: true,
  },
  {
    command: ['task'],
    files: ['Taskfile.yml', 'Taskfile.yaml', 'taskfile.yml', 'taskfile.yaml'],
    read: readTaskfile,
    hides: /^includes:/m,
  },
  { command: ['deno', 'task'], files: ['deno.json', 'deno.jsonc'], read: readDenoTasks },
  {
    command: ['tox', '-e'],
    files: ['tox.ini'],
    read: readToxTasks,
    hides: /^env_?list\s*=(?:.*|(?:\n[ \t].*)*)\{/m,
  },
  {
    command: ['nox', '-s'],
    files: ['noxfile.py'],
    read: (text) =>
      readMatches(
        text,
        /^@(?:nox\.)?session\b(?:\((?:[^()]*?\bname\s*=\s*(["'])(?<name>[^"'\n]+)\1)?[^()]*(?:\([^()]*\)[^()]*)*\))?\s*\n(?:@.*\n)*def\s+(?<made>\w+)/gm,
      ),
    hides: /\bsession\s*\([^)]*\bname\s*=\s*(?!["'\s])/,
  },
];

interface FoundRunner {
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
    found.push({ runner, file, text });
  }
  return found;
}

/** Lists the tasks of Jake, Grunt, gulp, Task, Deno, tox and nox whose names are in their files. */
export async function listRunnerScripts(root: WorkspaceRoot, folder: string): Promise<readonly Script[]> {
  const scripts: Script[] = [];
  for (const { runner, file, text } of await findRunners(root, folder)) {
    const [program, ...args] = runner.command;
    const isInstalled = runner.isPackage === true && (await hasProgram(root, folder, program));
    const command: Script['command'] = isInstalled ? ['npx', '--no-install', program, ...args] : runner.command;
    for (const { name, runs = `what ${formatPath(file)} says` } of runner.read(text))
      scripts.push({
        name,
        file,
        steps: [{ name, text: runs }],
        fingerprint: makeFingerprint(file, text),
        command: [...command, name],
      });
  }
  return scripts;
}

/** Says which files may define tasks whose names only running them would tell. */
export async function describeHiddenTasks(root: WorkspaceRoot, folder: string): Promise<readonly string[]> {
  const found = await findRunners(root, folder);
  return found
    .filter(({ runner, text }) => runner.hides?.test(dropComments(text)) === true)
    .map(({ file }) => `${formatPath(file)} may define more tasks, under names that are only known when it runs.`);
}

async function hasProgram(root: WorkspaceRoot, folder: string, program: string): Promise<boolean> {
  const places = folder === '' ? [''] : [`${folder}/`, ''];
  const found = await Promise.all(places.map((place) => root.exists(`${place}node_modules/.bin/${program}`)));
  return found.includes(true);
}

/** Reads the names that a pattern finds, each once. */
function readMatches(text: string, pattern: RegExp): readonly NamedTask[] {
  const names = Array.from(text.matchAll(pattern), ({ groups = {} }) => Object.values(groups).find(Boolean) ?? '');
  return [...new Set(names)].map((name) => ({ name }));
}

/** Removes comments that are lines of their own. */
function dropComments(text: string): string {
  return text.replaceAll(/^[ \t]*(?:\/\/|#).*$|^[ \t]*\/\*[^]*?(?:\*\/|$(?![^]))/gm, '');
}

/** Reads `task('name', …)`, with the names of the namespaces around it: `doc:build`. */
function readJakeTasks(text: string): readonly NamedTask[] {
  const code = dropComments(text);
  const spaces: { readonly name: string; readonly end: number }[] = [];
  const names: string[] = [];
  for (const { index, groups = {} } of code.matchAll(
    /(?<![\w$.])(?:jake\.)?(?<kind>task|namespace)\s*\(\s*(["'`])(?<name>[\w.-]+)\2/g,
  )) {
    const { kind, name = '' } = groups;
    while (spaces.length > 0 && spaces.at(-1)!.end < index) spaces.pop();
    if (kind === 'namespace') spaces.push({ name, end: findCallEnd(code, code.indexOf('(', index)) });
    else names.push([...spaces.map((space) => space.name), name].join(':'));
  }
  return [...new Set(names)].map((name) => ({ name }));
}

/** Returns the index of the bracket that closes the one at an index; strings are left out. */
function findCallEnd(text: string, from: number): number {
  let depth = 0;
  for (const { index, 0: sign } of text.slice(from).matchAll(/'[^'\n]*'|"[^"\n]*"|[()]/g)) {
    if (sign === '(') depth++;
    if (sign === ')' && --depth === 0) return from + index;
  }
  return text.length;
}

/** Reads the keys below `tasks:`, and what they run if that is a list of commands. */
function readTaskfile(text: string): readonly NamedTask[] {
  const [, block = ''] = /^tasks:[ \t]*\n((?:[ \t]+.*(?:\n|$)|[ \t]*\n|#.*\n)*)/m.exec(text) ?? [];
  const indent = /^[ \t]+(?=[^\s#])/m.exec(block)?.[0];
  if (indent === undefined) return [];
  const parts = block.split(new RegExp(`^${indent}(?=[^\\s#])`, 'm')).slice(1);
  return parts.flatMap((part) => {
    const { name, rest = '' } = /^(["']?)(?<name>[\w:.-]+)\1:(?<rest>[^]*)$/.exec(part)?.groups ?? {};
    if (name === undefined || /^\s+internal:\s*true/m.test(rest)) return [];
    const inline = /^(["']?)(?<line>[^\s{[#][^\n]*)\1$/.exec(rest.trim())?.groups?.['line'];
    const runs = inline ?? Array.from(rest.matchAll(/^\s+- (?!task:|\w+:\s)(.*)$/gm), ([, line]) => line).join(' && ');
    return [{ name, ...(runs !== '' && { runs }) }];
  });
}

/** Reads the tasks of Deno: a command, or an object with one. */
function readDenoTasks(text: string): readonly NamedTask[] {
  try {
    const { tasks } = JSON.parse(dropComments(text).replaceAll(/,(?=\s*[}\]])/g, '')) as { readonly tasks?: object };
    return Object.entries(tasks ?? {}).map(([name, value]: [string, unknown]) => {
      const runs = typeof value === 'object' && value !== null && 'command' in value ? value.command : value;
      return { name, ...(typeof runs === 'string' && { runs }) };
    });
  } catch {
    return [];
  }
}

/** Reads the environments of tox that have a section or are named in its list. */
function readToxTasks(text: string): readonly NamedTask[] {
  const list = /^env_?list\s*=((?:.*)(?:\n[ \t].*)*)/m.exec(text)?.[1] ?? '';
  const listed = list.split(/[\s,]+/).filter((name) => /^[\w.-]+$/.test(name));
  const sections = new Map(
    Array.from(text.matchAll(/^\[testenv:(?<name>[\w.-]+)\]\n(?<body>(?:(?!\[).*(?:\n|$))*)/gm), ({ groups = {} }) => {
      const { name = '', body = '' } = groups;
      const commands = /^commands\s*=((?:.*)(?:\n[ \t].*)*)/m.exec(body)?.[1] ?? '';
      return [
        name,
        commands
          .split('\n')
          .map((line) => line.trim())
          .filter(Boolean)
          .join(' && '),
      ] as const;
    }),
  );
  return [...new Set([...listed, ...sections.keys()])].map((name) => {
    const runs = sections.get(name);
    return { name, ...(runs !== undefined && runs !== '' && { runs }) };
  });
}
