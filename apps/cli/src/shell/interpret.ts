import { findNearestName } from '@bae/core';
import { VERBS } from '@bae/core/pipeline';
import {
  classifyText,
  listTools,
  MOVES,
  needsBody,
  wrapCode,
  type ShellInput,
  type ShellPlace,
} from './shell-input.ts';
import { explainAssignment, interpretCall, interpretCalls } from './typed-call.ts';

const EXIT = /^\/?(exit|quit)(\(\))?$/;

/** Interprets a line, or several lines that form a tag with a body. */
export function interpret(text: string, place: ShellPlace): ShellInput {
  const line = text.trim();
  if (line === '') return { kind: 'nothing' };
  if (line === '/' || line === '@') return { kind: 'mistake', text: LONELY[line] };
  if (EXIT.test(line)) return { kind: 'exit' };
  if (line === '?' || line === '/help' || line === '/?') return { kind: 'command', name: '?', words: [] };
  if (line === '/code') return { kind: 'switch' };
  if (line.startsWith('/code ')) return wrapCode(line.slice('/code '.length));
  const [, label, question = ''] = /^@([\w-]+)(?:\s+([^]*))?$/.exec(line) ?? [];
  if (label !== undefined && place.inCode !== true && (/^\d{1,3}$/.test(label) || place.labels?.includes(label)))
    return { kind: 'session', label, text: question.trim() };
  if (line.startsWith('!') && place.inCode !== true) return parseShellLine(line.slice(1).trim(), place);
  if (isCode(line, place)) return addHint(wrapCode(text), line, place);
  if (MOVES.includes(line)) return { kind: 'tags', text: `@${line}()` };
  const command =
    interpretCalls(line, place, parseSlashCommand) ??
    parseHelp(line, place) ??
    parseCommandLine(line, place) ??
    parseSlashCommand(line, place) ??
    parseCommandCall(line, place) ??
    interpretCall(line, place);
  return command ?? explainAssignment(line, place) ?? classifyText(text, place);
}

/** Signs that begin something, and are nothing by themselves. */
const LONELY = {
  '/': 'type a command behind /, such as /read src; ? lists them all.',
  '@': 'type a file behind @ to attach it to a question, or a session, such as @2.',
};

/** Returns true for a line of code: in code mode, everything except tags and commands, including mistyped ones. */
export function isCode(line: string, place: ShellPlace): boolean {
  if (place.inCode !== true || line.trim() === '' || EXIT.test(line.trim())) return false;
  if (line.startsWith('<')) return classifyText(line, place).kind !== 'tags';
  if (/^@[\w.]+\(\)$/.test(line.trim())) return false;
  const name = /^\/([A-Za-z_]\w*)(?!\S)/.exec(line)?.[1];
  if (name === undefined) return true;
  // A regular expression also has a second slash.
  return (
    ![...MOVES, 'help', 'code', ...listTools(place), ...(place.commands ?? [])].includes(name) && line.includes('/', 1)
  );
}

/** Interprets `!git log | head` as a line for the shell of this machine. */
function parseShellLine(command: string, { tree, folder = '' }: ShellPlace): ShellInput {
  if (tree.at(['terminal']) === undefined)
    return { kind: 'mistake', text: 'commands do not run here. Start bae with --allow-commands.' };
  if (command === '') return { kind: 'mistake', text: 'type a command behind !, such as !git status.' };
  if (/<\/(?:terminal\.)?sh>/i.test(command)) return { kind: 'mistake', text: 'a command cannot contain </sh>.' };
  const path = /^cd(?:\s+([^;&|<>]+))?$/.exec(command);
  if (path !== null) return { kind: 'folder', path: path[1]?.trim() ?? '' };
  const place = folder === '' ? '' : `folder=${JSON.stringify(folder)}`;
  return { kind: 'tags', text: `<terminal.sh:${place}>\n${command}\n</sh>` };
}

/**
 * Adds a hint to code. In code mode `help` may be a variable, so it is run; if that fails, the hint names the command.
 */
function addHint(input: ShellInput, line: string, place: ShellPlace): ShellInput {
  if (input.kind !== 'code' || parseHelp(line, place) === undefined) return input;
  const command = `/${line.replace('()', '')}`;
  return { ...input, hint: `lines are code here. For the help of bae type ${command}` };
}

/** Recognizes `help` and `help grep`; any other sentence that begins this way is a question. */
function parseHelp(line: string, place: ShellPlace): ShellInput | undefined {
  const name = /^help(?:\s+(\S+)|\(\))?$/.exec(line);
  if (name === null) return undefined;
  const [, tool = ''] = name;
  const known = tool === '' || [...VERBS, 'run', ...listTools(place)].includes(tool);
  return known ? { kind: 'tags', text: `<help:${tool}>` } : undefined;
}

/** Interprets `/read src/a.ts`: the tools of this location can be typed as commands. */
function parseSlashCommand(line: string, place: ShellPlace): ShellInput | undefined {
  const [, name = '', argument = ''] = /^\/([A-Za-z_][\w:-]*)(?:\s+(.*))?$/s.exec(line) ?? [];
  if (name === '') return undefined;
  if (MOVES.includes(name)) return { kind: 'tags', text: `@${name}()` };
  const tools = ['help', ...listTools(place)];
  const { commands = [] } = place;
  // The tools of this location take precedence over commands.
  if (!tools.includes(name) && commands.includes(name))
    return { kind: 'command', name, words: argument.split(/\s+/).filter((word) => word !== '') };
  if (!tools.includes(name))
    return { kind: 'mistake', text: explainUnknownCommand(name, [...tools, ...MOVES, ...commands, 'code', 'exit']) };
  const tag = `<${name}:${argument}>`;
  if (needsBody(`<${name}:${argument || 'x'}>`, place))
    return { kind: 'mistake', text: explainMissingText(name, argument) };
  if (classifyText(tag, place).kind === 'tags') return { kind: 'tags', text: tag };
  const problem = `${tag} is not a tag: an argument cannot contain < or >.`;
  return { kind: 'mistake', text: `${problem} Put it between <${name}:…> and </${name}>.` };
}

/** Commands of the command line, except `ask`, `do` and `create`, with which a question to bae may begin. */
export const OTHER_COMMANDS: ReadonlySet<string> = new Set(
  (
    'tasks memory undo sessions approvals audit parse prune spaces inspect trust untrust mcp acp serve worker dev ' +
    'manifest conformance doctor'
  ).split(' '),
);

/**
 * Interprets `bae sessions`, as messages name it, as the command of the shell, and explains where another command is to
 * be typed; a sentence with ? is a question.
 */
function parseCommandLine(line: string, place: ShellPlace): ShellInput | undefined {
  const [, name = '', words = ''] = /^bae ([a-z]+)(?: ([^\n]*[^\n?]))?$/.exec(line) ?? [];
  if (place.sharedCommands?.includes(name)) return parseSlashCommand(`/${name} ${words}`, place);
  if (!OTHER_COMMANDS.has(name)) return undefined;
  return {
    kind: 'mistake',
    text: `bae ${name} is a command of its own: type it in another terminal. A question about it begins otherwise.`,
  };
}

/** Explains how to give a tool its text: the words after the first one of `/write a.txt hello` may be it. */
function explainMissingText(name: string, argument: string): string {
  const [, target = '', text = ''] = /^(\S+)\s*([^]*)$/.exec(argument) ?? [];
  const values = [target || 'a.txt', text || '…'].map((value) => JSON.stringify(value));
  return `/${name} cannot give a text. Type a call: ${name}(${values.join(', ')})`;
}

/** Interprets `ns()` and `store("port")` as the commands of these names. */
function parseCommandCall(line: string, { commands = [] }: ShellPlace): ShellInput | undefined {
  const [, name = '', double, single = ''] = /^(ns|store)\((?:"([^"]*)"|'([^']*)')?\)$/.exec(line) ?? [];
  if (!commands.includes(name)) return undefined;
  return { kind: 'command', name, words: (double ?? single).split(/\s+/).filter((word) => word !== '') };
}

function explainUnknownCommand(name: string, commands: readonly string[]): string {
  const nearest = findNearestName(name, commands);
  const all = [...new Set(commands)].map((one) => `/${one}`).join(' ');
  return `no command /${name} here. ${nearest === undefined ? `There are ${all}` : `Did you mean /${nearest}?`}`;
}
