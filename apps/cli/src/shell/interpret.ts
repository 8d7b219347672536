import { asModelText, findNearestName, type SpacePath, type SpaceTree } from '@bae/core';
import { parse, VERBS } from '@bae/core/pipeline';
import { collectNames } from '../space-outline.ts';

/** What a line of the shell means; `switch` turns code mode on or off, `mistake` explains a mistyped command. */
export type ShellInput =
  | { readonly kind: 'nothing' | 'exit' | 'switch' }
  | { readonly kind: 'tags' | 'question' | 'mistake'; readonly text: string }
  /** A question to another session; without a text, only the way there. */
  | { readonly kind: 'session'; readonly label: string; readonly text: string }
  /** A command of bae, with the words behind it. */
  | { readonly kind: 'command'; readonly name: string; readonly words: readonly string[] }
  /** A run block, and a hint in case it fails. */
  | { readonly kind: 'code'; readonly text: string; readonly hint?: string };

export interface ShellPlace {
  readonly tree: SpaceTree;
  readonly location: SpacePath;
  /** True when lines are taken as code. Default: false. */
  readonly inCode?: boolean;
  /** Commands of bae that can be typed with a slash before them. Default: none. */
  readonly commands?: readonly string[];
}

const MOVES = ['home', 'back', 'up', 'nav'];
const EXIT = /^\/?(exit|quit)(\(\))?$/;

/** Finds out what a person means by a line, or by several lines of a tag with a body. */
export function interpret(text: string, place: ShellPlace): ShellInput {
  const line = text.trim();
  if (line === '') return { kind: 'nothing' };
  if (EXIT.test(line)) return { kind: 'exit' };
  if (line === '?') return { kind: 'command', name: '?', words: [] };
  if (line === '/code') return { kind: 'switch' };
  if (line.startsWith('/code ')) return wrapCode(line.slice('/code '.length));
  const session = /^@(\d{1,3})(?:\s+([^]*))?$/.exec(line);
  if (session !== null && place.inCode !== true)
    return { kind: 'session', label: session[1]!, text: (session[2] ?? '').trim() };
  if (line.startsWith('!') && place.inCode !== true) return parseShellLine(line.slice(1).trim(), place);
  if (isCode(line, place)) return addHint(wrapCode(text), line, place);
  if (MOVES.includes(line)) return { kind: 'tags', text: `@${line}()` };
  const command = parseHelp(line, place) ?? parseSlashCommand(line, place) ?? parseCall(line, place);
  return command ?? classifyText(text, place);
}

/** True for a line that is code: in code mode, everything but tags and commands, mistyped ones too. */
export function isCode(line: string, place: ShellPlace): boolean {
  if (place.inCode !== true || line.trim() === '' || EXIT.test(line.trim())) return false;
  if (line.startsWith('<')) return classifyText(line, place).kind !== 'tags';
  if (/^@[\w.]+\(\)$/.test(line.trim())) return false;
  const name = /^\/([A-Za-z_]\w*)(?!\S)/.exec(line)?.[1];
  if (name === undefined) return true;
  // A regular expression ends with a slash as well.
  return (
    ![...MOVES, 'help', 'code', ...listTools(place), ...(place.commands ?? [])].includes(name) && line.includes('/', 1)
  );
}

/** `!git log | head`: a line for the shell of this machine. */
function parseShellLine(command: string, { tree }: ShellPlace): ShellInput {
  if (tree.at(['terminal']) === undefined)
    return { kind: 'mistake', text: 'commands do not run here. Start bae with --allow-commands.' };
  if (command === '') return { kind: 'mistake', text: 'type a command behind !, such as !git status.' };
  if (/<\/(?:terminal\.)?sh>/i.test(command)) return { kind: 'mistake', text: 'a command has no </sh>.' };
  return { kind: 'tags', text: `<terminal.sh:>\n${command}\n</sh>` };
}

function wrapCode(code: string): ShellInput {
  if (/^\s*<\/run>|<\/run>\s*$/im.test(code))
    return { kind: 'mistake', text: 'code has no </run> at the start or end of a line: that ends a block.' };
  return { kind: 'code', text: `<run>\n${code}\n</run>` };
}

/** In code mode `help` may be a variable, so it is run; when that fails, the hint explains the command. */
function addHint(input: ShellInput, line: string, place: ShellPlace): ShellInput {
  if (input.kind !== 'code' || parseHelp(line, place) === undefined) return input;
  const command = `/${line.replace('()', '')}`;
  return { ...input, hint: `lines are code here. For the help of bae type ${command}` };
}

export function listTools({ tree, location }: ShellPlace): readonly string[] {
  return Object.keys(tree.at(location)?.tools ?? {});
}

/** `help` and `help grep`; any other sentence that begins so is a question. */
function parseHelp(line: string, place: ShellPlace): ShellInput | undefined {
  const name = /^help(?:\s+(\S+)|\(\))?$/.exec(line);
  if (name === null) return undefined;
  const [, tool = ''] = name;
  const known = tool === '' || [...VERBS, 'run', ...listTools(place)].includes(tool);
  return known ? { kind: 'tags', text: `<help:${tool}>` } : undefined;
}

/** `/read src/a.ts`: the tools of this location as commands. */
function parseSlashCommand(line: string, place: ShellPlace): ShellInput | undefined {
  const [, name = '', argument = ''] = /^\/([A-Za-z_]\w*)(?:\s+(.*))?$/s.exec(line) ?? [];
  if (name === '') return undefined;
  if (MOVES.includes(name)) return { kind: 'tags', text: `@${name}()` };
  const tools = ['help', ...listTools(place)];
  const { commands = [] } = place;
  // A tool of the place goes first: it is what is meant here.
  if (!tools.includes(name) && commands.includes(name))
    return { kind: 'command', name, words: argument.split(/\s+/).filter((word) => word !== '') };
  if (!tools.includes(name))
    return { kind: 'mistake', text: explainUnknownCommand(name, [...tools, ...MOVES, ...commands, 'code', 'exit']) };
  const tag = `<${name}:${argument}>`;
  if (classifyText(tag, place).kind === 'tags') return { kind: 'tags', text: tag };
  const problem = `${tag} is no tag: an argument has no < or >.`;
  return { kind: 'mistake', text: `${problem} Put it between <${name}:…> and </${name}>.` };
}

/** `source()`, `@source.meta()`, `read("a.ts")`: spaces and tools as they are written in code. */
function parseCall(line: string, place: ShellPlace): ShellInput | undefined {
  const [, name = '', argument = ''] = /^@?([A-Za-z_][\w.-]*)\((.*)\)$/s.exec(line) ?? [];
  if (name === '') return undefined;
  if (argument.trim() !== '') return parseToolCall(name, argument.trim(), place);
  const target = MOVES.includes(name) ? name : resolvePath(name, place);
  if (target !== undefined) return { kind: 'tags', text: `@${target}()` };
  const nearest = findNearestName(name, collectNames(place.tree).spaces);
  const hint = nearest === undefined ? 'See what there is: nav()' : `Did you mean ${nearest}()?`;
  return parseToolCall(name, '', place) ?? { kind: 'mistake', text: `no space '${name}'. ${hint}` };
}

function parseToolCall(name: string, argument: string, place: ShellPlace): ShellInput | undefined {
  const [tool = '', ...space] = name.split('.').toReversed();
  const path = space.toReversed();
  const tools = path.length === 0 ? ['help', ...listTools(place)] : Object.keys(place.tree.at(path)?.tools ?? {});
  const text = argument === '' ? '' : parseString(argument);
  if (!tools.includes(tool) || text === undefined) return undefined;
  return classifyText(`<${name}:${text}>`, place);
}

/** The value of `"…"` or `'…'`; undefined for anything else. */
function parseString(text: string): string | undefined {
  const single = /^'([^'\\]*)'$/.exec(text)?.[1];
  if (single !== undefined) return single;
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Resolves a name to a path from home: a root space first, then below this location and its ancestors. */
function resolvePath(name: string, { tree, location }: ShellPlace): string | undefined {
  const names = name.split('.');
  const bases = [[], ...location.map((_, index) => location.slice(0, location.length - index))];
  const base = bases.find((path) => tree.at([...path, ...names]) !== undefined);
  return base && [...base, ...names].join('.');
}

function classifyText(text: string, { tree }: ShellPlace): ShellInput {
  const { calls, runs, problems } = parse(asModelText(text), { ...collectNames(tree), misspeltSpaces: 'problem' });
  const executable = calls.length + runs.length + problems.length > 0;
  return executable ? { kind: 'tags', text } : { kind: 'question', text: text.trim() };
}

function explainUnknownCommand(name: string, commands: readonly string[]): string {
  const nearest = findNearestName(name, commands);
  const all = commands.map((one) => `/${one}`).join(' ');
  return `no command /${name} here. ${nearest === undefined ? `There are ${all}` : `Did you mean /${nearest}?`}`;
}
