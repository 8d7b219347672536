import { parseJsonObject, readJsonCalls } from './foreign/json-calls.ts';
import { isForeignName } from './foreign/translate-call.ts';
import type { TagNames } from './names.ts';
import type { CallShape } from './problems.ts';
import { describeShellLine, type Tools as ShellTools } from './whole-shapes.ts';

/** A fence with which a text ends, with its content. */
const LAST_FENCE = /(?:^|\n)[ \t]*(`{3,}|~{3,})[^\n`]*\n([^]*?)\n?[ \t]*\1[ \t]*$/;
/** An element with which a text ends, `<execute_command>…</execute_command>`, with its content. */
const LAST_ELEMENT = /(?:^|\n)[ \t]*<([A-Za-z][a-z0-9]*(?:_[a-z0-9]+)*)(?:\s[^<>]*)?>([^]*?)<\/\1>[ \t]*$/;
/** An element with which a text ends, `<bash command="…"/>`, with its command. */
const LAST_COMMAND = /(?:^|\n)[ \t]*<([A-Za-z_]+)\s+(?:command|cmd)="([^"<>\n]*)"\s*\/?>[ \t]*$/;
/** First words of the names that agents give to their tools. */
const ACTION =
  /^(?:access|add|apply|ask|attempt|bash|browser|call|codebase|create|delete|edit|execute|fetch|find|get|insert|list|move|new|open|read|replace|run|search|shell|str|switch|terminal|update|use|view|web|write|exec|sh|zsh)(?:_|$)/;
/** Names of tools that run a command. */
const COMMANDS =
  /^(?:bash|sh|zsh|console|shell|cmd|command|terminal|execute|run|exec|execute_command|run_command|execute_bash|run_terminal_cmd|run_shell_command|run_bash|run_terminal_command|run_in_terminal)$/i;

/** Length of the end of a text that is searched for a block, in characters: each may be the start of one. */
const LONGEST_BLOCK = 8000;

/** Returns true for the name of a tool that runs a command in another agent. */
export function isCommandName(name: string): boolean {
  return COMMANDS.test(name);
}

/** A block at the end of a text that was probably meant as a call. */
export interface BlockShape extends CallShape {
  readonly text: string;
  readonly at: number;
}

interface Tools extends ShellTools {
  /** Returns the tags of the calls in a text that is nothing else. */
  readonly readCalls: (text: string) => readonly string[];
}

/** Describes the block with which a text ends: JSON, an element or a fence, of a known tool or as the whole text. */
export function describeLastBlock(text: string, tools: Tools): BlockShape | undefined {
  const trimmed = text.trimEnd();
  const start = Math.max(0, trimmed.length - LONGEST_BLOCK);
  const end = trimmed.slice(start);
  const shape = describeFence(end, trimmed.slice(0, start), tools) ?? describeElement(end, tools);
  return shape ? { ...shape, at: start + shape.at } : describeJson(trimmed, tools);
}

function describeFence(text: string, earlier: string, tools: Tools): BlockShape | undefined {
  const fence = LAST_FENCE.exec(text);
  if (!fence) return undefined;
  const { index, 1: marks = '', 2: content = '' } = fence;
  const code = content.trim();
  // A tag in a fence is an illustration.
  if (code === '' || /^(?:<[\w.]+:|@)/.test(code)) return undefined;
  const before = earlier + text.slice(0, index);
  // Another fence that is open until here shows that this one only closes it.
  if ((before.match(/^[ \t]*(?:`{3}|~{3})/gm) ?? []).length % 2 === 1) return undefined;
  const at = text.indexOf(marks, index);
  const [tag] = tools.readCalls(code);
  if (tag !== undefined) return { fact: 'holds a call in a fence, which is only shown', tag, text: marks, at };
  const isAlone = before.trim() === '';
  const shape = isAlone ? (describeJson(code, tools) ?? describeElement(code, tools)) : undefined;
  return shape && { ...shape, at };
}

function describeJson(text: string, { names, format }: Tools): BlockShape | undefined {
  const json = text.trimStart();
  // Text that does not end like JSON is not parsed: it may be long, and deeply nested.
  if (!/^[[{]/.test(json) || !/[\]}]\s*$/.test(json.slice(-100))) return undefined;
  const [call] = readJsonCalls(json, 0) ?? [];
  if (!call) return undefined;
  const { name, args, values } = call;
  const meant = names.findNearMiss(name);
  const known = isForeignName(name, names) ? name : isCommandName(name) ? 'exec' : meant;
  const tag = known === undefined ? undefined : format({ name: known, args, ...(values && { values }) });
  return { fact: 'is no call of a tool here', tag, text: json.split('\n', 1)[0]!, at: text.length - json.length };
}

function describeElement(text: string, tools: Tools): BlockShape | undefined {
  const element = LAST_ELEMENT.exec(text) ?? LAST_COMMAND.exec(text);
  if (!element) return undefined;
  const { index, 0: whole, 1: name = '', 2: content = '' } = element;
  const { names, format } = tools;
  // A name with a capital letter may be that of a component.
  if (!(ACTION.test(name) || isCommandName(name)) || isForeignName(name, names)) return undefined;
  const children = Array.from(content.matchAll(/<([a-z_]+)>([^<]*)<\/\1>/g), ([, key, value = '']) => [
    key,
    value.trim(),
  ]);
  const args = parseJsonObject(content.trim()) ?? (Object.fromEntries(children) as Record<string, unknown>);
  const isPlain = Object.keys(args).length === 0;
  // Without an underscore in its name or an element inside, it is markup or a remark.
  if (isPlain && (!isCommandName(name) || content.trim() === '')) return undefined;
  const command = args['command'] ?? args['cmd'] ?? (isPlain ? content.trim() : undefined);
  const isCommand = isCommandName(name) && typeof command === 'string' && !command.includes('\n');
  const hasExec = isCommand && names.resolve('exec') !== undefined && !/[<>]/.test(command);
  const exec = hasExec ? format({ name: 'exec', args: {}, values: [command] }) : undefined;
  const shape = isCommand && exec === undefined ? describeShellLine(command, tools) : undefined;
  const at = index + whole.indexOf('<');
  return { fact: 'names no tool here', tag: exec, ...shape, text: whole.trim().split('\n', 1)[0]!, at };
}

/** `</R:src/a.ts>` or `</W>`, which closes nothing. */
const LONE_CLOSER = /^<\/([\w.-]+)(?::([^<>]+))?>$/;

/** Describes `</R:src/a.ts>` and `</W>`. */
export function describeCloser(line: string, names: TagNames): CallShape | undefined {
  const [, name = '', value] = LONE_CLOSER.exec(line) ?? [];
  const known = names.resolve(name);
  // A lower-case closing tag without an argument may belong to any element of a document, such as `</search>`.
  if (known === undefined || (value === undefined && !/^[A-Z]/.test(name))) return undefined;
  const opening = `<${name}:${value ?? '…'}>`;
  const tag =
    known.verb === 'write' || (known.verb === 'edit' && value === undefined) ? `${opening}…</${name}>` : opening;
  return { fact: 'closes no tag', tag };
}
