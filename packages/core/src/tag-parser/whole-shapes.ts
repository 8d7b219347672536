import { isForeignName, type NamedCall } from './foreign/translate-call.ts';
import type { TagNames } from './names.ts';
import type { CallShape } from './problems.ts';

/** Tools by which calls are described. */
export interface Tools {
  readonly names: TagNames;
  /** Formats a call as a tag; undefined if no tool has its name. */
  readonly format: (call: Omit<NamedCall, 'at'>) => string | undefined;
  /** Describes a word that other programs use for a tool, with its argument. */
  readonly describeWord: (word: string, argument: string) => CallShape;
}

/** A command or a change in the notation of another agent, for which a text was written. */
export interface WholeShape extends CallShape {
  readonly text: string;
  readonly at: number;
}

/** A response that is one fence of a shell. */
const SHELL_FENCE = /^(`{3,}|~{3,})(?:sh|bash|shell|zsh|console|terminal)\n([^]*?)\n?\1$/;
/** `$ cat a.ts`, `/read a.ts` and `[READ] a.ts`. */
const PROMPT = /^\$ +(\S.*)$/;
const SLASH = /^\/([A-Za-z_][\w.-]*)(?: +(\S.*))?$/;
const LABEL = /^\[([A-Za-z_][\w.-]*)\] +(\S.*)$/;
const FLAGS = /^(?:-{1,2}[\w-]+(?:\s+|$))+/;
/** Syntax that only a shell understands. */
const SHELL_SYNTAX = /[|&;<>$`*()\\]|\n/;

const MARKERS = /^[ \t]*(?:<{5,9} ?SEARCH>?|\*{3} Begin Patch)[ \t]*$/m;
const SEARCH_LINE = /^[ \t]*<{5,9} ?SEARCH>?[ \t]*$/m;
const DIVIDER_LINE = /^[ \t]*={5,9}[ \t]*$/gm;
const REPLACE_LINE = /^[ \t]*>{5,9} ?REPLACE[ \t]*$/gm;
/** Lines above a block: the name of its file, and perhaps the start of a fence. */
const LINES_ABOVE = /([^\n]*)\n(?:[ \t]*(?:`{3,}|~{3,})[^\n]*\n)?$/;
const LONGEST_ABOVE = 500;
const PATCH_START = /^\*{3} Begin Patch[ \t]*$/m;
const PATCH_END = /^\*{3} End Patch[ \t]*$/gm;
const PATCHED_FILE = /^\*{3} (Update|Add|Delete) File: (.+)\n?([^]*?)(?=^\*{3} |(?![^]))/gm;
const PATH = /^[\w./@+-]*[./][\w./@+-]+$/;
const LONGEST_CHANGE = 1200;
/** Length of the start of a patch that is read, in characters. */
const LONGEST_PATCH = 20_000;

/** Describes a text that is a command, or that has a change of a file, in the notation of another agent. */
export function describeWholeText(text: string, tools: Tools): WholeShape | undefined {
  const at = text.search(/\S/);
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  const command = trimmed.length > 2000 ? undefined : describeCommand(trimmed, tools);
  if (command) return { ...command, text: trimmed.split('\n', 1)[0]!, at };
  return MARKERS.test(text) ? (describeSearchBlock(text) ?? describePatch(text, tools.names)) : undefined;
}

function describeCommand(text: string, tools: Tools): CallShape | undefined {
  const fenced = SHELL_FENCE.exec(text)?.[2];
  if (fenced !== undefined) return describeShellFence(fenced, tools);
  if (text.includes('\n')) return undefined;
  const prompt = PROMPT.exec(text)?.[1];
  if (prompt !== undefined) return describeShellLine(prompt, tools);
  const [, name, argument = ''] = SLASH.exec(text) ?? LABEL.exec(text) ?? [];
  // To look a name up may load every place that an agent has.
  if (name === undefined) return undefined;
  const known = [name, name.toLowerCase()].find((one) => isForeignName(one, tools.names));
  if (known === undefined || (argument === '' && text.startsWith('['))) return undefined;
  return {
    fact: 'is not a tag',
    tag: tools.format({ name: known, args: {}, values: argument === '' ? [] : [argument] }),
  };
}

function describeShellFence(code: string, tools: Tools): CallShape | undefined {
  const lines = code
    .split('\n')
    .map((line) => line.replace(/^\s*\$ /, ''))
    .filter((line) => line.trim() !== '' && !/^\s*#/.test(line));
  if (lines.length === 0) return undefined;
  const command = lines.join('\n').trim();
  return describeExec(command, tools) ?? describeShellLine(command, tools);
}

/** Suggests the place for commands, if there is one. */
function describeExec(command: string, { names, format }: Tools): CallShape | undefined {
  const fact = 'is a command for a shell';
  if (names.resolve('exec') && !SHELL_SYNTAX.test(command)) {
    return { fact, tag: format({ name: 'exec', args: {}, values: [command] }) };
  }
  if (!names.resolve('sh')) return undefined;
  const isPlain = !/[<>\n]/.test(command);
  return { fact, tag: isPlain ? format({ name: 'sh', args: {}, values: [command] }) : `<sh:>\n${command}\n</sh>` };
}

/** What is written around a command for a shell, and does not change what it does. */
const AROUND = /^cd \S+ && | 2>&1(?= |$)| \| (?:head|tail)(?: -\S+| \d+)*$/g;
/** Commands that a tool of another name does: `npm run build`, `pytest tests/a.py`, `git diff src`. */
const SCRIPT =
  /^(?:npm|pnpm|yarn|bun) (?:run(?:-script)? )?(?!(?:install|i|ci|add|remove|rm|init|publish|exec|x|dlx|create|why|ls|view)\b)([\w:.-]+)/;
const TEST = /^(?:(?:npx|python3? -m|uv run|poetry run) )?(?:pytest|vitest|jest|mocha|unittest)\b(?: run\b)?(.*)$/;
const GIT = /^git (status|diff|log|show|blame)\b(.*)$/;

/** Finds the tag of a tool that does the same as a command. */
function findEquivalent(command: string, { names, format }: Tools): string | undefined {
  const [, script] = SCRIPT.exec(command) ?? [];
  const [, tests] = TEST.exec(command) ?? [];
  const [, git, place] = GIT.exec(command) ?? [];
  const name = script === undefined ? (tests === undefined ? git : 'test') : 'run_script';
  if (name === undefined || names.resolve(name) === undefined) return undefined;
  const value = (script ?? tests ?? place ?? '').trim().replace(FLAGS, '');
  return format({ name, args: {}, values: [value] }) ?? `<${name}:${value}>`;
}

/** Describes a command for a shell: with the tools that do the same, or else the place for scripts. */
export function describeShellLine(written: string, tools: Tools): CallShape {
  const command = written.trim().replaceAll(AROUND, '');
  const parts = command.split(/ *(?:&&|;) */).filter((part) => part !== '');
  const same = parts.flatMap((part) => findSimple(part, tools) ?? []);
  if (same.length > 0 && same.length === parts.length)
    return { fact: 'is a command for a shell', tag: same.map((tag) => tools.names.qualify(tag)).join('\n') };
  const shape = describeExec(command, tools) ?? describeFirstWord(command, tools);
  if (shape?.tag !== undefined) return shape;
  const scripts = tools.names.isPlace('scripts') ? '@scripts()' : undefined;
  return { fact: 'is a command, and commands do not run here', tag: scripts };
}

/** Finds the tag that does the same as one command without the syntax of a shell. */
function findSimple(command: string, tools: Tools): string | undefined {
  if (SHELL_SYNTAX.test(command)) return undefined;
  const [word, argument] = splitFirstWord(command);
  const tag = isForeignName(word, tools.names)
    ? tools.format({ name: word, args: {}, ...(argument === '' ? {} : { values: [argument] }) })
    : undefined;
  return tag ?? findEquivalent(command, tools);
}

function describeFirstWord(command: string, tools: Tools): CallShape | undefined {
  return SHELL_SYNTAX.test(command) ? undefined : tools.describeWord(...splitFirstWord(command));
}

function splitFirstWord(command: string): readonly [word: string, argument: string] {
  const [, word = '', rest = ''] = /^(\S+)\s*([^]*)$/.exec(command) ?? [];
  return [word, rest.replace(FLAGS, '').trim()];
}

/** Returns true for a block outside of fences, or in the fence with which the text ends. */
function isMeant(text: string, start: number, end: number): boolean {
  const isFenced = (text.slice(0, start).match(/^[ \t]*(?:`{3}|~{3})/gm) ?? []).length % 2 === 1;
  return !isFenced || /^\s*(?:`{3,}|~{3,})?\s*$/.test(text.slice(end));
}

/** Describes the first pair of SEARCH and REPLACE, with the name of the file above. */
function describeSearchBlock(text: string): WholeShape | undefined {
  const at = text.search(SEARCH_LINE);
  const end = at === -1 ? undefined : findAfter(REPLACE_LINE, text, findAfter(DIVIDER_LINE, text, at));
  if (end === undefined || !isMeant(text, at, end)) return undefined;
  const [, above = ''] = LINES_ABOVE.exec(text.slice(Math.max(0, at - LONGEST_ABOVE), at)) ?? [];
  const name = above.replaceAll(/^[\s#*`]+|[\s*`:]+$/g, '');
  const path = PATH.test(name) ? name : '…';
  const block = text.slice(at, end);
  const tag = block.length > LONGEST_CHANGE ? shortEdit(path) : `<E:${path}>\n${block}\n</E>`;
  return { fact: 'is no call here', tag, text: block.trim().split('\n', 1)[0]!, at };
}

/** Returns the offset after the next match; undefined if there is none. */
function findAfter(pattern: RegExp, text: string, from: number | undefined): number | undefined {
  if (from === undefined) return undefined;
  pattern.lastIndex = from;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

/** Describes a patch of several files between `*** Begin Patch` and `*** End Patch`. */
function describePatch(text: string, names: TagNames): WholeShape | undefined {
  const at = text.search(PATCH_START);
  if (at === -1) return undefined;
  const end = findAfter(PATCH_END, text, at) ?? text.length;
  if (!isMeant(text, at, end)) return undefined;
  const patch = text.slice(at, Math.min(end, at + LONGEST_PATCH));
  const files = Array.from(patch.matchAll(PATCHED_FILE), ([, action, path = '', content = '']) => {
    if (action === 'Delete') return `<delete:${path.trim()}>`;
    if (action === 'Add' && content.length > LONGEST_CHANGE) return `<W:${path.trim()}>…</W>`;
    if (action === 'Add') return `<W:${path.trim()}>\n${content.replaceAll(/^\+/gm, '').trimEnd()}\n</W>`;
    return content.length > LONGEST_CHANGE ? shortEdit(path.trim()) : editOf(path.trim(), content);
  });
  if (files.length === 0) return undefined;
  return {
    fact: 'is no call here',
    tag: files.map((tag) => names.qualify(tag)).join('\n'),
    text: '*** Begin Patch',
    at,
  };
}

function editOf(path: string, hunks: string): string {
  const blocks = hunks
    .split(/^@@.*\n/m)
    .map((hunk) => hunk.split('\n').filter((line) => /^[ +-]/.test(line)))
    .filter((lines) => lines.length > 0)
    .map((lines) => `<old>\n${pick(lines, ' -').join('\n')}\n</old>\n<new>\n${pick(lines, ' +').join('\n')}\n</new>`);
  return `<E:${path}>\n${blocks.join('\n')}\n</E>`;
}

/** Returns the lines of a hunk that begin with one of some marks, without it. */
function pick(lines: readonly string[], marks: string): readonly string[] {
  return lines.filter((line) => marks.includes(line.charAt(0))).map((line) => line.slice(1));
}

function shortEdit(path: string): string {
  return `<E:${path}>\n<old>…</old>\n<new>…</new>\n</E>`;
}
