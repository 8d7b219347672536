import type { Agent, SpaceDefinition, SpaceTree } from '@bae/core';
import type { TypingHelp } from '../terminal/keyboard.ts';
import { listTools, type ShellPlace } from './shell-input.ts';

/** Possible endings of a line, and the part of the line (`typed`) that they replace. */
export interface Completion {
  readonly candidates: readonly string[];
  readonly typed: string;
}

/** Lists the names in a folder of the workspace, subfolders with a trailing slash. Empty if it is not a folder. */
export type ListFolder = (folder: string) => Promise<readonly string[]>;

/** Short tags of the common verbs. */
const TAGS: Readonly<Record<string, string>> = { read: 'R', write: 'W', edit: 'E', glob: 'G', grep: 'Grep' };
const COMMANDS = ['help', 'code', 'exit', 'home', 'back', 'up', 'nav'];
const MOVES = ['@home()', '@back()', '@up()', '@nav()'];

/** Completes lines with the places and tools of an agent, commands, and the files of a folder. */
export function completeWith(
  getAgent: () => Agent,
  listCommands: () => readonly string[],
  listFolder: ListFolder,
): Pick<TypingHelp, 'complete'> {
  return {
    complete: (line) => {
      const { tree, location } = getAgent();
      return completeLine(line, { tree, location, commands: listCommands() }, listFolder);
    },
  };
}

/** Maximum number of addresses that a place is asked for. */
const MOST_ADDRESSES = 100;

/** Completes places, tools, commands, paths and addresses in a tag, a move, a call or a command. */
export async function completeLine(line: string, place: ShellPlace, listFolder: ListFolder): Promise<Completion> {
  const path = /(?:<[\w.]+:|^\/\w+\s+|\bpath=|["'])([^\s<>"'=]*)$/.exec(line)?.[1];
  if (path !== undefined && /^<|^\/\w+\s|\(["'][^"']*$/.test(line)) {
    const space = findCalledSpace(line, place);
    const files = space?.complete === undefined ? await completePath(path, listFolder) : undefined;
    if (files !== undefined && (files.candidates.length > 0 || !/^[\p{L}_$]/u.test(path))) return files;
    // Read at home, the name of a symbol leads to the place that has it.
    const spaces = files === undefined ? [space] : place.tree.below([]).map(({ name }) => place.tree.at([name]));
    const found = spaces.map(async (one) => (await one?.complete?.(path, MOST_ADDRESSES)) ?? []);
    return { candidates: (await Promise.all(found)).flat(), typed: path };
  }
  const [, called, typedName] = /^<([\w.-]+):[^<>]*\s(\w*)$/.exec(line) ?? [];
  if (called !== undefined) {
    const { candidates, typed } = completeParameter(called, typedName!, place);
    return { candidates: candidates.filter((one) => !line.includes(` ${one}`)), typed };
  }
  // A file to be attached to a question.
  const attached = /\s@([\w./-]*)$/.exec(line)?.[1];
  if (attached !== undefined) return completePath(attached, listFolder);
  const typed = /[<@/\w.-]*$/.exec(line)?.[0] ?? '';
  if (typed !== line.trimStart()) return { candidates: [], typed: '' };
  return { candidates: listStarts(place).filter((one) => one.startsWith(typed) && one !== typed), typed };
}

/** Returns the space whose tool a line calls. */
function findCalledSpace(line: string, { tree, location }: ShellPlace): SpaceDefinition | undefined {
  const called = /^<([\w.-]+):|^(?:await\s+)?@?([\w.-]+)\(/.exec(line);
  const path = (called?.[1] ?? called?.[2] ?? '').split('.').slice(0, -1);
  const places = path.length === 0 ? [location] : [[...location, ...path], path.filter((one) => one !== 'home')];
  return places.map((at) => tree.at(at)).find((space) => space !== undefined);
}

/** Completes the name of a parameter in the tag of a tool. */
function completeParameter(called: string, typed: string, { tree, location }: ShellPlace): Completion {
  const path = called.split('.');
  const tag = path.pop()!;
  const name = Object.keys(TAGS).find((tool) => TAGS[tool] === tag) ?? tag.toLowerCase();
  const places = [[...location, ...path], path.filter((one) => one !== 'home')];
  const tool = places.map((at) => tree.at(at)?.tools[name]).find((one) => one !== undefined);
  const names = tool?.spec.params.map((param) => `${param.name}=`) ?? [];
  return { candidates: names.filter((one) => one.startsWith(typed)), typed };
}

async function completePath(typed: string, listFolder: ListFolder): Promise<Completion> {
  const slash = typed.lastIndexOf('/') + 1;
  const [folder, start] = [typed.slice(0, slash), typed.slice(slash)];
  const names = (await listFolder(folder === '' ? '.' : folder)).filter((name) => name.startsWith(start));
  // Hidden files are listed only if the typed name begins with a dot.
  const shown = start === '' ? names.filter((name) => !name.startsWith('.')) : names;
  return { candidates: shown.map((name) => folder + name), typed };
}

/** Lists everything that a line may begin with at this location. */
function listStarts({ tree, location, commands = [] }: ShellPlace): readonly string[] {
  const tools = listTools({ tree, location });
  const places = collectPlaces(tree, []);
  return [
    ...tools.map((tool) => `<${TAGS[tool] ?? tool}:`),
    ...places.map((name) => `@${name}()`),
    ...places.map((name) => `${name}()`),
    ...MOVES,
    ...[...COMMANDS, ...commands, ...tools].map((name) => `/${name}`),
  ];
}

function collectPlaces(tree: SpaceTree, at: readonly string[]): readonly string[] {
  if (at.length > 4) return [];
  return tree.below(at).flatMap(({ name }) => [[...at, name].join('.'), ...collectPlaces(tree, [...at, name])]);
}
