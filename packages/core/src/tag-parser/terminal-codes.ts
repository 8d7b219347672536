import { TAG_NAMES } from '../protocol/verbs.ts';

/** The escape character that every terminal code begins with. */
export const ESCAPE = '\u001b';
const BELL = '\u0007';

/** One line without its terminal codes. */
interface CleanLine {
  /** What is looked at for calls: a link to `Read:a.py` has become `<Read:a.py>`, without its text. */
  readonly detected: string;
  /** What a terminal would show. */
  readonly visible: string;
}

interface Code {
  readonly end: number;
  /** Where a hyperlink leads; empty for the end of a link. */
  readonly link?: string;
}

/** Takes colours and hyperlinks off a line. Neither result holds an escape character. */
export function withoutTerminalCodes(line: string): CleanLine {
  // Undefined for as long as it is the same as what is visible.
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

/** Of a sequence that never ends only the escape character goes. */
function readCode(line: string, at: number): Code {
  const next = line.charAt(at + 1);
  if (next === '[') return { end: colourEnd(line, at + 2) ?? at + 1 };
  if (next === ']') return readCommand(line, at);
  return { end: next === '\\' ? at + 2 : at + 1 };
}

function colourEnd(line: string, at: number): number | undefined {
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
