import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { ConfigurationError, defineResourcespace, InvalidSpaceError } from '@bae/core';
import { UsageError } from '../command-line/errors.ts';

export type ScaffoldFiles = ReadonlyMap<string, string>;

/** Reads the files below several folders; those of a later folder replace those of an earlier one. */
export function readLayers(folders: readonly string[]): ScaffoldFiles {
  const files = folders.flatMap((folder) => listFiles(folder).map((path) => ({ folder, path })));
  return new Map(files.map(({ folder, path }) => [path, readFileSync(join(folder, path), 'utf8')]));
}

/** Writes files into a new or empty folder. @throws ConfigurationError when it is not empty, or cannot be written */
export function writeScaffold(folder: string, files: ScaffoldFiles): void {
  if (listEntries(folder).some((name) => name !== '.git')) {
    const problem = `${folder} already exists and is not empty. Nothing was written.`;
    throw new ConfigurationError(problem, ['--dir DIR with a folder that does not exist yet']);
  }
  try {
    for (const [path, text] of files) {
      mkdirSync(join(folder, dirname(path)), { recursive: true });
      writeFileSync(join(folder, path), text, { flag: 'wx' });
    }
  } catch (error) {
    throw new ConfigurationError(`${folder} cannot be written: ${(error as Error).message}.`, ['--dir DIR'], error);
  }
}

function listFiles(folder: string): readonly string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((one) => one.isFile()).map(({ parentPath, name }) => relative(folder, join(parentPath, name)));
}

function listEntries(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return [];
    throw new ConfigurationError(`${folder} cannot be used: ${message}.`, ['--dir DIR'], error);
  }
}

/** Name in the forms for files and code: `snow-report`, `snow_report`, `snowReport`, `SnowReport`. */
export interface ScaffoldNames {
  readonly name: string;
  readonly identifier: string;
  readonly camel: string;
  readonly pascal: string;
}

const NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const LONGEST = 50;
const KEYWORDS =
  'await break case catch class const constructor continue debugger default delete do else enum export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof var void while with yield';
/** Names that no export can have, or that every object has. */
const RESERVED = new Set(KEYWORDS.split(' '));
const PREFIX = /^(bae-)?(resourcespace-)?/;

/** Derives the forms of a name. @throws UsageError that suggests the nearest valid name */
export function deriveNames(given: string): ScaffoldNames {
  const problem = findNameProblem(given);
  if (problem !== undefined) {
    const { reason, nearest } = problem;
    throw new UsageError(`${JSON.stringify(given)} cannot be the name: ${reason}. Did you mean ${nearest}?`);
  }
  const pascal = given.replaceAll(/(?:^|-)(.)/g, (_, letter: string) => letter.toUpperCase());
  const camel = pascal.replace(/^./, (letter) => letter.toLowerCase());
  return { name: given, identifier: given.replaceAll('-', '_'), camel, pascal };
}

/** Explains in a clause why a name is invalid, and suggests the nearest valid one; undefined for a valid name. */
export function findNameProblem(given: string): { readonly reason: string; readonly nearest: string } | undefined {
  const reason = explainName(given);
  return reason === undefined ? undefined : { reason, nearest: suggestName(given) };
}

function explainName(given: string): string | undefined {
  if (!NAME.test(given)) return 'it consists of lowercase letters, digits and single -, and begins with a letter';
  if (given.length > LONGEST) return `it has at most ${LONGEST} characters`;
  if (given.startsWith('bae-resourcespace-')) return 'that prefix is added automatically';
  if (RESERVED.has(given)) return 'it is a reserved word in JavaScript';
  return isTaken(given) ? 'it already has a meaning in bae' : undefined;
}

function isTaken(name: string): boolean {
  try {
    defineResourcespace({ name, description: name, tools: {} });
    return false;
  } catch (error) {
    if (error instanceof InvalidSpaceError) return true;
    throw error;
  }
}

function suggestName(given: string): string {
  const words = given
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(PREFIX, '')
    .replace(/^[^a-z]+/, '')
    .slice(0, LONGEST)
    .replace(/-+$/, '');
  if (words === '') return 'notes';
  return explainName(words) === undefined ? words : `my-${words}`;
}
