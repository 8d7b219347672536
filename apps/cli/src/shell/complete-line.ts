import type { Agent, SpaceDefinition, SpaceTree } from '@bae/core';
import { toCodeName } from '@bae/core/pipeline';
import type { TypingHelp } from '../terminal/keyboard.ts';
import { listTools, MOVES, type ShellPlace } from './shell-input.ts';

/** Possible endings of a line, and the part of the line (`typed`) that they replace. */
export interface Completion {
  readonly candidates: readonly string[];
  readonly typed: string;
}

/** Lists the names in a folder of the workspace, subfolders with a trailing slash. Empty if it is not a folder. */
export type ListFolder = (folder: string) => Promise<readonly string[]>;

/** Short tags of the common verbs. */
const TAGS: Readonly<Record<string, string>> = { read: 'R', write: 'W', edit: 'E', glob: 'G', grep: 'Grep' };
const COMMANDS = ['help', 'code', 'exit', ...MOVES];

type Spot = Pick<ShellPlace, 'tree' | 'location'>;

/** What can be typed, and where. */
export interface CompletionPlace extends Omit<ShellPlace, 'commands'> {
  /** Commands of bae by name, with the words that may follow them. Default: none. */
  readonly commands?: Readonly<Record<string, { readonly words?: () => readonly string[] }>>;
}

/** Completes lines with the places and tools of a session, commands, and the files of a folder. */
export function completeWith(
  getShell: () => { readonly agent: Agent; readonly inCode: boolean },
  listCommands: () => CompletionPlace['commands'],
  listFolder: ListFolder,
): Pick<TypingHelp, 'complete'> {
  return {
    complete: (line) => {
      const { agent, inCode } = getShell();
      const { tree, location } = agent;
      return completeLine(line, { tree, location, inCode, commands: listCommands() ?? {} }, listFolder);
    },
  };
}

/** Maximum number of addresses that a place is asked for. */
const MOST_ADDRESSES = 100;

/** Completes places, tools, commands, paths and addresses in a tag, a move, a call or a command. */
export async function completeLine(line: string, place: CompletionPlace, listFolder: ListFolder): Promise<Completion> {
  const [, command = '', word] = /^\/([\w:-]+)\s+(\S*)$/.exec(line) ?? [];
  const words = word === undefined ? undefined : place.commands?.[command]?.words?.();
  if (words !== undefined) return complete(words, word!);
  // A line for the shell of the machine.
  const file = place.inCode === true ? undefined : /^!(?:.*\s)?([^\s'"]*)$/.exec(line)?.[1];
  if (file !== undefined) return /\s/.test(line) ? completePath(file, listFolder) : NOTHING;
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
  const parameter = completeNamedArgument(line, place);
  if (parameter !== undefined) return parameter;
  if (place.inCode === true && !line.startsWith('/')) {
    const code = /(?:^|[^\w.])([A-Za-z_][\w.]*)$/.exec(line)?.[1];
    return code === undefined ? NOTHING : complete(listTypableCalls(place, toCodeName), code);
  }
  // A file to be attached to a question.
  const attached = /\s@([\w./-]*)$/.exec(line)?.[1];
  if (attached !== undefined) return completeAttached(attached, listFolder);
  const typed = /[<@/\w.()-]*$/.exec(line)?.[0] ?? '';
  if (typed !== line.trimStart()) return NOTHING;
  const files = typed.startsWith('@') ? (await completeAttached(typed.slice(1), listFolder)).candidates : [];
  return complete([...listStarts(place, typed), ...files.map((path) => `@${path}`)], typed);
}

const NOTHING: Completion = { candidates: [], typed: '' };

function complete(all: readonly string[], typed: string): Completion {
  return { candidates: [...new Set(all)].filter((one) => one.startsWith(typed) && one !== typed), typed };
}

/** Completes the name of a parameter in a call with a value before it: `grep("x", pa`. */
function completeNamedArgument(line: string, spot: Spot): Completion | undefined {
  const [, name = '', typed] = /(?:^|\W)([A-Za-z_][\w.]*)\([^()]*[,{]\s*(\w*)$/.exec(line) ?? [];
  if (typed === undefined) return undefined;
  const path = name.split('.');
  const tool = path.pop()!;
  const found = findSpaces(path, spot)
    .flatMap((space) => Object.values(space.tools))
    .find((one) => toCodeName(one.name) === tool || one.name === tool);
  // The first parameter has a value without a name already, unless the names begin with it.
  const params = found?.spec.params.slice(/\(\s*\{/.test(line) ? 0 : 1).map((param) => `${param.name}: `);
  return (
    params &&
    complete(
      params.filter((one) => !line.includes(one)),
      typed,
    )
  );
}

/** Finds the spaces that a path may mean: from this location, or from home. */
function findSpaces(path: readonly string[], { tree, location }: Spot): readonly SpaceDefinition[] {
  return [[...location, ...path], path.filter((one) => one !== 'home')].flatMap((at) => tree.at(at) ?? []);
}

/** Returns the space whose tool a line calls. */
function findCalledSpace(line: string, spot: Spot): SpaceDefinition | undefined {
  const called = /^<([\w.-]+):|^(?:await\s+)?@?([\w.-]+)\(/.exec(line);
  const path = (called?.[1] ?? called?.[2] ?? '').split('.').slice(0, -1);
  return path.length === 0 ? spot.tree.at(spot.location) : findSpaces(path, spot)[0];
}

/** Completes the name of a parameter in the tag of a tool. */
function completeParameter(called: string, typed: string, spot: Spot): Completion {
  const path = called.split('.');
  const tag = path.pop()!;
  const name = Object.keys(TAGS).find((tool) => TAGS[tool] === tag) ?? tag.toLowerCase();
  const space = findSpaces(path, spot).find(({ tools }) => tools[name] !== undefined);
  const names = space?.tools[name]?.spec.params.map((param) => `${param.name}=`) ?? [];
  return { candidates: names.filter((one) => one.startsWith(typed)), typed };
}

/** Completes the path after `@`; such a path cannot contain blanks. */
async function completeAttached(typed: string, listFolder: ListFolder): Promise<Completion> {
  const { candidates } = await completePath(typed, listFolder);
  return { candidates: candidates.filter((path) => /^[\w./-]+$/.test(path)), typed };
}

async function completePath(typed: string, listFolder: ListFolder): Promise<Completion> {
  const slash = typed.lastIndexOf('/') + 1;
  const [folder, start] = [typed.slice(0, slash), typed.slice(slash)];
  const names = (await listFolder(folder === '' ? '.' : folder)).filter((name) => name.startsWith(start));
  // Hidden files are listed only if the typed name begins with a dot.
  const shown = start === '' ? names.filter((name) => !name.startsWith('.')) : names;
  return { candidates: shown.map((name) => folder + name), typed };
}

/** Lists everything that a line may begin with at this location, after the beginning of a path such as `source.`. */
function listStarts(place: CompletionPlace, typed: string): readonly string[] {
  const { tree, location, commands = {} } = place;
  const tools = listTools({ tree, location });
  const places = collectPlaces(tree, []);
  const [entered] = /^@?[\w.-]+\(\)\./.exec(typed) ?? [];
  return [
    ...tools.map((tool) => `<${TAGS[tool] ?? tool}:`),
    ...places.map((name) => `@${name}()`),
    ...(typed === '' ? places.map((name) => `${name}()`) : listTypableCalls(place, (name) => name)),
    ...(entered === undefined
      ? []
      : listToolsOf(tree, entered.replaceAll(/[@()]/g, '')).map((tool) => `${entered}${tool}(`)),
    ...MOVES.map((name) => `@${name}()`),
    ...[...COMMANDS, ...Object.keys(commands), ...tools].map((name) => `/${name}`),
  ];
}

/** Lists the calls that a line may begin with: the tools of this location, and all places with their tools. */
function listTypableCalls({ tree, location }: Spot, write: (tool: string) => string): readonly string[] {
  return [
    ...listTools({ tree, location }).map((tool) => `${write(tool)}(`),
    ...collectPlaces(tree, []).flatMap((name) => [
      `${name}()`,
      ...listToolsOf(tree, `${name}.`).map((tool) => `${name}.${write(tool)}(`),
    ]),
  ];
}

/** Lists the tools of a place, whose path ends with a full stop. */
function listToolsOf(tree: SpaceTree, path: string): readonly string[] {
  const names = path.slice(0, -1).split('.');
  return Object.keys(tree.at(names[0] === 'home' ? names.slice(1) : names)?.tools ?? {});
}

function collectPlaces(tree: SpaceTree, at: readonly string[]): readonly string[] {
  if (at.length > 4) return [];
  return tree.below(at).flatMap(({ name }) => [[...at, name].join('.'), ...collectPlaces(tree, [...at, name])]);
}
