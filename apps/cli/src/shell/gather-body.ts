import { asModelText } from '@bae/core';
import { parse, VERBS, type ParsedText } from '@bae/core/pipeline';
import type { LineSource } from '../terminal/piped-input.ts';
import type { KnownNames } from '../space-outline.ts';

/** The prompt for further lines. */
const MORE = '… ';

/**
 * Reads further lines after a tag that is not closed, or a `\` at the end of a line. Ctrl-D ends the text.
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
    const line = await source.next(MORE);
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
    const line = await source.next(MORE);
    if (line.kind === 'interrupt') return undefined;
    if (line.kind === 'end') return lines.join('\n');
    lines.push(line.text);
    if (mayClose(line.text, names) && !isOpen(parse(asModelText(lines.join('\n')), names))) return lines.join('\n');
  }
}

/** A tag with an optional body has one when its closing tag has arrived already. */
async function addPastedBody(opened: string, source: LineSource, names: KnownNames): Promise<string> {
  const lines: string[] = [];
  while (await source.hasMore()) {
    const line = await source.next('');
    if (line.kind !== 'line') break;
    lines.push(line.text);
    if (!mayClose(line.text, names)) continue;
    const text = [opened, ...lines].join('\n');
    if (parse(asModelText(text), names).calls[0]?.body !== undefined) return text;
  }
  source.unread(lines);
  return opened;
}

function isOpen({ problems }: ParsedText): boolean {
  return problems.some(({ code }) => code === 'unclosed-body' || code === 'unclosed-run');
}

/** True for a single call without a body whose tool may take one. */
function mayTakeBody({ calls, problems }: ParsedText): boolean {
  const [call, ...more] = calls;
  if (call === undefined || more.length > 0 || problems.length > 0 || call.body !== undefined) return false;
  const { verb } = call;
  return verb === 'edit' || !(['go', 'help', ...VERBS] as readonly string[]).includes(verb);
}

/** True for a line that may end a body, so that a long body is not parsed again after every line. */
function mayClose(line: string, { tools }: KnownNames): boolean {
  const [, name = ''] = /<\/(?:[\w-]+\.)*([\w-]+)(?::.*)?>\s*$/.exec(line) ?? /^\s*<\/(run)>/i.exec(line) ?? [];
  const known = ['w', 'e', 'run', 'write', 'edit', ...Array.from(tools, (tool) => tool.toLowerCase())];
  return known.includes(name.toLowerCase());
}
