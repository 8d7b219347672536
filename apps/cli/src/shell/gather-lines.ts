import { asModelText } from '@bae/core';
import { parse, VERBS } from '@bae/core/pipeline';
import { REST, type LineSource } from '../terminal/piped-input.ts';
import type { KnownNames } from '../space-outline.ts';

/**
 * Reads further lines after an unclosed tag, or after a `\` at the end of a line. Ctrl-D ends the text.
 *
 * @returns the whole text; undefined after Ctrl-C
 */
export async function gatherBody(first: string, source: LineSource, names: KnownNames): Promise<string | undefined> {
  const text = await joinContinued(first, source);
  if (text === undefined) return undefined;
  const parsed = parse(asModelText(text), names);
  if (isOpen(parsed)) return readUntilClosed(text, source, names);
  return mayTakeBody(parsed) ? addPastedBody(text, source, names) : text;
}

async function joinContinued(first: string, source: LineSource): Promise<string | undefined> {
  let text = first;
  while (text.endsWith('\\')) {
    const line = await source.next(REST);
    if (line.kind === 'interrupt') return undefined;
    text = text.slice(0, -1);
    if (line.kind === 'end') return text;
    text += `\n${line.text}`;
  }
  return text;
}

async function readUntilClosed(opened: string, source: LineSource, names: KnownNames): Promise<string | undefined> {
  const lines = [opened];
  for (;;) {
    const line = await source.next(REST);
    if (line.kind === 'interrupt') return undefined;
    if (line.kind === 'end') return lines.join('\n');
    lines.push(line.text);
    if (mayClose(line.text, names) && !isOpen(parse(asModelText(lines.join('\n')), names))) return lines.join('\n');
  }
}

/** Adds the optional body of a tag if its closing tag has already arrived. */
async function addPastedBody(opened: string, source: LineSource, names: KnownNames): Promise<string> {
  const lines: string[] = [];
  while (await source.hasMore()) {
    const line = await source.next(REST);
    if (line.kind !== 'line') break;
    lines.push(line.text);
    if (!mayClose(line.text, names)) continue;
    const text = [opened, ...lines].join('\n');
    if (parse(asModelText(text), names).calls[0]?.body !== undefined) return text;
  }
  source.unread(lines);
  return opened;
}

type Parsed = ReturnType<typeof parse>;

function isOpen({ problems }: Parsed): boolean {
  return problems.some(({ code }) => code === 'unclosed-body' || code === 'unclosed-run');
}

/** Returns true for a single call that has no body, but whose tool accepts one. */
function mayTakeBody({ calls, problems }: Parsed): boolean {
  const [call, ...more] = calls;
  if (call === undefined || more.length > 0 || problems.length > 0 || call.body !== undefined) return false;
  const { verb } = call;
  return verb === 'edit' || !(['go', 'help', ...VERBS] as readonly string[]).includes(verb);
}

/** Returns true for a line that may end a body, so that a long body is not parsed again after every line. */
function mayClose(line: string, { tools }: KnownNames): boolean {
  const [, name = ''] = /<\/(?:[\w-]+\.)*([\w-]+)(?::.*)?>\s*$/.exec(line) ?? /^\s*<\/(run)>/i.exec(line) ?? [];
  const known = ['w', 'e', 'run', 'write', 'edit', ...Array.from(tools, (tool) => tool.toLowerCase())];
  return known.includes(name.toLowerCase());
}

/** Start of a line that continues the block before it. */
const GOES_ON = /^\s*(?:else|catch|finally|while)\b|^\s*[.?:,)\]]/;

export interface CodeLines {
  /** Resolves to true if the code is incomplete. */
  readonly needsMore: (code: string) => Promise<boolean>;
  /** Returns true for a line that is not code. */
  readonly isCommand: (line: string) => boolean;
  /** Called with the command that discards unfinished code. */
  readonly onGivenUp: (line: string) => void;
}

/**
 * Reads further lines after an open bracket or an operator, and to the end of a paste. Ctrl-D ends the code.
 *
 * @returns the whole code; undefined after Ctrl-C or after a command, which is read next
 */
export async function gatherCode(first: string, source: LineSource, lines: CodeLines): Promise<string | undefined> {
  const code = trackCode(first, lines.needsMore);
  for (;;) {
    const isWhole = !source.isPasted && !(await code.isOpen());
    // If the next line has already arrived, it may continue the block, as `else` does.
    if (isWhole && !(code.text.trimEnd().endsWith('}') && (await source.hasMore()))) return code.text;
    const line = await source.next(REST);
    if (line.kind === 'interrupt') return undefined;
    if (line.kind === 'end') return code.text;
    if (isWhole ? GOES_ON.test(line.text) : await belongsTo(code, line.text, lines)) code.add(line.text);
    else {
      source.unread([line.text]);
      if (isWhole || !(await code.isOpen())) return code.text;
      lines.onGivenUp(line.text);
      return undefined;
    }
  }
}

async function belongsTo(code: ReturnType<typeof trackCode>, line: string, lines: CodeLines): Promise<boolean> {
  if (!lines.isCommand(line)) return true;
  return (await code.isOpen()) && (!isWayOut(line) || (await code.isOpenText()));
}

/** Returns true for commands that leave code mode or show help, even while code is unfinished. */
export function isWayOut(line: string): boolean {
  return /^\/(?:code|exit|quit|help(?: [\w.-]+)?)\s*$/.test(line);
}

/** String literal on one line; brackets in it are not counted. */
const TEXT = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g;
/** Characters in a line whose brackets only a compiler can identify. */
const HARD = /[`'"\\/@#]/;

/** Tracks code that grows line by line, and parses it rarely, because each parse reads all of it. */
export function trackCode(first: string, needsMore: CodeLines['needsMore']) {
  let text = first;
  /** Number of brackets opened since the code was known to be open; undefined if that is unknown. */
  let depth: number | undefined;
  return {
    get text() {
      return text;
    },
    add(line: string): void {
      text += `\n${line}`;
      if (depth !== undefined) depth = countDepth(line, depth);
    },
    async isOpen(): Promise<boolean> {
      if (depth !== undefined) return true;
      // An added operand completes everything but open brackets, so that code which is still incomplete has one.
      if (!(await needsMore(`${text}\n0;`))) return needsMore(text);
      depth = 0;
      return true;
    },
    /** Resolves to true inside a template or a comment, the only places where a line may be a lone quotation mark. */
    isOpenText: (): Promise<boolean> => needsMore(`${text}\n"`),
  };
}

/** Returns the number of open brackets after a line; undefined if more were closed, or if only a compiler can tell. */
function countDepth(line: string, before: number): number | undefined {
  const plain = line.replaceAll(TEXT, '');
  if (HARD.test(plain)) return undefined;
  let depth = before;
  for (const sign of plain) {
    if ('([{'.includes(sign)) depth++;
    if (')]}'.includes(sign)) depth--;
    if (depth < 0) return undefined;
  }
  return depth;
}

/** Joins pasted lines into one question; undefined after Ctrl-C. */
export async function gatherQuestion(first: string, source: LineSource): Promise<string | undefined> {
  const lines = [first];
  while (source.isPasted) {
    const line = await source.next(REST);
    if (line.kind === 'interrupt') return undefined;
    if (line.kind === 'end') break;
    lines.push(line.text);
  }
  return lines.join('\n').trim();
}

/** Resolves to true if code is incomplete. */
export async function needsMore(code: string): Promise<boolean> {
  const sandbox = await import('@bae/sandbox');
  return sandbox.isIncompleteCode(code);
}
