import { dirname, join } from 'node:path';
import type { ToolContext } from '@bae/core';
import { findProgram, listMissingPackages, usesPlugAndPlay } from '@bae/project';
import type { WorkspaceRoot } from '@bae/workspace';
import type { Script } from './script.ts';

/** Words of a shell that no file has to be there for, or that run the program that follows them. */
const SHELL_WORDS = new Set(
  'alias bg break cd command continue echo eval exec exit export false fg hash if jobs printf pwd read return set shift source test then time times trap true type ulimit umask unset wait while for until case do done else elif esac fi function'.split(
    ' ',
  ),
);
/** What decides about a command in a way that is not followed here: alternatives, and texts that a shell computes. */
const UNCERTAIN = /\|\||[`(){}]|\$\(|['"]/;
const QUOTED = /'[^']*'|"(?:[^"\\]|\\[^])*"/g;
/** Finds the programs that run scripts and are not installed, besides package managers. */
async function findMissingRunners({ folder }: WorkspaceRoot, scripts: readonly Script[]): Promise<ReadonlySet<string>> {
  const runners = new Set(scripts.filter(({ missing }) => missing === undefined).map(({ command }) => command[0]));
  const found = await Promise.all(Array.from(runners, (program) => findProgram(program, { folder })));
  return new Set([...runners].filter((_, index) => found[index] === undefined));
}

/** Finds for each script that cannot run the first program that it calls and that is not installed, where that is certain. */
async function findMissingTools(root: WorkspaceRoot, scripts: readonly Script[]): Promise<ReadonlyMap<Script, string>> {
  const ofPackages = scripts.filter(({ file }) => /(?:^|\/)package\.json$/.test(file));
  if (ofPackages.length === 0 || (await usesPlugAndPlay(root))) return new Map();
  const known = new Map<string, Promise<boolean>>();
  const isThere = (name: string, folder: string): Promise<boolean> => {
    const key = join(folder, name);
    const found = known.get(key) ?? isFound(name, folder);
    known.set(key, found);
    return found;
  };
  const missing = new Map<Script, string>();
  for (const script of ofPackages) {
    const folder = join(root.folder, dirname(script.file));
    for (const name of script.steps.flatMap(({ text }) => listPrograms(text))) {
      if (await isThere(name, folder)) continue;
      missing.set(script, name);
      break;
    }
  }
  return missing;
}

/** For each script that cannot run, finds the program that is not installed: its runner, or one that it calls. */
export async function findMissing(
  root: WorkspaceRoot,
  scripts: readonly Script[],
): Promise<ReadonlyMap<Script, string>> {
  const runners = await findMissingRunners(root, scripts);
  const stuck = scripts.filter(({ command: [program] }) => runners.has(program));
  return new Map([
    ...(await findMissingTools(root, scripts)),
    ...stuck.map((script) => [script, script.command[0]] as const),
  ]);
}

/** Suggests the call that installs the packages of a folder, if some that its package.json names are not installed. */
export async function suggestInstall(root: WorkspaceRoot, folder: string): Promise<readonly string[]> {
  return (await listMissingPackages(root, folder)).length > 0 ? [`<source.deps.install:${folder}>`] : [];
}

/** Says in a sentence how the packages of a folder are installed, if some that its package.json names are not. */
export async function describeInstall(
  root: WorkspaceRoot,
  folder: string,
  tag: ToolContext['tag'] = (text) => text,
): Promise<readonly string[]> {
  return (await suggestInstall(root, folder)).map((call) => `${tag(call)} installs what package.json names.`);
}

/** Lists the programs that a command line runs one after the other. */
function listPrograms(line: string): readonly string[] {
  const text = line.replaceAll(QUOTED, '0');
  if (UNCERTAIN.test(text)) return [];
  return text.split(/&&|[;&|\n]/).flatMap((part) => {
    const name = part
      .trim()
      .split(/\s+/)
      .find((word) => !/^\w+=/.test(word));
    return name !== undefined && /^[A-Za-z][\w.-]*$/.test(name) && !SHELL_WORDS.has(name) ? [name] : [];
  });
}

/** Tests whether a script in a folder finds a program: in the packages there and in all folders above, or on the PATH. */
async function isFound(name: string, folder: string): Promise<boolean> {
  for (let at = folder; ; at = dirname(at)) {
    if ((await findProgram(join(at, 'node_modules', '.bin', name), { folder })) !== undefined) return true;
    if (at === dirname(at)) break;
  }
  // Unlike bae, a script may use a folder of the project that is on the PATH.
  return (await findProgram(name, { folder, project: join(folder, 'node_modules') })) !== undefined;
}
