import { nameEnd } from './characters.ts';
import { readLine, type LineKind } from './line-kind.ts';
import type { MarkRole } from './mark-table.ts';
import type { TagNames } from './tag-names.ts';
import { takesBody } from './tag.ts';

/** As much of a line as has to be known before the lines around it are. */
export interface FirstLook {
  readonly role: MarkRole;
  /** Verb of the body that the line opens or closes. */
  readonly verb: string;
  readonly label?: string;
}

const LINE: FirstLook = { role: 'line', verb: '' };
const FENCE: FirstLook = { role: 'fence', verb: '' };

/**
 * Tells a line that may be more than prose from one that is prose for certain (undefined).
 *
 * Reads only those tags to the end that can open or close a body; the others are read when the walk
 * comes to them.
 *
 * @param line without the blanks around it
 */
export function lookAt(line: string, names: TagNames): FirstLook | undefined {
  switch (line.charAt(0)) {
    case '<':
      return lookAtTag(line, names);
    case '`':
      return line.startsWith('```') ? FENCE : undefined;
    case '~':
      return line.startsWith('~~~') ? FENCE : undefined;
    case '{':
      return line.endsWith('}') ? LINE : undefined;
    case '@':
      return line.endsWith('()') ? LINE : undefined;
    case '\\':
      return line.charAt(1) === '<' ? LINE : undefined;
    default:
      return undefined;
  }
}

/** What a line that was read to the end is before the lines around it are known. */
export function lookOf(what: LineKind | undefined): FirstLook | undefined {
  switch (what?.kind) {
    case undefined:
      return undefined;
    case 'fence':
      return FENCE;
    case 'open':
      return { role: 'open', verb: what.tag.verb };
    case 'near-miss':
      return what.isClosed ? LINE : { role: 'open', verb: what.tag.verb };
    case 'loose':
      return { role: 'broken', verb: what.tag.verb };
    case 'broken':
      return what.isClosed ? LINE : { role: 'broken', verb: what.tag.verb };
    case 'close':
      return { role: 'close', verb: what.verb, ...(what.label !== undefined && { label: what.label }) };
    default:
      return LINE;
  }
}

function lookAtTag(line: string, names: TagNames): FirstLook | undefined {
  const end = nameEnd(line, 1);
  if (end > 1 && line.charAt(end) === ':') {
    const name = names.resolve(line.slice(1, end));
    const isTag = line.endsWith('>');
    if (name ? !takesBody(name.verb) : !isTag) return isTag ? LINE : undefined;
  }
  return lookOf(readLine(line, names));
}
