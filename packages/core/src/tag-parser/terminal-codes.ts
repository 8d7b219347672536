import { findVerb } from '../protocol/verbs.ts';

/** Escape character with which every terminal code begins. */
export const ESCAPE = '\u001b';

/** Text of an operating system command, which ends with a bell or an escape character. */
const COMMAND = '[^\u0007\u001b]*';
const COLOUR = String.raw`\[[ -?]*[@-~]`;
const HYPERLINK = String.raw`\](?:8;[^;\u0007\u001b]*;(?<link>${COMMAND})|${COMMAND})(?:\u0007|${ESCAPE}\\)`;
/** Any terminal code; if it never ends, only its escape character. */
const CODE = new RegExp(String.raw`${ESCAPE}(?:${COLOUR}|${HYPERLINK}|\\)?`, 'g');

/** One line without its terminal codes. */
export interface CleanLine {
  /** Line in which calls are detected: a link to `Read:a.py` is replaced by `<Read:a.py>`, without its text. */
  readonly detected: string;
  /** Line as a terminal would display it. */
  readonly visible: string;
}

/** Removes colours and hyperlinks from a line. Neither result contains an escape character. */
export function stripTerminalCodes(line: string): CleanLine {
  if (!line.includes(ESCAPE)) return { detected: line, visible: line };
  let detected = '';
  let visible = '';
  let isInCall = false;
  let at = 0;
  const add = (plain: string) => {
    visible += plain;
    if (!isInCall) detected += plain;
  };
  for (const code of line.matchAll(CODE)) {
    add(line.slice(at, code.index));
    at = code.index + code[0].length;
    const link = code.groups?.['link'];
    if (link === undefined) continue;
    isInCall = isCallAddress(link);
    if (isInCall) detected += `<${link}>`;
  }
  add(line.slice(at));
  return { detected, visible };
}

function isCallAddress(link: string): boolean {
  const colon = link.indexOf(':');
  return colon !== -1 && findVerb(link.slice(0, colon)) !== undefined;
}
