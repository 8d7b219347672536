import { TAG_NAMES } from '../protocol/verbs.ts';

/** The escape character that every terminal code begins with. */
export const ESCAPE = '\u001b';
const BELL = '\u0007';

/** One line without its terminal codes. */
export interface CleanLine {
  /** The line in which calls are detected: a link to `Read:a.py` is replaced by `<Read:a.py>`, without its text. */
  readonly detected: string;
  /** What a terminal would show. */
  readonly visible: string;
}

interface Code {
  readonly end: number;
  /** Address of a hyperlink; empty for the end of a link. */
  readonly link?: string;
}

/** Removes colours and hyperlinks from a line. Neither result contains an escape character. */
export function stripTerminalCodes(line: string): CleanLine {
  // Undefined while it is the same as the visible text.
  let detected: string | undefined;
  let visible = '';
  let isInCall = false;
  let at = 0;
  for (;;) {
    const escape = line.indexOf(ESCAPE, at);
    const plain = line.slice(at, escape === -1 ? undefined : escape);
    visible += plain;
    if (detected !== undefined && !isInCall) detected += plain;
    if (escape === -1) return { detected: detected ?? visible, visible };
    const { end, link } = readCode(line, escape);
    at = end;
    if (link === undefined) continue;
    isInCall = isCallAddress(link);
    if (isInCall) detected = `${detected ?? visible}<${link}>`;
  }
}

/** Reads the code at an index; of one that never ends, only the escape character counts. */
function readCode(line: string, at: number): Code {
  const next = line.charAt(at + 1);
  if (next === '[') return { end: findColourEnd(line, at + 2) ?? at + 1 };
  if (next === ']') return readCommand(line, at);
  return { end: next === '\\' ? at + 2 : at + 1 };
}

function findColourEnd(line: string, at: number): number | undefined {
  let index = at;
  while (isParameter(line.charCodeAt(index))) index++;
  const last = line.charCodeAt(index);
  return last >= 0x40 && last <= 0x7e ? index + 1 : undefined;
}

function readCommand(line: string, at: number): Code {
  let end = at + 2;
  while (end < line.length && line.charAt(end) !== BELL && line.charAt(end) !== ESCAPE) end++;
  const width = line.charAt(end) === BELL ? 1 : line.startsWith(`${ESCAPE}\\`, end) ? 2 : 0;
  if (width === 0) return { end: at + 1 };
  const content = line.slice(at + 2, end);
  const address = content.startsWith('8;') ? content.indexOf(';', 2) : -1;
  return { end: end + width, ...(address !== -1 && { link: content.slice(address + 1) }) };
}

function isCallAddress(link: string): boolean {
  const colon = link.indexOf(':');
  return colon !== -1 && Object.hasOwn(TAG_NAMES, link.slice(0, colon).toLowerCase());
}

function isParameter(code: number): boolean {
  return code >= 0x20 && code <= 0x3f;
}
